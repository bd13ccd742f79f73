# SPDX-License-Identifier: MIT
"""A job on hosts that something happens to, and what its nodes told."""
import contextlib
import json
import os
import signal
import time

from harness.basics import LAUNCH, fail
from harness.job import Job, eventually
from harness.processes import descendants_of, parent_of, proc


def launch_pids(cluster, host):
    """A relay's guard, then its worker, which the guard started. (Not by their numbers: those begin again.)"""
    return children_last([int(pid) for name, pid, command in cluster.pids(host)
                          if "--relay" in command and not command.startswith("/bin/sh ")])  # which looks at launch before it runs it


def children_last(pids):
    def ancestors(pid):
        parent = parent_of(pid)
        return 1 + ancestors(parent) if parent in pids else 0
    return sorted(pids, key=ancestors)


def kill_relay(cluster, host):
    """The worker; its guard, which started it, ends what is left."""
    os.kill(launch_pids(cluster, host)[-1], signal.SIGKILL)


def head_worker(job):
    """The one of the head's two processes that does its work; its guard started it."""
    return children_last([pid for pid in {job.pid} | descendants_of(job.pid) if proc(pid, "comm") == "launch\n"])[-1]


def stand_still(pids, seconds, during=lambda: None):
    """Stopped for a while, as by somebody who knows of no other process of launch."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    begin = time.monotonic()
    during()
    time.sleep(max(0, begin + seconds - time.monotonic()))
    for pid in pids:
        os.kill(pid, signal.SIGCONT)


def sshd_sessions(cluster, host):
    return [int(pid) for name, pid, command in cluster.pids(host) if command.startswith("sshd:")]


@contextlib.contextmanager
def stopped(pids):
    """Until the end of the block, those of them that there still are."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def kill_sessions(cluster, host):
    """The links of the relay there break; it lives on."""
    sessions = sshd_sessions(cluster, host)
    for pid in sessions:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if not sessions:
        fail("no session was found")


def running_job(cluster, hosts, degree, transport="ssh", more=()):
    """Ranks that leave a daemon behind, the hardest to find."""
    program = ["sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"]
    job = Job([LAUNCH, "--transport", transport, "-hosts", hosts, "-k", str(degree), *more, *program])
    return job


def wait_ready(job, count):
    for _ in range(count):
        job.until("ready")


def of_the_job(cluster, hosts):
    """What runs there, but for sshd's own sessions: they may wait for a client that was cut off."""
    return [entry for entry in cluster.pids(*hosts) if not entry[2].startswith("sshd")]


def nothing_left(cluster, hosts, seconds=5):
    eventually(lambda: not of_the_job(cluster, hosts), seconds, "the hosts to be clean: " + str(of_the_job(cluster, hosts)[:5]))


@contextlib.contextmanager
def port_taken(host, port):
    """By somebody else, who listens there; None: on this machine."""
    script = f"import socket, time; s = socket.socket(socket.AF_INET6); s.bind(('::', {port})); s.listen(); print('ready', flush=True); time.sleep(60)"
    taken = Job(["python3", "-c", script], host=host)
    taken.until("ready")
    try:
        yield
    finally:
        taken.signal_group(9)
        taken.wait()


@contextlib.contextmanager
def login_shell(cluster, host, does):
    """What each login there does first."""
    profile = os.path.join(cluster.home_of(host), ".bashrc")
    with open(profile, "w") as file:
        file.write(does + "\n")
    try:
        yield
    finally:
        os.unlink(profile)


@contextlib.contextmanager
def shell_of_root(cluster, host, shell):
    """What its logins run."""
    cluster.exec(host, "sh", "-ec", f"""
        sed 's#^\\(root:.*:\\)[^:]*$#\\1{shell}#' /etc/passwd > /tmp/passwd
        mount --bind /tmp/passwd /etc/passwd""")
    try:
        yield
    finally:
        cluster.exec(host, "sh", "-c", "umount /etc/passwd; rm -f /tmp/passwd")


def write_other_build(path):
    """An executable that is launch in all but its build id."""
    with open(LAUNCH, "rb") as mine, open(path, "wb") as file:
        data = bytearray(mine.read())
        at = data.find(b"GNU\0", data.find(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0")) + 4
        data[at] ^= 0xff  # the id's first byte
        file.write(data)
    os.chmod(path, 0o755)


def is_stats(line):
    return line.startswith('{"version":1,"start_us"')


def stats_of(result):
    """What --stats json told, which is one line."""
    lines = [line for line in result.err_lines if is_stats(line)]
    if len(lines) != 1:
        fail(f"not one line of statistics\n{result}")
    return json.loads(lines[0])


def said_beside_stats(result):
    return [line for line in result.err_lines if not is_stats(line)]
