#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Start-up time of /bin/true on many real hosts: launch beside mpiexec.hydra (and others, where installed).

    tests/bench/start_bench.py [--hosts 900] [--rounds 3] [--launch ./launch] [--markdown]

Brings up the test cluster (needs root), runs the contenders in turn, and prints medians of wall seconds and of CPU
seconds of the whole machine (the test hosts share it, so that is client, server and daemons together).
"""
import argparse
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

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLUSTER = os.path.join(ROOT, "tests/cluster/cluster")


def busy_seconds():
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def measure(command, limit):
    begin, cpu = time.monotonic(), busy_seconds()
    try:
        done = subprocess.run([CLUSTER, "run", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit)
        code, lines = done.returncode, len(set(done.stdout.split()))
        error = done.stderr.decode(errors="replace").strip()[:200]
    except subprocess.TimeoutExpired:
        code, lines, error = "timeout", 0, ""
    return time.monotonic() - begin, busy_seconds() - cpu, code, lines, error


def contenders(args, hostfile, address):
    n = str(args.hosts)
    yield "launch -k 32", [args.launch, "-n", n, "-k", "32", "-f", hostfile, "hostname"]
    yield "launch (auto)", [args.launch, "-n", n, "-f", hostfile, "hostname"]
    if shutil.which("mpiexec.hydra"):
        yield "mpiexec.hydra, ssh's defaults", ["mpiexec.hydra", "-launcher", "ssh", "-localhost", address, "-n", n, "-f", hostfile, "hostname"]
        yield "mpiexec.hydra, curve25519", ["env", "HYDRA_LAUNCHER_EXTRA_ARGS=-oKexAlgorithms=curve25519-sha256",
                                            "mpiexec.hydra", "-launcher", "ssh", "-localhost", address, "-n", n, "-f", hostfile, "hostname"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=900)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--limit", type=float, default=240)
    args = parser.parse_args()
    subprocess.run([CLUSTER, "up", str(args.hosts)], check=True, stdout=subprocess.DEVNULL)
    hostfile = os.path.join(ROOT, "build", "bench-hosts")
    os.makedirs(os.path.dirname(hostfile), exist_ok=True)
    with open(hostfile, "w") as file:
        subprocess.run([CLUSTER, "hosts"], check=True, stdout=file)
    # Hydra's proxies connect back: they need an address of the head that they can reach.
    first = open(hostfile).readline().strip()
    route = subprocess.run(["ip", "route", "get", socket.gethostbyname(first)], check=True, stdout=subprocess.PIPE, text=True).stdout
    address = re.search(r"src (\S+)", route).group(1)
    results = {}
    for turn in range(args.rounds):
        for name, command in contenders(args, hostfile, address):
            wall, cpu, code, lines, error = measure(command, args.limit)
            print(f"# {name}: {wall:.2f} s wall, {cpu:.1f} s CPU, code {code}, {lines} host names {error}", file=sys.stderr)
            if code == 0 and lines == args.hosts:
                results.setdefault(name, []).append((wall, cpu))
            time.sleep(2)
    print(f"`hostname` on {args.hosts} hosts, {platform.machine()}, {os.cpu_count()} cores for all of them, "
          f"{datetime.date.today()}; medians of {args.rounds}\n")
    print("| launcher | wall s | CPU s |\n| --- | --- | --- |")
    for name, runs in results.items():
        print(f"| {name} | {statistics.median(w for w, _ in runs):.1f} | {statistics.median(c for _, c in runs):.1f} |")


if __name__ == "__main__":
    main()
