#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Standard input of ranks goes on when hosts between them and the head leave."""
import hashlib
import random
import sys

from harness import *
from sessions import session

HOSTS = 5
DATA = random.Random(1).randbytes(24 << 20)
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


@needs_cluster(HOSTS, timeout=120)
def jobs_of_a_session_read_on_when_hosts_leave(cluster):
    with session(cluster.fold(HOSTS), "-k", "1") as name:
        running = Job([LAUNCH, "--session", name, "-hosts", cluster.hosts[HOSTS - 1], sys.executable, "-c", READER], stdin=DATA)
        for mark, host in ((3, 1), (8, 0)):
            running.until(f"at {mark}")
            expect(launch("session", "remove", "--session", name, cluster.hosts[host]), out="", err="")
        result = running.wait(60)
        expect(result, err="")
        if READ not in result.text:
            fail(f"not what was given\n{result}")


if __name__ == "__main__":
    main()
