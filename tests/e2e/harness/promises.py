# SPDX-License-Identifier: MIT
"""What the README and the guide promise in numbers, each with its words, and what a test allows beyond it: the margins that a machine
gets whose two cores run all hosts, a fraction of what they are added to, so that a real change for the worse is found."""
import dataclasses
import glob
import os

from harness.basics import SOURCE_DIR, fail


@dataclasses.dataclass(frozen=True)
class Promise:
    value: float
    words: str  # of the README or the guide, line ends apart; {} is the number


LIVENESS = Promise(4, "or a cut cable, is noticed in {} s (`--liveness`)")
START_LIVENESS = Promise(16, "or in {} s while hosts are still being started")
HEAD_LIVENESS = Promise(33, "If the head is silent for good, hosts notice in {} s")
HEAD_AWAY = Promise(30, "finds its job as it left it if that takes no longer than {} s")
KILL_GRACE = Promise(5, "TERM and HUP are followed by KILL after `--kill-grace` ({} s).")
SILENT_START = Promise(5, "a start of {} s in which launch has said nothing gets one note")
CONNECT = Promise(10, "A host must answer in {} s (`--connect-timeout`)")
RELAY_MIB = Promise(3.1, "at most {} MiB in a relay")
HEAD_MIB = Promise(3.5, "{} MiB in the head")
DIRECT_LINK_MIB = Promise(0.5, "Direct links cost a relay about {} MiB of its own")

# Not promised: how long a host that no longer answers may take to come back over another link before it is given up;
# after SIGKILL a rank until it is given up; and what it left each process of launch above it, worker or guard, which all
# become its parent in turn. And what links hold for ranks whose output nobody reads.
RETURN = 2.5
STUCK = 2.5
HOPELESS = 0.5
FLOW_CONTROL_MIB = 1.5
# Nor what of the program and its libraries is mapped at most, which processes share: only a peak counts it in.
CODE_MIB = 9
CODE = {"core/link/patience.hpp": [f"come_back{{{RETURN * 1000:g}}}", f"killed_output{{{HOPELESS * 1000:g}}}",
                                   f"killed{{{(STUCK - HOPELESS) * 1000:g}}}"],
        "core/process/guard.cpp": [f"patient_rounds = {HOPELESS * 100:g}"]}

MARGIN = 2.0  # s: for the end of all hosts of a test
MARGIN_MIB = 1.5  # what the allocator keeps


def end_after_loss(liveness=LIVENESS.value, starting=False):
    """Seconds from a cut cable, or a host's death, to the end of launch."""
    beat = liveness / 4  # by which those below may notice later that it is silent
    return liveness * (START_LIVENESS.value / LIVENESS.value if starting else 1) + beat + RETURN + MARGIN


def clean_without_head(liveness=LIVENESS.value):
    """Seconds until nothing is left on a host that is cut off from the head."""
    return liveness * HEAD_LIVENESS.value / LIVENESS.value + RETURN + MARGIN


def end_without_stuck(grace, above):
    """Seconds until launch has left a rank that no signal ends, with so many of its processes above that rank."""
    return grace + STUCK + above * HOPELESS + MARGIN


END_AFTER_KILL = RETURN + MARGIN  # of a relay: its connection ends at once


def most_kib(promise, direct=True, flow=True):
    """Of its own, in a relay or the head; with direct links if it may have any, and with ranks that write, or are sent, a lot."""
    more = (DIRECT_LINK_MIB.value if direct else 0) + (FLOW_CONTROL_MIB if flow else 0)
    return int(1024 * (promise.value + more + MARGIN_MIB))


def most_resident_kib(promise):
    """The same, at the peak of what was resident, which is known when all is over."""
    return most_kib(promise) + CODE_MIB * 1024


def check():
    """The README or the guide says so, and the code that they do not tell of has these numbers."""
    text = ""
    for path in [os.path.join(SOURCE_DIR, "README.md"), *glob.glob(os.path.join(SOURCE_DIR, "cmd/guide/topics/*.md"))]:
        with open(path) as file:
            text += " ".join(file.read().split()) + "\n"
    for name, promise in globals().items():
        if isinstance(promise, Promise) and promise.words.format(f"{promise.value:g}") not in text:
            fail(f"{name}: nothing says {promise.words.format(f'{promise.value:g}')!r}")
    for path, numbers in CODE.items():
        with open(os.path.join(SOURCE_DIR, path)) as file:
            text = file.read()
        for number in numbers:
            if number not in text:
                fail(f"{path} has no {number}")
