# SPDX-License-Identifier: MIT
"""What scripts share that test on this machine alone."""
import os
import signal
import time

from harness import *

PLAY = ["--transport", "local"]  # this machine plays many hosts, each with a relay of its own


# A rank and a child of its, in one process group, that say which signals come to them, and end after it as they are told.
# A signal to end comes with SIGCONT, for whoever is stopped: of that they speak only after SIGTSTP.
ANSWERS = r"""
import os, signal, sys, time
NAMES = "INT TERM HUP QUIT USR1 USR2 TSTP CONT".split()
pid = os.fork()
who = "rank" if pid else "child"
stopped = False
def answer(number, _):
    global stopped
    if number == signal.SIGCONT and not stopped:
        return
    stopped = number == signal.SIGTSTP
    os.write(1, f"{os.environ['LAUNCH_RANK']} {who} {signal.Signals(number).name[3:]}\n".encode())
    if number != signal.SIGTSTP:
        if pid:
            os.waitpid(pid, 0)
        os._exit(0)
for name in NAMES:
    signal.signal(getattr(signal, "SIG" + name), answer)
os.write(1, b"ready\n")
while True:
    time.sleep(10)
"""
SIGNALS = {signal.SIGINT: 0, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGQUIT: 0, signal.SIGUSR1: 0, signal.SIGUSR2: 0}


def every_process_group_gets(number, code, ranks, *words):
    """The rank and its child, each once and nothing else; the others of launch's answers are those of the README."""
    job = Job([LAUNCH, *words, "/usr/bin/python3", "-c", ANSWERS])
    eventually(lambda: not job.pump(0.1) or job.out.count(b"ready\n") == 2 * ranks, what="all to be ready")
    job.signal(number)
    names = [signal.Signals(number).name[3:]]
    if number == signal.SIGTSTP:
        eventually(lambda: proc(job.pid, "stat").rsplit(")", 1)[1].split()[0] == "T", what="launch to stop")
        time.sleep(0.2)
        job.signal(signal.SIGCONT)
        names.append("CONT")
    expect(job.wait(10), code=code, out_lines=["ready"] * 2 * ranks + [
        f"{rank} {who} {name}" for rank in range(ranks) for who in ("rank", "child") for name in names])


def launches_here():
    """The processes of launch on this machine."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.samefile(f"/proc/{pid}/exe", LAUNCH):
                found.append(pid)
        except OSError:
            pass
    return found


def children(pid):
    return [int(child) for child in proc(pid, f"task/{pid}/children").split()]


def no_cgroups(*argv):
    """As where this user may not make cgroups."""
    script = 'for at in /sys/fs/cgroup /sys/fs/cgroup/unified; do mount -o remount,bind,ro $at 2>/dev/null; done; exec "$@"'
    return ["unshare", "-m", "sh", "-c", script, "sh", *argv]


def kill_at_once(pids):
    """None of them has a turn between; and on a busy machine one that was told to die keeps its files locked until it has one."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in sorted(pids):
            os.kill(pid, number)
    eventually(lambda: all(has_died(pid) for pid in pids), 10, "them to die")


def has_died(pid):
    """With all its threads. It may not have been waited for yet."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return True
    return all(proc(pid, f"task/{thread}/stat").rpartition(")")[2].split()[:1] in ([], ["Z"]) for thread in threads)
