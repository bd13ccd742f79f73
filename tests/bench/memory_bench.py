#!/usr/bin/env python3
"""Resident memory of launch's head and relays while a job runs on many real hosts (the test cluster must be up).

    tests/bench/memory_bench.py HOSTFILE [launch options] PROGRAM...

Samples the high-water mark (VmHWM) of every process of the executable, on all test hosts, until the job ends.
"""
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAUNCH = os.environ.get("LAUNCH", os.path.join(ROOT, "launch"))
CLUSTER = os.path.join(ROOT, "tests/cluster/cluster")


def sample(peaks):
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if not os.path.samefile(f"/proc/{pid}/exe", LAUNCH):
                continue
            with open(f"/proc/{pid}/status") as file:
                fields = dict(line.split(":", 1) for line in file)
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                kind = "relay" if b"--relay" in file.read() else "head"
            peaks[kind, int(pid)] = int(fields["VmHWM"].split()[0])
        except (OSError, KeyError):
            pass


def main():
    job = subprocess.Popen([CLUSTER, "run", LAUNCH, "-f", *sys.argv[1:]], stdout=subprocess.DEVNULL)
    peaks = {}
    while job.poll() is None:
        sample(peaks)
        time.sleep(0.3)
    for kind in ("head", "relay"):
        values = sorted(value for (what, _), value in peaks.items() if what == kind)
        if values:
            print(f"{kind}: {len(values)} processes, largest {values[-1] / 1024:.1f} MiB, "
                  f"median {values[len(values) // 2] / 1024:.1f} MiB")
    return job.returncode


if __name__ == "__main__":
    sys.exit(main())
