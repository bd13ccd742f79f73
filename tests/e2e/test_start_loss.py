#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts that are lost while others are still being started."""
import time

from harness import *
from programs import NETWORK, mpi
from starts import COME_BACK, REFUSED, failed, held, held_up, listed


@needs_cluster(6, tier="gate")
def who_cannot_be_started_is_fatal_where_a_lost_host_is_not(cluster):
    result = launch("--on-host-loss", "continue", "-k", "2", "-hosts", listed(cluster, 4, [1]), "echo", "ran")
    expect(result, code=69, out="", err_lines=1, err_contains=failed(cluster.hosts[1], REFUSED))


@needs_cluster(6, grace=15, tier="clock")
def an_mpi_program_runs_in_a_tree_that_healed(cluster):
    ring = mpi("mpich", "mpi_ring")
    with held(cluster, cluster.hosts[3]) as let_go:
        job = Job([LAUNCH, "--timeout", "30", "--allow-missing", "-k", "1", "-ppn", "2", "-hosts", cluster.fold(5), ring], env=NETWORK)
        eventually(lambda: launch_pids(cluster, cluster.hosts[1]) and held_up(cluster, cluster.hosts[3]))
        kill_relay(cluster, cluster.hosts[1])
        time.sleep(COME_BACK)
        let_go()
        expect(job.wait(40), out="ring of 8: token 8\n")


if __name__ == "__main__":
    main()
