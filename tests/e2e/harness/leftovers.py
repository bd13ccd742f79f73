# SPDX-License-Identifier: MIT
"""What a test has left behind, here and on the hosts: processes, and what traces.py looks for."""
import contextlib
import os
import signal
import time

from harness import current
from harness.basics import LAUNCH, MARK
from harness.own_place import place
from harness.pace import allowed
from harness.processes import all_pids, descendants_of, describe, parent_of, proc, start_time
from harness.traces import host_inits, traces


class Snapshot:
    """What exists before a test, so that only what it added counts."""

    def __init__(self):
        self.processes = {(pid, start_time(pid)) for pid in all_pids()}
        self.inits = host_inits()
        self.traces = set(traces(self.inits))


def identity(path):
    try:
        status = os.stat(path)
        return status.st_dev, status.st_ino
    except OSError:
        return None


def stray(before):
    """[(pid, where)] of processes that the test left."""
    here = os.readlink("/proc/self/ns/pid")
    spaces = {}
    for host, init in (current.cluster.inits if current.cluster else {}).items():
        with contextlib.suppress(OSError):
            spaces[os.readlink(f"/proc/{init}/ns/pid")] = host
    on_hosts = {int(pid) for _, pid, _ in current.cluster.pids()} if current.cluster else set()
    executable = identity(LAUNCH)
    found = []
    reap_orphans()
    descendants = descendants_of(os.getpid())
    for pid in all_pids():
        if pid == os.getpid() or (pid, start_time(pid)) in before.processes:
            continue
        try:
            space = os.readlink(f"/proc/{pid}/ns/pid")
        except OSError:
            continue
        if space in spaces:
            if pid in on_hosts:
                found.append((pid, spaces[space]))
        else:
            words = proc(pid, "environ").split("\0")
            ours = MARK in words
            others = not ours and any(word.startswith("LAUNCH_TEST_ID=") for word in words)
            job = any(word.startswith("LAUNCH_JOB_ID=") for word in words)
            ran_launch = executable and identity(f"/proc/{pid}/exe") == executable
            # In a namespace that is neither this machine's nor a host's may be somebody else's hosts.
            likely = space == here and not others and (job or ran_launch)
            if pid in descendants or ours or (place.holds(pid) if place.cgroup else likely):
                found.append((pid, "this machine"))
    return found


def reap_orphans():
    """Zombies that became ours; what Popen waits for is left to it."""
    known = {job.pid for job in current.jobs}
    for pid in all_pids():
        if pid not in known and parent_of(pid) == os.getpid():
            with contextlib.suppress(OSError):
                os.waitpid(pid, os.WNOHANG)


def leftovers(before, grace=5.0):
    """Waits for the rest to end; says what is still there, and ends it."""
    deadline = time.monotonic() + allowed(grace)
    while True:
        strays = stray(before)
        more = {what: remove for what, remove in traces(before.inits).items() if what not in before.traces}
        if not (strays or more):
            return []
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    lines = [f"process {pid} on {where}: {describe(pid)}" for pid, where in strays] + sorted(more)
    for pid, _ in strays:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    for remove in more.values():
        with contextlib.suppress(OSError):
            remove()
    return lines
