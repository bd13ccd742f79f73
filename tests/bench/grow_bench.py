#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What it costs to have more hosts join a tree that runs, beside the start of as many, and whether jobs that run feel it.

    tests/bench/grow_bench.py [--from 64] [--to 256] [--rounds 3]

Brings up the test cluster (needs root). In turn: the start of a session of the hosts that are to join; the start of one of the
first hosts, and `launch session add` of the others; the same by a rank of a job without a session (launch_modex_grow). While hosts
join, and as a measure while a second session starts instead, two ranks on the first and the last of the first hosts fence without
end: the longest that one fence took, and the median.
"""
import argparse
import ctypes
import datetime
import os
import platform
import signal
import statistics
import subprocess
import sys
import time

from session_bench import CLUSTER, ROOT, busy_seconds, median, run, told

SETTLED = 100  # fences after which links have moved to better ones
LIBRARY = os.path.join(ROOT, "build/release/client/liblaunch_modex.so.1")


def join():
    modex, job = ctypes.CDLL(LIBRARY), ctypes.c_void_p()
    if modex.launch_modex_init(ctypes.byref(job)):
        sys.exit("not started by launch")
    return modex, job


def fence_on():
    """A rank: fences until it is told to end, and says how long that took."""
    modex, job = join()
    took, ends = [], []
    signal.signal(signal.SIGUSR1, lambda *_: ends.append(True))
    stop = ctypes.create_string_buffer(1)
    for turn in range(1 << 30):
        begin = time.monotonic()
        modex.launch_modex_fence(job)
        took.append(1000 * (time.monotonic() - begin))
        if turn % 10 == 9:  # both stop after the same one
            if modex.launch_modex_rank(job) == 0:
                modex.launch_modex_put(job, b"%d" % turn, b"y" if ends else b"n", ctypes.c_size_t(1))
            modex.launch_modex_fence(job)
            modex.launch_modex_get(job, 0, b"%d" % turn, stop, ctypes.c_size_t(1), None)
            if stop.raw == b"y":
                break
        time.sleep(0.01)
    if modex.launch_modex_rank(job) == 0:
        took = took[SETTLED:] or took
        print(f"{statistics.median(took):.1f} {max(took):.1f}", flush=True)
    modex.launch_modex_finalize(job)


def grow(hosts):
    """A rank: has hosts join, and says how long that took, and the machine's CPU seconds."""
    modex, job = join()
    begin, cpu = time.monotonic(), busy_seconds()
    if modex.launch_modex_grow(job, hosts.encode()):
        sys.exit("not all have joined")
    print(time.monotonic() - begin, busy_seconds() - cpu, flush=True)
    modex.launch_modex_finalize(job)


def folded(names):
    """One after another: node[065-256]."""
    prefix = names[0].rstrip("0123456789")
    return f"{prefix}[{names[0][len(prefix):]}-{names[-1][len(prefix):]}]"


def rank(*words):
    return [sys.executable, os.path.abspath(__file__), "--rank", *words]


def session(launch, name, hosts):
    return run([launch, "session", "start", "--name", name, "-hosts", hosts])


def meanwhile(launch, ends, work):
    """What `work` returns, and the median and the longest fence of two ranks of the session."""
    job = subprocess.Popen([launch, "--session", "grow", "-hosts", ends, *rank("fence")], stdout=subprocess.PIPE, text=True)
    time.sleep(2)
    result = work()
    job.send_signal(signal.SIGUSR1)
    fences = job.communicate(timeout=60)[0].split()
    return result, tuple(map(float, fences))


def inside(args):
    """As the head of the test cluster."""
    launch = args.launch
    names = subprocess.run([CLUSTER, "hosts"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[:args.to]
    first, more = folded(names[:args.first]), folded(names[args.first:])
    ends = f"{names[0]},{names[args.first - 1]}"
    starts, adds, grows, calm, growing, starting = [], [], [], [], [], []
    for _ in range(args.rounds):
        starts.append(session(launch, "others", more))
        run([launch, "session", "stop", "others"])
        session(launch, "grow", first)
        try:
            calm.append(meanwhile(launch, ends, lambda: time.sleep(3))[1])
            starting.append(meanwhile(launch, ends, lambda: session(launch, "others", more))[1])
            run([launch, "session", "stop", "others"])
            added, felt = meanwhile(launch, ends, lambda: run([launch, "session", "add", "--session", "grow", more]))
            adds.append(added)
            growing.append(felt)
        finally:
            run([launch, "session", "stop", "grow"])
        job = subprocess.run([launch, "-hosts", first, "-n", str(args.first), "sh", "-c",
                              'test "$PMI_RANK" = 0 && exec "$@"; exec true', "sh", *rank("grow", more)],
                             stdout=subprocess.PIPE, text=True, check=True)
        grows.append(tuple(map(float, job.stdout.split())))
        told(f"start {starts[-1]}, add {adds[-1]}, grow {grows[-1]}, fences {calm[-1]} {starting[-1]} {growing[-1]}")
    print(f"{args.to - args.first} hosts, {platform.machine()}, {os.cpu_count()} cores for all of them, {datetime.date.today()}; "
          f"medians of {args.rounds}\n")
    print("| | wall s / CPU s | fences meanwhile: median / longest, ms |\n| --- | --- | --- |")
    rows = [("nothing", None, calm), (f"start of a session of {args.to - args.first}", starts, starting),
            (f"they join a session of {args.first}", adds, growing), (f"they join a job on {args.first}", grows, None)]
    for what, cost, fences in rows:
        print(f"| {what} | " + ("{:.1f} / {:.1f}".format(*median(cost)) if cost else "-") + " | " +
              ("{:.1f} / {:.0f}".format(*median(fences)) if fences else "-") + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", type=int, default=64, dest="first")
    parser.add_argument("--to", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--rank", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.rank:
        return fence_on() if args.rank[0] == "fence" else grow(args.rank[1])
    if args.inside:
        return inside(args)
    subprocess.run([CLUSTER, "up", str(args.to)], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run([CLUSTER, "run", sys.executable, os.path.abspath(__file__), "--inside", *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
