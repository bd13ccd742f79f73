# SPDX-License-Identifier: MIT
"""Starts on hosts that are slow or refuse, and what ranks say of where they are."""
import contextlib
import re

from harness.promises import RETURN

PLACE = ["sh", "-c", "echo $LAUNCH_RANK/$LAUNCH_SIZE $LAUNCH_LOCAL_RANK/$LAUNCH_LOCAL_SIZE"
         " $LAUNCH_NODE/$LAUNCH_NODES $LAUNCH_HOST $(hostname)"]
COME_BACK = RETURN + 1.5  # after that a relay is lost whose link has ended and which might have dialled anew
REFUSED = "connect: connection to port 1 refused"


def failed(names, words, note=False):
    """What launch says of hosts that could not be started, from here or from others."""
    return re.compile(rf"^launch: {'note: ' if note else ''}{re.escape(names)}(, from \S+)?: {re.escape(words)}", re.M)


def places(hosts, ranks_each=1):
    """What PLACE says of ranks that are dealt to these hosts in this order."""
    size = len(hosts) * ranks_each
    return [f"{rank}/{size} {rank % ranks_each}/{ranks_each} {rank // ranks_each}/{len(hosts)} "
            f"{hosts[rank // ranks_each]} {hosts[rank // ranks_each]}" for rank in range(size)]


def listed(cluster, count, refusing):
    """The first hosts as a list; no sshd listens where some of them are asked."""
    return ",".join(f"{host}:1:1" if i in refusing else host for i, host in enumerate(cluster.hosts[:count]))


@contextlib.contextmanager
def slow(cluster, host, seconds):
    cluster.sshd(host, f'ForceCommand sleep {seconds}; eval "$SSH_ORIGINAL_COMMAND"')
    try:
        yield
    finally:
        cluster.sshd(host)


@contextlib.contextmanager
def held(cluster, host):
    """Its start waits until the function that this yields is called; for a minute at most."""
    cluster.sshd(host, 'ForceCommand for i in $(seq 600); do test -e /tmp/go && break; sleep 0.1; done; eval "$SSH_ORIGINAL_COMMAND"')
    try:
        yield lambda: cluster.exec(host, "touch", "/tmp/go")
    finally:
        cluster.sshd(host)
        cluster.exec(host, "sh", "-c", "touch /tmp/go; sleep 0.3; rm /tmp/go")  # nobody waits on


def held_up(cluster, host):
    """It is being started, and slow."""
    return [pid for _, pid, command in cluster.pids(host) if "sleep" in command]
