# SPDX-License-Identifier: MIT
"""The blocks of a README, or of a page of the guide, that its test finds by a comment before them, and runs as they stand
there."""
import os
import re
import subprocess

from harness import HELPERS, LAUNCH, SOURCE_DIR, expect, fail, run

# Programs that examples name, and that are nobody's.
PROGRAMS = ("app", "master", "worker")
# What may speak on standard error: it says so itself, or an example shows how it fails.
SPEAKS = ("||", "--stats", "--report-bindings", "pmi:trace", "RTMIN", "# waits")


class Readme:
    def __init__(self, path):
        self.path = path
        with open(os.path.join(SOURCE_DIR, path)) as file:
            self.text = file.read()

    def block(self, kind):
        """All of that kind, one after the other."""
        found = re.findall(rf"<!-- {kind} -->\n```\w+\n(.*?)```", self.text, re.S)
        if not found:
            fail(f"no block {kind!r} in {self.path}")
        return "".join(found)

    def lines(self, kind):
        return self.block(kind).strip().splitlines()

    def files(self):
        """Those that it shows, by name."""
        return dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", self.text, re.S))

    def kinds(self):
        """Of each block of commands, what the comment before it says; None where there is none."""
        return [found or None for found in re.findall(r"(?:<!-- examples: (.*) -->\n)?```sh\n", self.text)]

    def commands(self, kind):
        """The lines of the examples of that kind, if there are any; what goes on in the next line is one."""
        found = []
        for line in self.lines(f"examples: {kind}") if kind in self.kinds() else []:
            if found and not is_complete(found[-1]):
                found[-1] += "\n" + line
            else:
                found.append(line)
        return found


def is_complete(command):
    return not command.endswith("\\") and subprocess.run(["bash", "-n", "-c", command], stderr=subprocess.DEVNULL).returncode == 0


def in_folder(line, folder, **options):
    """Runs an example with ./launch meaning the executable under test."""
    print("   ", line)
    return run(["bash", "-c", line.replace("./launch ", LAUNCH + " ")], cwd=folder, **options)


def run_example(command, folder):
    """As a user has it who has launch in PATH: it succeeds, says nothing on standard error, and prints what it says."""
    print("   ", command)
    result = run(["bash", "-c", command], cwd=folder, env={"PATH": os.path.dirname(LAUNCH) + ":" + os.environ["PATH"]})
    expect(result, err=None if any(word in command for word in SPEAKS) else "")
    printed = re.search(r"# prints (\S+)$", command)
    if printed and result.lines[-1:] != [printed[1]]:
        fail(f"it does not print {printed[1]}\n{result}")
    return result


def write_programs(folder):
    for name in PROGRAMS:
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(f"#!/bin/sh\necho {name} $LAUNCH_RANK\n")
        os.chmod(path, 0o755)


def like_checkout(folder):
    """What the commands of READMEs see: the checkout, with this build as the released one."""
    os.symlink(os.path.join(SOURCE_DIR, "modex"), os.path.join(folder, "modex"))
    os.mkdir(os.path.join(folder, "build"))
    os.symlink(os.path.dirname(HELPERS), os.path.join(folder, "build/release"))
