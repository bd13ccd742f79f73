# SPDX-License-Identifier: MIT
"""What processes of launch hold in memory, of all test hosts."""
import os

FIELDS = ("Private_Clean", "Private_Dirty", "Pss")


class Sizes:
    """KiB that are a process's own, and its proportional part of all that it has mapped: what it shares with n others counts
    one nth. Resident memory would count the program and its libraries again in each process."""

    def __init__(self, private=0, proportional=0):
        self.private, self.proportional = private, proportional

    def most(self, other):
        return Sizes(max(self.private, other.private), max(self.proportional, other.proportional))

    def __str__(self):
        return f"{self.private / 1024:.1f} ({self.proportional / 1024:.1f})"


def sizes_of(rollup):
    """From the text of a smaps_rollup."""
    found = dict.fromkeys(FIELDS, 0)
    for line in rollup.splitlines():
        name, _, value = line.partition(":")
        if name in found:
            found[name] = int(value.split()[0])
    return Sizes(found["Private_Clean"] + found["Private_Dirty"], found["Pss"])


def processes_of(executable):
    """Whether it is a relay, and the number, of each process of this executable."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.samefile(f"/proc/{pid}/exe", executable):
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    yield b"--relay" in file.read(), int(pid)
        except OSError:
            continue


def sizes(pid):
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return sizes_of(file.read())
