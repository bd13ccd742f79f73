"""What a test has left behind: processes, files and cgroups, here and on the hosts."""
import contextlib
import os
import shutil
import signal
import time

from harness import current
from harness.basics import LAUNCH, MARK
from harness.processes import all_pids, descendants_of, describe, parent_of, proc, start_time


class Snapshot:
    """What exists before a test, so that only what it added counts."""

    def __init__(self):
        self.processes = {(pid, start_time(pid)) for pid in all_pids()}
        self.files = set(files())
        self.cgroups = set(cgroups())


def identity(path):
    try:
        status = os.stat(path)
        return status.st_dev, status.st_ino
    except OSError:
        return None


def files():
    """In this machine's and the hosts' directories for temporary files. Here only names with `launch` in them count:
    others work here too."""
    for folder in ("/tmp", "/dev/shm"):
        for name in os.listdir(folder):
            if "launch" in name:
                yield f"{folder}/{name}"
        for host, init in (current.cluster.inits if current.cluster else {}).items():
            with contextlib.suppress(OSError):
                for name in os.listdir(f"/proc/{init}/root{folder}"):
                    yield f"{host}:{folder}/{name}"


def cgroups():
    """Empty ones that launch made here or on the hosts. Others work here too, theirs are in use; and where a process is
    left in one, that is what counts."""
    spaces = ["self", *(current.cluster.inits.values() if current.cluster else ())]
    names = set()
    for pid in spaces:
        with contextlib.suppress(OSError):
            names.add(f"launch-{os.stat(f'/proc/{pid}/ns/pid').st_ino}-")
    for folder, _, files_in_it in os.walk("/sys/fs/cgroup"):
        if os.path.basename(folder).startswith(tuple(names)) and "cgroup.events" in files_in_it:
            with contextlib.suppress(OSError), open(f"{folder}/cgroup.events") as file:
                if "populated 0" in file.read():
                    yield folder


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
        elif space == here:
            words = proc(pid, "environ").split("\0")
            ours = MARK in words
            others = not ours and any(word.startswith("LAUNCH_TEST_ID=") for word in words)
            job = any(word.startswith("LAUNCH_JOB_ID=") for word in words)
            ran_launch = executable and identity(f"/proc/{pid}/exe") == executable
            if pid in descendants or not others and (ours or job or ran_launch):
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
    deadline = time.monotonic() + grace
    while True:
        strays = stray(before)
        paths = [f"file {path}" for path in sorted(set(files()) - before.files)]
        groups = [f"cgroup {path}" for path in sorted(set(cgroups()) - before.cgroups)]
        if not (strays or paths or groups):
            return []
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    lines = [f"process {pid} on {where}: {describe(pid)}" for pid, where in strays] + paths + groups
    for pid, _ in strays:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    for path in set(files()) - before.files:
        host, _, inside = path.rpartition(":")
        path = f"/proc/{current.cluster.inits[host]}/root{inside}" if host else path
        with contextlib.suppress(OSError):
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    return lines
