#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Standard input of ranks goes on when a host between them and the head is lost or leaves."""
import hashlib
import random
import sys

from harness import *
from sessions import session

HOSTS = 5
LAST = HOSTS - 1
MIB = 1 << 20
DATA = random.Random(1).randbytes(24 * MIB)
# Reads no faster than so, tells how far it is, and what it has read in all.
READER = """
import hashlib, sys, time
total, told, digest = 0, 0, hashlib.sha256()
while data := sys.stdin.buffer.read1(1 << 16):
    total += len(data)
    digest.update(data)
    time.sleep(0.005)
    if total - told >= 1 << 20:
        told = total
        print("at", total >> 20, flush=True)
print("read", total, digest.hexdigest(), flush=True)
"""
READ = f"read {len(DATA)} {hashlib.sha256(DATA).hexdigest()}"


def reads(*words):
    return Job([LAUNCH, *words, sys.executable, "-c", READER], stdin=DATA)


def on_a_chain(cluster, *words):
    """Each host below the one before."""
    return reads("--timeout", "60", "-k", "1", "--on-host-loss", "continue", "-hosts", cluster.fold(HOSTS), *words)


def has_read(result, ranks):
    if result.text.count(READ) != ranks:
        fail(f"not what was given, to {ranks}\n{result}")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def the_last_of_a_chain_reads_on_when_others_are_lost(cluster):
    running = on_a_chain(cluster, "--stdin", LAST)
    running.until("at 3")
    kill_relay(cluster, cluster.hosts[1])
    running.until("at 9")
    kill_relay(cluster, cluster.hosts[0])
    kill_relay(cluster, cluster.hosts[3])
    has_read(running.wait(60), 1)


@needs_cluster(HOSTS, timeout=120, tier="clock")
def all_that_live_read_on(cluster):
    """Also the end of what there is to read."""
    running = on_a_chain(cluster, "--stdin", "all")
    running.until("at 3")
    kill_relay(cluster, cluster.hosts[1])
    result = running.wait(60)
    expect(result, code=69, err_contains=f"{cluster.hosts[1]}: run: ")
    has_read(result, HOSTS - 1)


@needs_cluster(HOSTS, timeout=120, tier="clock")
def they_read_on_past_a_host_that_is_cut_off(cluster):
    running = on_a_chain(cluster, "--liveness", "1", "--stdin", LAST)
    running.until("at 3")
    cluster.cut(cluster.hosts[1])
    try:
        has_read(running.wait(60), 1)
    finally:
        cluster.heal(cluster.hosts[1])


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_link_that_breaks_loses_nothing(cluster):
    running = on_a_chain(cluster, "--stdin", LAST)
    for mark, host in ((3, 2), (8, 4)):
        running.until(f"at {mark}")
        kill_sessions(cluster, cluster.hosts[host])
    has_read(running.wait(60), 1)


@needs_cluster(HOSTS, timeout=120)
def jobs_of_a_session_read_on_when_hosts_leave(cluster):
    with session(cluster.fold(HOSTS), "-k", "1") as name:
        running = reads("--session", name, "-hosts", cluster.hosts[LAST])
        for mark, host in ((3, 1), (8, 0)):
            running.until(f"at {mark}")
            expect(launch("session", "remove", "--session", name, cluster.hosts[host]), out="", err="")
        result = running.wait(60)
        expect(result, err="")
        has_read(result, 1)


if __name__ == "__main__":
    main()
