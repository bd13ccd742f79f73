#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts that are lost while others are still being started."""
import time

from harness import *
from programs import NETWORK, mpi
from starts import COME_BACK, PLACE, REFUSED, failed, held, held_up, listed, places


@needs_cluster(6, timeout=120, grace=15, tier="clock")
def a_relay_that_stood_still_while_another_took_its_place_leaves(cluster):
    """The first of a chain is lost before it has told of the second, which stands still and is started anew from above. When it
    wakes up it asks for a parent."""
    first, second, third = cluster.hosts[:3]
    with held(cluster, second) as let_second_go, held(cluster, third) as let_third_go:
        job = Job([LAUNCH, "--timeout", "40", "--allow-missing", "-v", "-k", "1", "-hosts", cluster.fold(4), *PLACE])
        eventually(lambda: held_up(cluster, second), what="the start of the second")
        with stopped(sshd_sessions(cluster, first)):
            let_second_go()
            eventually(lambda: held_up(cluster, third), what="the start of the third, by the second")
            old = launch_pids(cluster, second)
            with stopped(old[-1:]):
                kill_relay(cluster, first)
                kill_sessions(cluster, first)
                eventually(lambda: len(launch_pids(cluster, second)) > len(old) and held_up(cluster, third), what="another relay")
                time.sleep(0.5)
        eventually(lambda: not set(old) & set(launch_pids(cluster, second)), what="the end of the old relay")
        let_third_go()
        expect(job.wait(30), out_lines=places([cluster.hosts[i] for i in (1, 2, 3)]), err_contains=f"goes on without {first}: ")


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
