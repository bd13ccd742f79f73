#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A file to many real hosts: launch --stage beside a loop of scp and clush --copy.

    tests/bench/stage_bench.py [--hosts 64] [--megabytes 64] [--rounds 1] [--launch ./launch]

Brings up the test cluster (needs root), runs the contenders in turn, and prints wall seconds, CPU seconds of the whole
machine (the test hosts share it: client, server and daemons together) and what left the head, as its link to the hosts
counts it. scp speaks its old protocol, as the hosts have no sftp server. Each host's /tmp is memory: 64 x 64 MB take 4 GB.
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

from start_bench import CLUSTER, ROOT, busy_seconds


def hosts_of(count):
    subprocess.run([CLUSTER, "up", str(count), "--at-least"], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run([CLUSTER, "hosts"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[:count]


def head_link(host):
    """The head's network device that leads to the hosts."""
    address = socket.gethostbyname(host)
    route = subprocess.run(["ip", "route", "get", address], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"dev (\S+)", route).group(1)


def sent_bytes(device):
    with open(f"/sys/class/net/{device}/statistics/tx_bytes") as file:
        return int(file.read())


def contenders(args, hosts, file):
    names = ",".join(hosts)
    for degree in (2, 8, 32):
        yield f"`launch --stage`, -k {degree}", [args.launch, "-k", str(degree), "-hosts", names, "--stage", f"{file}:/tmp/copy", "--stage-keep", "true"]
    yield "scp -O, 32 at once", ["sh", "-c", f"printf '%s\\n' {' '.join(hosts)} | xargs -P 32 -I H scp -O -q {file} H:/tmp/copy"]
    if shutil.which("clush"):
        yield "clush --copy", ["clush", "-O", "scp_options=-O", "-f", "32", "-w", names, "--copy", file, "--dest", "/tmp/copy"]


def measure(command, device, limit):
    begin, cpu, sent = time.monotonic(), busy_seconds(), sent_bytes(device)
    done = subprocess.run([CLUSTER, "run", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=limit)
    return time.monotonic() - begin, busy_seconds() - cpu, sent_bytes(device) - sent, done


def copies(hosts, size):
    """How many hosts have it; they have not, afterwards."""
    count = 0
    for host in hosts:
        shown = subprocess.run([CLUSTER, "exec", host, "sh", "-c", "stat -c %s /tmp/copy; rm -f /tmp/copy"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True).stdout
        count += shown.strip() == str(size)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--megabytes", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--limit", type=float, default=300)
    args = parser.parse_args()
    hosts = hosts_of(args.hosts)
    device, size = head_link(hosts[0]), args.megabytes * 1_000_000
    file = os.path.join(ROOT, "build", "bench-file")
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "wb") as out:
        for _ in range(args.megabytes):
            out.write(os.urandom(1_000_000))
    results = {}
    for _ in range(args.rounds):
        for name, command in contenders(args, hosts, file):
            wall, cpu, sent, done = measure(command, device, args.limit)
            arrived = copies(hosts, size)
            print(f"# {name}: {wall:.1f} s wall, {cpu:.1f} s CPU, {sent / 1e6:.0f} MB, code {done.returncode}, {arrived} copies "
                  f"{done.stderr.decode(errors='replace').strip()[:200]}", file=sys.stderr)
            if done.returncode == 0 and arrived == len(hosts):
                results.setdefault(name, []).append((wall, cpu, sent / 1e6))
            time.sleep(1)
    os.unlink(file)
    print(f"{args.megabytes} MB to {len(hosts)} hosts, {platform.machine()}, {os.cpu_count()} cores for all of them, "
          f"{datetime.date.today()}; medians of {args.rounds}\n")
    print("| | wall s | CPU s | MB from the head |\n| --- | --- | --- | --- |")
    for name, runs in results.items():
        wall, cpu, sent = (statistics.median(column) for column in zip(*runs))
        print(f"| {name} | {wall:.1f} | {cpu:.1f} | {sent:.0f} |")


if __name__ == "__main__":
    main()
