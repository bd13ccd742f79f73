#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Jobs in a session, beside the same job started over ssh each time, and beside mpiexec.hydra.

    tests/bench/session_bench.py [--hosts 64 256 900] [--rounds 11] [--jobs 1000] [--jobs-by-ssh 50] [--side 100] [--idle 20]

Brings up the test cluster (needs root). Of each number of hosts: the start of a session, `true` on all of them in it (wall as a
shell sees it, medians), the same over ssh, what the session's relays and its holder hold in memory, and what they cost when
idle. On the first number of hosts also `--jobs` jobs one after another and `--side` at once, with the memory before and after.
"""
import argparse
import collections
import datetime
import os
import platform
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time

import memory as in_memory

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLUSTER = os.path.join(ROOT, "tests/cluster/cluster")
NAME = "bench"
TICK = os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Of the whole machine, which all test hosts share."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / TICK


def run(words, limit=300):
    begin, cpu = time.monotonic(), busy_seconds()
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=limit)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}: {done.stdout.decode(errors='replace')[:500]}")
    return time.monotonic() - begin, busy_seconds() - cpu


Process = collections.namedtuple("Process", "kind cpu sizes")


def processes(launch):
    """Those of the session: its relays with their guards, and its holder."""
    found = {}
    for is_relay, pid in in_memory.processes_of(launch):
        try:
            with open(f"/proc/{pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            cpu = (int(fields[11]) + int(fields[12])) / TICK
            found[pid] = Process("relay" if is_relay else "holder", cpu, in_memory.sizes(pid))
        except (OSError, IndexError):
            continue
    return found


def memory(launch):
    """The most of each kind."""
    largest = {}
    for process in processes(launch).values():
        largest[process.kind] = process.sizes.most(largest.get(process.kind, in_memory.Sizes()))
    return largest


def idle_share(launch, seconds):
    """Per cent of a core that a host's relay costs, guard included, on the average; and the holder."""
    before = processes(launch)
    time.sleep(seconds)
    after = processes(launch)
    spent = collections.defaultdict(float)
    count = collections.Counter()
    for pid in before.keys() & after.keys():
        spent[after[pid].kind] += after[pid].cpu - before[pid].cpu
        count[after[pid].kind] += 1
    hosts = max(1, count["relay"] // 2)
    return 100 * spent["relay"] / hosts / seconds, 100 * spent["holder"] / seconds


def told(text):
    print(f"# {text}", file=sys.stderr, flush=True)


def median(runs):
    return tuple(statistics.median(each) for each in zip(*runs))


def of_size(args, hosts, hostfile, address):
    launch, n = args.launch, str(hosts)
    by_ssh = median([run([launch, "-n", n, "-f", hostfile, "true"]) for _ in range(args.ssh_rounds)])
    told(f"{hosts} hosts over ssh: {by_ssh}")
    hydra = None
    if shutil.which("mpiexec.hydra"):
        hydra = run(["mpiexec.hydra", "-launcher", "ssh", "-localhost", address, "-n", n, "-f", hostfile, "true"])
        told(f"{hosts} hosts by Hydra: {hydra}")
    start = run([launch, "session", "start", "--name", NAME, "-f", hostfile])
    told(f"{hosts} hosts, start of the session: {start}")
    try:
        time.sleep(args.settle)
        warm = [run([launch, "--session", NAME, "-n", n, "true"]) for _ in range(args.rounds)]
        told(f"{hosts} hosts, in the session: {sorted(round(wall, 3) for wall, _ in warm)}")
        share = idle_share(launch, args.idle)
        sizes = memory(launch)
        print(f"| {hosts} | {median(warm)[0]:.3f} / {median(warm)[1]:.2f} | {min(warm)[0]:.3f} | {start[0]:.1f} / {start[1]:.1f} | "
              f"{by_ssh[0]:.1f} / {by_ssh[1]:.1f} | " + (f"{hydra[0]:.1f} / {hydra[1]:.1f}" if hydra else "-") +
              f" | {sizes.get('relay', '-')} | {sizes.get('holder', '-')} | {share[0]:.3f} | {share[1]:.2f} |", flush=True)
        return many_jobs(args, n, hostfile) if hosts == args.hosts[0] else []
    finally:
        subprocess.run([launch, "session", "stop", NAME], stdout=subprocess.DEVNULL)


def many_jobs(args, n, hostfile):
    """Lines for below the table."""
    launch, lines = args.launch, []
    before = memory(launch)
    begin = time.monotonic()
    for _ in range(args.jobs):
        run([launch, "--session", NAME, "-n", n, "true"])
    took = time.monotonic() - begin
    after = memory(launch)
    lines.append(f"{args.jobs} jobs of {n} ranks, one after another: {took:.1f} s, {args.jobs / took:.1f} a second; memory before: "
                 f"relay {before.get('relay', '-')}, holder {before.get('holder', '-')}, after: "
                 f"relay {after.get('relay', '-')}, holder {after.get('holder', '-')}")
    begin = time.monotonic()
    for _ in range(args.jobs_by_ssh):
        run([launch, "-n", n, "-f", hostfile, "true"])
    if args.jobs_by_ssh:
        took = time.monotonic() - begin
        lines.append(f"{args.jobs_by_ssh} such jobs over ssh each time: {took:.1f} s, {args.jobs_by_ssh / took:.2f} a second")
    begin = time.monotonic()
    children = [subprocess.Popen([launch, "--session", NAME, "--share", "-n", n, "true"], stdin=subprocess.DEVNULL)
                for _ in range(args.side)]
    failed = sum(child.wait(timeout=300) != 0 for child in children)
    took = time.monotonic() - begin
    after = memory(launch)
    lines.append(f"{args.side} such jobs at once: {took:.1f} s, {failed} failed; memory after: "
                 f"relay {after.get('relay', '-')}, holder {after.get('holder', '-')}")
    return lines


def inside(args):
    """As the head of the test cluster, so that its start is in no figure."""
    print(f"`true` on each of so many hosts, {platform.machine()}, {os.cpu_count()} cores for all of them, "
          f"{datetime.date.today()}; wall s / CPU s of the machine, medians of {args.rounds}; memory: the most, MiB private (proportional)\n")
    print("| hosts | in a session | its best | the session's start | launch over ssh | Hydra | relay MiB | holder MiB | "
          "a relay idle, % of a core | holder idle |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    lines = []
    for hosts in args.hosts:
        hostfile = os.path.join(ROOT, "build", f"bench-hosts-{hosts}")
        first = open(hostfile).readline().strip()
        route = subprocess.run(["ip", "route", "get", socket.gethostbyname(first)], check=True, stdout=subprocess.PIPE, text=True)
        lines += of_size(args, hosts, hostfile, re.search(r"src (\S+)", route.stdout).group(1))
    print("\n" + "\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, nargs="+", default=[64, 256, 900])
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--ssh-rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1000)
    parser.add_argument("--jobs-by-ssh", type=int, default=50, help="for the same number a second, without a session")
    parser.add_argument("--side", type=int, default=100)
    parser.add_argument("--idle", type=float, default=20)
    parser.add_argument("--settle", type=float, default=3, help="seconds from the session's start to its first job")
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        return inside(args)
    os.makedirs(os.path.join(ROOT, "build"), exist_ok=True)
    subprocess.run([CLUSTER, "up", str(max(args.hosts))], check=True, stdout=subprocess.DEVNULL)
    names = subprocess.run([CLUSTER, "hosts"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    for hosts in args.hosts:
        with open(os.path.join(ROOT, "build", f"bench-hosts-{hosts}"), "w") as file:
            file.write("\n".join(names[:hosts]) + "\n")
    return subprocess.run([CLUSTER, "run", sys.executable, os.path.abspath(__file__), "--inside", *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
