# SPDX-License-Identifier: MIT
"""A place of its own on this machine for a test script and all that it starts, as the test hosts have one each: /tmp, /dev/shm,
what System V and POSIX name across processes, and a cgroup. What is new in there is the tests', and others who work on this
machine see none of it. Where that needs rights that are not to be had, the script shares the machine's."""
import atexit
import contextlib
import ctypes
import os
import re

from harness.basics import HELPERS, LAUNCH, SOURCE_DIR

libc = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWIPC = 0x20000, 0x8000000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18

FOLDERS = ("/tmp", "/dev/shm")  # that become private
CGROUP = f"tests-of-launch-{os.stat('/proc/self/ns/pid').st_ino}-"  # lanes share the tree of cgroups


def call(name, *arguments):
    """A function of the C library that answers -1 and errno."""
    answer = getattr(libc, name)(*arguments)
    if answer == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return answer


def syscall(*arguments):
    """One that the C library has no name for."""
    return call("syscall", *(ctypes.c_long(word) if isinstance(word, int) else word for word in arguments))


def mount(source, target, kind=None, flags=0, data=None):
    source, target, kind, data = (text.encode() if text else None for text in (source, target, kind, data))
    call("mount", source, target, kind, ctypes.c_ulong(flags), data)


def below(path, folders):
    return any(path.startswith(folder + "/") for folder in folders)


class OwnPlace:
    def __init__(self):
        self.is_private = False
        self.outside = []  # words that come before a command which is not to run in here: what makes hosts
        self.cgroup = None

    def enter(self):
        """At most once, before there are threads."""
        if self.outside or os.geteuid() != 0:
            return
        there = os.open("/proc/self/ns/mnt", os.O_RDONLY)
        spaces = os.open("/proc/self/ns/ipc", os.O_RDONLY)
        cgroup = self.enter_cgroup()
        try:
            call("unshare", NEWNS | NEWIPC)
        except OSError:
            os.close(there)
            os.close(spaces)
            return
        self.is_private = True
        self.hide()
        me = f"/proc/{os.getpid()}/fd"
        self.outside = ["nsenter", f"--mount={me}/{there}", f"--ipc={me}/{spaces}", "--"]
        if cgroup:
            self.outside += ["sh", "-c", 'echo $$ > "$0/cgroup.procs"; exec "$@"', cgroup]

    def hide(self):
        """What of the project lies in the folders that become private stays where it is."""
        mount(None, "/", flags=MS_REC | MS_PRIVATE)
        needed = [path for path in (SOURCE_DIR, os.path.dirname(os.path.abspath(HELPERS)), os.path.dirname(os.path.abspath(LAUNCH)),
                                    os.environ.get("LAUNCH_CLUSTER", "")) if below(path, FOLDERS) and os.path.isdir(path)]
        shown = [(path, os.open(path, os.O_PATH)) for path in needed]
        for folder in FOLDERS:
            mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777")
        for path, descriptor in shown:
            os.makedirs(path, exist_ok=True)
            mount(f"/proc/self/fd/{descriptor}", path, flags=MS_BIND | MS_REC)
            os.close(descriptor)

    def enter_cgroup(self):
        """Of cgroup v2, below the one we are in, whose folder is returned."""
        with open("/proc/self/cgroup") as file:
            own = [line[3:].strip().rstrip("/") for line in file if line.startswith("0::/")]
        for mounted in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
            above = f"{mounted}{own[0]}" if own else ""
            if not os.access(f"{above}/cgroup.procs", os.W_OK):
                continue
            remove_old(above)
            folder = f"{above}/{CGROUP}{os.getpid()}"
            try:
                os.mkdir(folder)
                with open(f"{folder}/cgroup.procs", "w") as file:
                    file.write("0")
            except OSError:
                continue
            self.cgroup = folder
            atexit.register(self.leave_cgroup, above, os.getpid())
            return above
        return None

    def holds(self, pid):
        """Whether the process is in our cgroup, as is all that was started from here."""
        try:
            with open(f"/proc/{pid}/cgroup") as file:
                return re.search(rf"(?m)^0::.*/{os.path.basename(self.cgroup)}(/|$)", file.read()) is not None
        except OSError:
            return False

    def leave_cgroup(self, above, pid):
        if os.getpid() == pid:
            with contextlib.suppress(OSError):
                with open(f"{above}/cgroup.procs", "w") as file:
                    file.write("0")
                remove(self.cgroup)


def remove(folder):
    for inside, _, _ in os.walk(folder, topdown=False):
        os.rmdir(inside)


def remove_old(above):
    """Of scripts that were killed."""
    for name in os.listdir(above):
        pid = name[len(CGROUP):]
        if name.startswith(CGROUP) and pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
            with contextlib.suppress(OSError):
                remove(f"{above}/{name}")


place = OwnPlace()
