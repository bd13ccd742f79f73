# SPDX-License-Identifier: MIT
"""What programs can leave that is no process: files, mounts, cgroups, what System V and POSIX name, sockets. Each function
says what there is now, as {what a message calls it: how to remove it}; here, and on every host."""
import contextlib
import ctypes
import functools
import os
import re
import shutil
import subprocess

from harness import current
from harness.own_place import NEWIPC, call, libc, place, syscall
from harness.processes import start_time

IPC_RMID = 0
# Where others work too, only these names can be ours: launch's, and those of the libraries of MPI and PMIx.
OURS = re.compile(r"launch|pmix|dstore|ompi|openmpi|prte|prun\b|vader_segment|sm_segment|mpich|psm\d|ucx_|libfabric|ofi_")


def spaces():
    """(name for messages, process in it): this machine, or the script's own place on it, and the hosts."""
    yield "", "self"
    for host, init in (current.cluster.inits if current.cluster else {}).items():
        yield host + ":", init


def remove_path(path):
    shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)


def files():
    found = {}
    for name, process in spaces():
        for folder in ("/tmp", "/dev/shm"):
            with contextlib.suppress(OSError):
                for entry in os.listdir(f"/proc/{process}/root{folder}"):
                    if process != "self" or place.is_private or OURS.search(entry):
                        found[f"file {name}{folder}/{entry}"] = functools.partial(remove_path, f"/proc/{process}/root{folder}/{entry}")
    # The hosts have this one in common with the machine, and so with everybody.
    for entry in os.listdir("/var/tmp"):
        if OURS.search(entry):
            found[f"file /var/tmp/{entry}"] = functools.partial(remove_path, f"/var/tmp/{entry}")
    for entry in os.listdir("/run/netns") if os.path.isdir("/run/netns") else ():
        found[f"network namespace {entry}"] = lambda: None
    return found


def cgroups():
    """Empty ones that launch made here or on the hosts; where a process is left in one, that is what counts."""
    names, found = [], {}
    for _, process in spaces():
        with contextlib.suppress(OSError):
            names.append((process, f"launch-{os.stat(f'/proc/{process}/ns/pid').st_ino}-"))
    for folder, _, inside in os.walk("/sys/fs/cgroup"):
        for process, prefix in names:
            foreign = process == "self" and place.cgroup and not (folder + "/").startswith(place.cgroup + "/")
            if not foreign and os.path.basename(folder).startswith(prefix) and "cgroup.events" in inside:
                with contextlib.suppress(OSError), open(f"{folder}/cgroup.events") as file:
                    if "populated 0" in file.read():
                        found[f"cgroup {folder}"] = functools.partial(os.rmdir, folder)
    return found


def unmount_there(process, target):
    subprocess.run(["nsenter", "-t", str(os.getpid() if process == "self" else process), "-m", "umount", "-l", target], stderr=subprocess.DEVNULL)


def mounts(inits):
    """But on hosts that have been made anew since `inits` were theirs: all they have is new."""
    found = {}
    for name, process in spaces():
        if process == "self" and not place.is_private or process != "self" and process not in inits:
            continue
        with contextlib.suppress(OSError), open(f"/proc/{process}/mountinfo") as file:
            for line in file:
                words = line.split()
                kind = words[words.index("-") + 1]
                found[f"mount {name}{words[4]} ({kind}, number {words[0]})"] = functools.partial(unmount_there, process, words[4])
    return found


def sockets():
    """Abstract ones: others are files. On this machine everybody's, so that the name must be like one of ours."""
    found = {}
    for name, process in spaces():
        with contextlib.suppress(OSError), open(f"/proc/{process}/net/unix", errors="replace") as file:
            for line in file:
                path = line.rstrip("\n").split(" ", 7)[-1].strip() if " @" in line else ""
                if path and (process != "self" or OURS.search(path)):
                    found[f"socket {name}{path[path.index('@'):]}"] = lambda: None
    return found


@contextlib.contextmanager
def ipc_of(process):
    """Within its namespace of what System V and POSIX name."""
    with open("/proc/self/ns/ipc") as mine, open(f"/proc/{process}/ns/ipc") as there:
        call("setns", there.fileno(), NEWIPC)
        try:
            yield
        finally:
            call("setns", mine.fileno(), NEWIPC)


KINDS = {"shm": ("shared memory", lambda number: libc.shmctl(number, IPC_RMID, None)),
         "sem": ("semaphores", lambda number: libc.semctl(number, 0, IPC_RMID)),
         "msg": ("message queue", lambda number: libc.msgctl(number, IPC_RMID, None))}


def remove_system_v(process, kind, number):
    with ipc_of(process):
        KINDS[kind][1](ctypes.c_int(number))


@functools.lru_cache(maxsize=None)
def queues_of(process, _):
    """A descriptor of the folder of POSIX message queues of its namespace, which is mounted nowhere; kept, as to make one
    takes milliseconds."""
    FSOPEN, FSCONFIG, FSMOUNT, CREATE = 430, 431, 432, 6
    with ipc_of(process):
        system = syscall(FSOPEN, b"mqueue", 0)
        try:
            syscall(FSCONFIG, system, CREATE, None, None, 0)
            return syscall(FSMOUNT, system, 0, 0)
        finally:
            os.close(system)


def shared_names():
    found = {}
    if not place.is_private:
        return found
    for name, process in spaces():
        with contextlib.suppress(FileNotFoundError), ipc_of(process):  # a host that has died
            for kind, (words, _) in KINDS.items():
                with open(f"/proc/sysvipc/{kind}") as file:
                    for line in file.readlines()[1:]:
                        number = int(line.split()[1])
                        found[f"{words} {name}{number} (System V)"] = functools.partial(remove_system_v, process, kind, number)
        with contextlib.suppress(FileNotFoundError):
            folder = queues_of(process, start_time(process))
            for entry in os.listdir(f"/proc/self/fd/{folder}"):
                found[f"message queue {name}/{entry} (POSIX)"] = functools.partial(os.unlink, entry, dir_fd=folder)
    return found


def host_inits():
    return set(current.cluster.inits.values()) if current.cluster else set()


def traces(inits):
    return {**mounts(inits), **files(), **cgroups(), **sockets(), **shared_names()}
