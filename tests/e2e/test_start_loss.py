#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts that are lost while others are still being started."""
import os
import re
import signal
import time

from harness import *
from harness.promises import end_after_loss
from programs import NETWORK, mpi
from starts import COME_BACK, PLACE, REFUSED, failed, held, held_up, listed, places, slow


def lose_first_of_a_chain(cluster, *words):
    """While it starts the second."""
    with held(cluster, cluster.hosts[1]) as let_go:
        job = Job([LAUNCH, "--timeout", "25", "-k", "1", "-hosts", cluster.fold(4), *words])
        eventually(lambda: launch_pids(cluster, cluster.hosts[0]), what="the relay")
        time.sleep(0.5)
        os.kill(launch_pids(cluster, cluster.hosts[0])[0], signal.SIGKILL)
        time.sleep(1)
        let_go()
        return job.wait(30)


@needs_cluster(6, tier="clock")
def who_was_to_be_started_by_a_host_that_is_lost_is_started_from_above(cluster):
    goes_on = [f"goes on without {cluster.hosts[0]}: 3 ranks on 3 hosts"]
    expect(lose_first_of_a_chain(cluster, "--allow-missing", *PLACE), out_lines=places(cluster.hosts[1:4]), err_contains=goes_on)
    fences = [helper("pmi_cards"), "--fences", "5"]
    expect(lose_first_of_a_chain(cluster, "--allow-missing", *fences), out="cards of 3 ranks are right\n", err_contains=goes_on)


@needs_cluster(6, timeout=120, tier="clock")
def who_survives_a_lost_host_is_started_from_above_once(cluster):
    """The lost one's ranks are part of the job, and known to be dead."""
    lost = cluster.hosts[0]
    for links in ("auto", "ssh"):
        result = lose_first_of_a_chain(cluster, "--on-host-loss", "continue", "--links", links, *PLACE)
        places_of_4 = sorted(line for line in places(cluster.hosts[:4]) if lost not in line)
        expect(result, code=69, out_lines=places_of_4, err_lines=1,
               err_contains=re.compile(rf"^launch: {lost}: run: .*; its ranks are lost, the others go on$", re.M))
        result = lose_first_of_a_chain(cluster, "--on-host-loss", "continue", "--links", links, helper("pmi_cards"), "--fences", "5",
                                       "--mourn")
        expect(result, code=69, err_lines=1)
        if sorted(re.findall(r"(?m)^\d+: \S* died$", result.text)) != [f"{rank}: 0 died" for rank in (1, 2, 3)]:
            fail(str(result))


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


@needs_cluster(6, grace=15, tier="clock")
def a_start_can_be_interrupted_after_a_loss(cluster):
    """What is survived is told at once, and is not why the job ends."""
    first = cluster.hosts[0]
    for option, told in (["--on-host-loss", "continue"], True), (["--allow-missing"], False):
        with held(cluster, cluster.hosts[3]):
            job = Job([LAUNCH, *option, "-k", "1", "-hosts", cluster.fold(4), "echo", "ran"])
            # Who starts the last one has its part, so all before it are up.
            eventually(lambda: held_up(cluster, cluster.hosts[3]))
            kill_relay(cluster, cluster.hosts[0])
            if told:
                job.until(re.escape(f"launch: {first}: run: "), stream="err")
            else:
                time.sleep(COME_BACK + 3)
            job.signal(signal.SIGINT)
            expect(job.wait(10), code=130, out="", err_lines=1, err_contains=f"launch: {first}: run: ")


@needs_cluster(6, grace=15, tier="clock")
def the_reason_for_the_end_is_told_after_a_loss(cluster):
    """A loss that was survived is told already, and is not it."""
    first = cluster.hosts[0]
    job = Job([LAUNCH, "--on-host-loss", "continue", "--timeout", "6", "-hosts", cluster.fold(3), "sh", "-c", "echo up; sleep 100"])
    job.until(r"(up\s+){3}")
    kill_relay(cluster, cluster.hosts[0])
    expect(job.wait(15), code=124, err_lines=2,
           err_contains=[f"launch: {first}: run: ", "not done within --timeout 6 s; 2 ranks were still running"])
    # Neither is a host that cannot be started, while another one is still waited for.
    with slow(cluster, cluster.hosts[2], 10):
        result = launch("--timeout", "2", "-hosts", listed(cluster, 3, [1]), "echo", "ran")
        expect(result, code=124, err_lines=2, err_contains=[f"launch: {cluster.hosts[1]}: {REFUSED}", "--timeout 2 s"])


@needs_cluster(6, grace=15, tier="clock")
def what_ends_the_job_after_a_loss_gives_its_exit_code(cluster):
    """The user's signal, by launch or by the ranks; but not where the loss itself is all that went wrong."""
    asleep, deaf = "echo up; exec sleep 100", "trap 'exit 0' INT; echo up; while :; do sleep 0.1; done"
    for number, script, code in (signal.SIGINT, asleep, 130), (signal.SIGTERM, asleep, 143), (signal.SIGINT, deaf, 69):
        job = Job([LAUNCH, "--on-host-loss", "continue", "-hosts", cluster.fold(3), "sh", "-c", script])
        job.until(r"(up\s+){3}")
        kill_relay(cluster, cluster.hosts[0])
        job.until(re.escape(f"launch: {cluster.hosts[0]}: run: "), stream="err")
        job.signal(number)
        expect(job.wait(15), code=code)


@needs_cluster(6, grace=15, tier="clock")
def a_cut_cable_is_noticed_while_others_are_still_being_started(cluster):
    """Busy hosts are borne with for four times as long as later."""
    host = cluster.hosts[0]
    with slow(cluster, cluster.hosts[2], 20):
        job = Job([LAUNCH, "--liveness", "1", "--start-early", "-hosts", cluster.fold(3), "sh", "-c", "echo up; exec sleep 100"])
        job.until("(up\\s+){2}")
        cluster.cut(host)
        begin = time.monotonic()
        try:
            expect(job.wait(20), code=69, err_contains=f"launch: {host}: run: the host no longer answers")
        finally:
            cluster.heal(host)
        took = time.monotonic() - begin
        limit = allowed(end_after_loss(liveness=1, starting=True))
        if not 1.5 < took < limit:
            fail(f"took {took:.1f} s, not {limit:.1f}")


@needs_cluster(6, grace=15, tier="clock")
def nobody_is_said_to_go_on_where_a_host_cannot_be_started(cluster):
    with slow(cluster, cluster.hosts[3], 6):
        job = Job([LAUNCH, "--on-host-loss", "continue", "-k", "8", "-hosts", listed(cluster, 4, [1]), "echo", "ran"])
        eventually(lambda: launch_pids(cluster, cluster.hosts[0]))
        time.sleep(1)
        kill_relay(cluster, cluster.hosts[0])
        expect(job.wait(20), code=69, out="", err_lines=2, err_lacks="go on",
               err_contains=[f"launch: {cluster.hosts[1]}: {REFUSED}", f"launch: {cluster.hosts[0]}: run: "])


@needs_cluster(6, tier="gate")
def who_cannot_be_started_is_fatal_where_a_lost_host_is_not(cluster):
    result = launch("--on-host-loss", "continue", "-k", "2", "-hosts", listed(cluster, 4, [1]), "echo", "ran")
    expect(result, code=69, out="", err_lines=1, err_contains=failed(cluster.hosts[1], REFUSED))


@needs_cluster(6, grace=15, tier="clock")
def a_relay_that_dies_before_the_ranks_start_is_missing(cluster):
    """In a chain those below it find another parent, and get their ranks there."""
    for degree in ("8", "1"):
        with held(cluster, cluster.hosts[3]) as let_go:
            job = Job([LAUNCH, "--allow-missing", "-k", degree, "-hosts", cluster.fold(4), "sh", "-c", f"{PLACE[2]}; cat"],
                      stdin="a line\n")
            # Who starts the last one has its part: host 2 in the chain.
            eventually(lambda: launch_pids(cluster, cluster.hosts[1]) and held_up(cluster, cluster.hosts[3]))
            kill_relay(cluster, cluster.hosts[1])
            time.sleep(COME_BACK)
            let_go()
            expect(job.wait(20), out_lines=[*places([cluster.hosts[i] for i in (0, 2, 3)]), "a line"],
                   err_contains=[f"launch: note: {cluster.hosts[1]}: run: ", f"goes on without {cluster.hosts[1]}: "])


@needs_cluster(6, grace=15, tier="clock")
def a_link_that_breaks_before_the_ranks_start_costs_no_host(cluster):
    for degree in ("8", "1"):
        with held(cluster, cluster.hosts[3]) as let_go:
            job = Job([LAUNCH, "--allow-missing", "-k", degree, "-hosts", cluster.fold(4), *PLACE])
            eventually(lambda: launch_pids(cluster, cluster.hosts[1]) and held_up(cluster, cluster.hosts[3]))
            kill_sessions(cluster, cluster.hosts[1])
            time.sleep(1)
            let_go()
            expect(job.wait(20), out_lines=places(cluster.hosts[:4]), err="")


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
