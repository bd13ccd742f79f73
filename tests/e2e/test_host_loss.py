#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks in fences go on without a host that is lost."""
import functools
import os
import re
import signal

from harness import *
from programs import DEGREES, HOSTS, NETWORK, mpi, pmix


def relay_of(cluster, host):
    """Found before the moment has come: on a busy machine that takes its time. A call kills it."""
    def both():
        pids = launch_pids(cluster, host)
        return pids if len(pids) == 2 else None
    return functools.partial(os.kill, eventually(both, what="the relay")[-1], signal.SIGKILL)


LAST_RANK = f"(?m)^{HOSTS - 1}: under way"
ALL_RANKS = r"(?ms)\A" + "".join(rf"(?=.*^{rank}: under way)" for rank in range(HOSTS))


def lose_first_host(cluster, way_to_kill, degree, *words, last_words="0 died", when=LAST_RANK):
    """The first host, which has others below it, is lost while ranks are in a fence, before it or after it."""
    lost = cluster.hosts[0]
    running = Job([LAUNCH, "--timeout", "40", "--on-host-loss", "continue", "-k", degree, "-hosts", cluster.fold(HOSTS), *words], env=NETWORK)
    kill = way_to_kill(cluster, lost)
    running.until(when)
    kill()
    result = running.wait(30)
    expect(result, code=69, err_contains=[re.compile(rf"^launch: {lost}: run: .*; its ranks are lost, the others go on$", re.M)])
    said = sorted(line for line in result.lines if line.endswith(last_words.split()[-1]))
    if said != sorted(f"{rank}: {last_words}" for rank in range(1, HOSTS)):
        fail(f"not all of the living, or not of the dead one only\n{result}")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def pmi_ranks_go_on_without_a_host_that_is_lost(cluster):
    mourner = [helper("pmi_cards"), "--mourn", "--fences", "30", "--delay", "60", "--read", "next"]
    for degree in DEGREES[:3]:
        for modex in ("gather", "on-demand"):
            print("   ", degree, modex)
            lose_first_host(cluster, relay_of, degree, "--modex", modex, *mourner)


@needs_cluster(HOSTS, timeout=120, tier="clock")
def pmix_ranks_go_on_without_a_host_that_is_lost(cluster):
    for degree in DEGREES[:3]:
        for mode in ("collect", "direct"):
            print("   ", degree, mode)
            lose_first_host(cluster, relay_of, degree, "--pmi", "pmix", pmix("pmix_cards"), mode, "200", "1",
                            "30", "mourn")
    for modex in ("ring", "bruck", "doubling"):
        print("   ", modex)
        lose_first_host(cluster, relay_of, "2", "--pmi", "pmix", "--modex", modex, pmix("pmix_cards"),
                        "collect", "200", "1", "30", "mourn")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def mpich_ranks_go_on_without_a_host_that_is_lost(cluster):
    """Those that have nothing to say to it. Who is in MPI_Init cannot be without any of the others, and says so."""
    for degree in DEGREES[:3]:
        lose_first_host(cluster, relay_of, degree, mpi("mpich", "mpi_pause"), "2", last_words="through", when=ALL_RANKS)
    late = f"test $LAUNCH_RANK = 0 && echo '{HOSTS - 1}: under way' && sleep 30; exec {mpi('mpich', 'mpi_pause')}"
    running = Job([LAUNCH, "--timeout", "40", "--on-host-loss", "continue", "-hosts", cluster.fold(HOSTS), "sh", "-c", late],
                  env=NETWORK)
    running.until("under way")
    kill_relay(cluster, cluster.hosts[0])
    expect(running.wait(30), code=69, err_contains=["PMI_KVS_Get returned -1"])


if __name__ == "__main__":
    main()
