#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a job of a session feels of another one that prints much, on the same hosts.

    tests/bench/neighbour_bench.py [--hosts 16] [--size 1024] [--rounds 5]

Brings up the test cluster (needs root). A rank on each of all hosts fences without end: alone; while a job with a rank on each
of all hosts prints `--size` MiB in all to /dev/null; and, as a measure of what the processors alone do to it, while the same job
writes as much to its own /dev/null. Median and longest fence, and the seconds that the printing took, with and without fences.
"""
import argparse
import datetime
import os
import platform
import signal
import statistics
import subprocess
import sys
import time

from grow_bench import CLUSTER, ROOT, rank
from session_bench import run, told

NAME = "neighbours"


def printers(hosts, size, where):
    """A command whose ranks write so many MiB in all."""
    each = (size << 20) // hosts
    return ["-n", str(hosts), "-ppn", "1", "sh", "-c", f"exec head -c {each} /dev/zero {where}"]


def fences_while(launch, hosts, work):
    """The median and the longest of the fences meanwhile, in ms."""
    job = subprocess.Popen([launch, "--session", NAME, "-n", str(hosts), "-ppn", "1", *rank("fence")], stdout=subprocess.PIPE, text=True)
    time.sleep(3)
    result = work()
    job.send_signal(signal.SIGUSR1)
    middle, longest = map(float, job.communicate(timeout=120)[0].split())
    return result, middle, longest


def printed(launch, hosts, size, where=""):
    begin = time.monotonic()
    subprocess.run([launch, "--session", NAME, *printers(hosts, size, where)], stdout=subprocess.DEVNULL, check=True)
    return time.monotonic() - begin


def inside(args):
    """As the head of the test cluster."""
    launch, hosts = args.launch, args.hosts
    names = subprocess.run([CLUSTER, "hosts"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[:hosts]
    run([launch, "session", "start", "--name", NAME, "-hosts", ",".join(f"{name}:2" for name in names)])
    cases = {
        "nothing": lambda: time.sleep(5),
        "a job that writes as much on its hosts": lambda: printed(launch, hosts, args.size, ">/dev/null"),
        "a job that prints": lambda: printed(launch, hosts, args.size),
    }
    alone, found = [], {name: [] for name in cases}
    try:
        for _ in range(args.rounds):
            alone.append(printed(launch, hosts, args.size))
            for name, work in cases.items():
                found[name].append(fences_while(launch, hosts, work))
                told(f"{name}: {found[name][-1]}")
    finally:
        run([launch, "session", "stop", NAME])
    print(f"{hosts} hosts, {args.size} MiB printed, {platform.machine()}, {os.cpu_count()} cores for all of them, "
          f"{datetime.date.today()}; medians of {args.rounds}; the printing alone takes {statistics.median(alone):.1f} s\n")
    print("| beside | a fence: median / longest, ms | that job's s |\n| --- | --- | --- |")
    for name, rounds in found.items():
        seconds = [result for result, _, _ in rounds if result is not None]
        took = f"{statistics.median(seconds):.1f}" if seconds else "-"
        print(f"| {name} | {statistics.median(middle for _, middle, _ in rounds):.1f} / "
              f"{statistics.median(longest for _, _, longest in rounds):.0f} | {took} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=16)
    parser.add_argument("--size", type=int, default=1024, help="MiB that are printed, by all ranks together")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        return inside(args)
    subprocess.run([CLUSTER, "up", str(args.hosts), "--at-least"], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run([CLUSTER, "run", sys.executable, os.path.abspath(__file__), "--inside", *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
