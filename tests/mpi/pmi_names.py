# SPDX-License-Identifier: MIT
"""A rank that speaks PMI-1 or PMI-2 by hand: pmi_names.py STEP...; each step is publish=NAME=VALUE, until=NAME=VALUE, which
looks a name up until that is its value, or until=NAME, which does until there is none. Prints each when it is done."""
import os
import sys
import time

link = os.fdopen(int(os.environ["PMI_FD"]), "r+b", 0)
second = sys.argv[1] == "2"


def line(words):
    link.write((words + "\n").encode())
    return link.readline().decode()


def framed(words):
    link.write(f"{len(words):<6}{words}".encode())
    return link.read(int(link.read(6))).decode()


def publish(name, value):
    return framed(f"cmd=name-publish;name={name};port={value};") if second else line(f"cmd=publish_name service={name} port={value}")


def look_up(name):
    """None: there is no such name."""
    said = framed(f"cmd=name-lookup;name={name};") if second else line(f"cmd=lookup_name service={name}")
    words = dict(word.split("=", 1) for word in said.strip().replace(";", " ").split() if "=" in word)
    return words.get("port")


line(f"cmd=init pmi_version={sys.argv[1]} pmi_subversion={0 if second else 1}")
if second:
    framed("cmd=fullinit;pmirank=0;threaded=FALSE;")
for step in sys.argv[2:]:
    verb, name, value = (step.split("=") + [None])[:3]
    if verb == "publish":
        publish(name, value)
    while verb == "until" and look_up(name) != value:
        time.sleep(0.05)
    print(step, flush=True)
framed("cmd=finalize;") if second else line("cmd=finalize")
