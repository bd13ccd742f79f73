# SPDX-License-Identifier: MIT
"""What runs on this machine, and what a hang may have to do with."""
import os
import subprocess

from harness import current
from harness.basics import MARK


def proc(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def all_pids():
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]


def private_kib(pid):
    """Of pages that no other process has; 0 if it is gone."""
    return sum(int(line.split()[1]) for line in proc(pid, "smaps_rollup").splitlines() if line.startswith("Private_"))


def peak_kib(pid):
    """The most that was resident, with what processes share; 0 if it is gone."""
    return next((int(line.split()[1]) for line in proc(pid, "status").splitlines() if line.startswith("VmHWM:")), 0)


def start_time(pid):
    stat = proc(pid, "stat")
    return stat.rsplit(")", 1)[1].split()[19] if stat else ""


def parent_of(pid):
    stat = proc(pid, "stat")
    return int(stat.rsplit(")", 1)[1].split()[1]) if stat else 0


def descendants_of(ancestor):
    parents = {pid: parent_of(pid) for pid in all_pids()}
    found, more = set(), {ancestor}
    while more:
        more = {pid for pid, parent in parents.items() if parent in more} - found
        found |= more
    return found


def describe(pid):
    return proc(pid, "cmdline").replace("\0", " ").strip() or proc(pid, "comm").strip() or "?"


def hosts_inits():
    """Ours if this process brought the hosts up: no part of any job."""
    return {child for init in (current.cluster.inits.values() if current.cluster else ()) for child in {init} | descendants_of(init)}


def processes():
    """The processes that a hang may concern, with what each waits for in the kernel."""
    table = subprocess.run(["ps", "-eo", "pid,ppid,pgid,sid,stat,wchan:24,etimes,args", "--forest"],
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    pids = [int(line.split()[0]) for line in table[1:]]
    mine = {os.getpid()} | {pid for pid in descendants_of(os.getpid()) if pid not in hosts_inits()}
    if current.cluster:
        mine |= {int(pid) for _, pid, _ in current.cluster.pids()}
    mine |= {pid for pid in pids if MARK in proc(pid, "environ").split("\0")}
    lines = ["--- processes", table[0]] + [line[:200] for line in table[1:] if int(line.split()[0]) in mine][:80]
    for pid in sorted(mine - {os.getpid()})[:40]:
        stack = proc(pid, "stack").strip()
        if stack:
            frames = " < ".join(line.split()[-1].split("+")[0] for line in stack.splitlines()[:6])
            lines.append(f"{pid} in the kernel: {frames}")
    return "\n".join(lines)
