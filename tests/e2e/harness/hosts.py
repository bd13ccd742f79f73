# SPDX-License-Identifier: MIT
"""The cluster that tests use."""
import contextlib
import subprocess

from harness import current
from harness.basics import CLUSTER, Skip, fail
from harness.job import run
from harness.own_place import place


class Cluster:
    def __init__(self, count):
        done = subprocess.run([*place.outside, CLUSTER, "up", str(count), "--at-least"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode == 77:
            raise Skip(done.stderr.strip())
        if done.returncode:
            fail(f"cluster up: {done.stderr}")
        self.size = count
        self.hosts = self.command("hosts").split()
        self.home = self.command("home").strip()  # the head's: edit .ssh/config, .ssh/known_hosts there
        self.hostfile = self.home[:-len("home")] + "hostfile"
        self.inits = {}
        for host in self.hosts:
            with open(f"{self.home[:-len('home')]}hosts/{host}/pid") as file:
                self.inits[host] = int(file.read())

    @staticmethod
    def command(*words):
        done = subprocess.run([*place.outside, CLUSTER, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            fail(f"cluster {' '.join(words)}: {done.stderr}")
        return done.stdout

    def fold(self, count=None, first=0):
        """The folded names of so many hosts, like node[001-016]."""
        chosen = self.hosts[first:first + (count or self.size)]
        prefix = chosen[0].rstrip("0123456789")
        return f"{prefix}[{chosen[0][len(prefix):]}-{chosen[-1][len(prefix):]}]" if len(chosen) > 1 else chosen[0]

    def home_of(self, host):
        return self.command("home", host).strip()

    def exec(self, host, *words, **options):
        return run(words, host=host, **options)

    def kill(self, host, unplug=False):
        self.command("kill", host, *(["--unplug"] if unplug else []))

    def cut(self, host, unreachable=False):
        self.command("cut", host, *(["--unreachable"] if unreachable else []))

    def heal(self, host):
        self.command("heal", host)

    def sshd(self, host, *options):
        self.command("sshd", host, *options)

    def rekey(self, host):
        self.command("rekey", host)

    def pids(self, *hosts):
        """[(host, pid, command)]: what runs there beyond init and the listening sshd."""
        return [tuple(line.split(" ", 2)) for line in self.command("pids", *hosts).splitlines()]

    def reset(self):
        """All hosts back in their first state: alive, plugged in, usual keys, sshd and .ssh."""
        self.__init__(self.size)


@contextlib.contextmanager
def cluster(count):
    """At least so many hosts; it stays up for the next script unless LAUNCH_CLUSTER_KEEP=0 and we brought it up."""
    before = subprocess.run([*place.outside, CLUSTER, "hosts"], stdout=subprocess.PIPE, text=True).stdout
    outer, current.cluster = current.cluster, Cluster(count)
    current.brought_up = current.brought_up or not before
    try:
        yield current.cluster
    finally:
        current.cluster = outer
