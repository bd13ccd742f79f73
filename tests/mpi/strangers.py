# SPDX-License-Identifier: MIT
"""strangers.py PROGRAM...: as a rank that was given PMI_PORT; others come to the port before the program does, and while
it has its connection. Says what became of each; ends as the program does."""
import os
import socket
import subprocess
import sys
import time

host, port = os.environ["PMI_PORT"].split(":")
mine = os.environ["PMI_ID"]


def come(words):
    guest = socket.create_connection((host, int(port)))
    guest.sendall(words)
    return guest


def tell(name, guest, patience=3):
    guest.settimeout(patience)
    try:
        print(name, "answered" if guest.recv(100) else "closed", flush=True)
    except ConnectionResetError:
        print(name, "closed", flush=True)
    except TimeoutError:
        print(name, "waits", flush=True)


silent = [come(b"") for _ in range(3)]
tell("rubbish", come(b"\x7fELF\n"))
tell("another id", come(b"cmd=initack pmiid=%d\n" % (int(mine) ^ 1)))
tell("the rank as id", come(b"cmd=initack pmiid=0\n"))
tell("silent", silent[0], 0.1)
program = subprocess.Popen(sys.argv[1:])
time.sleep(0.5)
tell("the second", come(b"cmd=initack pmiid=%s\n" % mine.encode()))
code = program.wait()
tell("long silent", silent[1], 10)
sys.exit(code)
