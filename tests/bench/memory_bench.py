#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory of launch's head and relays while a job runs on many real hosts (the test cluster must be up).

    tests/bench/memory_bench.py HOSTFILE [launch options] PROGRAM...

Looks at every process of the executable, on all test hosts, again and again until the job ends, and tells the most that one
held for itself, and its proportional part of all (memory.py): of relays while they start others and while the ranks run.
"""
import os
import subprocess
import sys
import time

import memory

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAUNCH = os.environ.get("LAUNCH", os.path.join(ROOT, "launch"))
CLUSTER = os.path.join(ROOT, "tests/cluster/cluster")
PAUSE = 0.05


def sample(peaks, last):
    for relay, pid in memory.processes_of(LAUNCH):
        try:
            last[relay, pid] = memory.sizes(pid)
        except OSError:
            continue
        peaks[relay, pid] = last[relay, pid].most(peaks.get((relay, pid), memory.Sizes()))


def line(values, what):
    values = sorted(values, key=lambda each: each.private)
    together = sum(each.proportional for each in values) / len(values) / 1024
    return f"{what}: {len(values)} processes, largest {values[-1]}, median {values[len(values) // 2]}, mean part {together:.1f}"


def main():
    job = subprocess.Popen([CLUSTER, "run", LAUNCH, "-f", *sys.argv[1:]], stdout=subprocess.DEVNULL)
    peaks, last = {}, {}
    while job.poll() is None:
        sample(peaks, last)
        time.sleep(PAUSE)
    print("MiB private (proportional)")
    for relay, kind in ((False, "head"), (True, "relay")):
        for found, when in ((peaks, "at most"), (last, "at last")):
            values = [value for (is_relay, _), value in found.items() if is_relay == relay]
            if values:
                print(line(values, f"{kind}, {when}"))
    return job.returncode


if __name__ == "__main__":
    sys.exit(main())
