#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A head, or a relay, that stands still for a while: stopped, asleep with its machine, or out of reach."""
import os
import re
import signal
import time
from string import digits as DIGITS

from harness import *

LINES = 120
WRITES = [helper("counted_lines"), "--lines", str(LINES), "--pause", "100000"]  # for 12 s
WHY = r"its relay ended because launch was suspended, or this machine slept, for 1\d s; hosts wait only 7.5 s"


def all_said(result, ranks):
    """Each rank's lines, once and in order."""
    for rank in range(ranks):
        own = [line.split()[1] for line in result.lines if line.startswith(f"{rank} ")]
        if own != [*map(str, range(LINES)), "last"]:
            fail(f"of rank {rank} came {own}\n{result}")


def under_way(job, ranks):
    begun = set()
    while len(begun) < ranks:
        begun.add(int(job.until(rb"(?m)^(\d+) 2 ").group(1)))
    time.sleep(1)  # all have heard that the start is over


@needs_cluster(8, timeout=90, tier="clock")
def a_head_that_was_stopped_finds_its_job_as_it_left_it(cluster):
    """For longer than a relay may be silent."""
    jobs = [Job([LAUNCH, "--transport", transport, "--links", links, "-hosts", cluster.fold(8), "-k", "4", *WRITES])
            for transport, links in (("ssh", "auto"), ("ssh", "ssh"), ("openssh", "direct"))]
    for job in jobs:
        under_way(job, 8)
    stand_still([head_worker(job) for job in jobs], 8)
    for job in jobs:
        result = expect(job.wait(30), err="")
        all_said(result, 8)


@needs_cluster(8, timeout=90, tier="clock")
def a_head_that_was_away_with_its_machine_finds_its_job_as_it_left_it(cluster):
    """Of what is said to it meanwhile nothing comes through."""
    def out_of_reach():
        for host in cluster.hosts[:4]:
            cluster.cut(host)
        time.sleep(8)
        for host in cluster.hosts[:4]:
            cluster.heal(host)

    for links in ("auto", "ssh"):
        print("   ", links)
        job = Job([LAUNCH, "--links", links, "-hosts", cluster.fold(4), "-k", "4", *WRITES])
        under_way(job, 4)
        stand_still([head_worker(job)], 8, during=out_of_reach)
        all_said(expect(job.wait(40), err=""), 4)


@needs_cluster(8, timeout=60, tier="clock")
def a_head_that_is_stopped_at_the_end_hears_who_left_meanwhile(cluster):
    """Who takes a while for it, as a rank left a process that does not end at once."""
    lingers = "setsid sh -c 'trap \"\" TERM; sleep 2; sleep 1' > /dev/null 2>&1 < /dev/null & sleep 0.3; echo over"
    for links in ("auto", "ssh"):
        job = Job([LAUNCH, "--links", links, "-hosts", cluster.fold(4), "-k", "2", "sh", "-c", lingers])
        for _ in range(4):
            job.until("over")
        time.sleep(0.7)
        stand_still([head_worker(job)], 8)
        expect(job.wait(20), out_lines=["over"] * 4, err="")


@needs_cluster(8, timeout=120, tier="clock")
def a_head_that_was_away_for_too_long_says_so(cluster):
    """Hosts are clean before it is back."""
    hosts = cluster.hosts[:4]
    for links, policy in (("auto", "abort"), ("ssh", "abort"), ("auto", "continue")):
        print("   ", links, policy)
        job = Job([LAUNCH, "--liveness", "1", "--links", links, "--on-host-loss", policy, "-hosts", cluster.fold(4), "-k", "2",
                   "sh", "-c", "setsid sleep 1000 & echo $LAUNCH_RANK 2 ready; sleep 1000"])
        under_way(job, 4)
        stand_still([head_worker(job)], 15, during=lambda: nothing_left(cluster, hosts, 14.5))
        begin = time.monotonic()
        result = expect(job.wait(20), code=69, err_contains=[re.compile(f"^launch: {hosts[0].rstrip(DIGITS)}.*: run: {WHY}", re.M)])
        if time.monotonic() - begin > allowed(8):
            fail(f"took too long to end\n{result}")
        told = [line for line in result.err_lines if not re.search(WHY, line)]
        if told:
            fail(f"{told}\n{result}")


@needs_cluster(8, timeout=120, tier="clock")
def a_relay_that_was_stopped_costs_its_host_at_most(cluster):
    """It has others below it. Whether the job can go on depends on the links, and on what its user wants."""
    hosts = cluster.hosts[:6]
    for links, policy, seconds in (("auto", "abort", 9), ("ssh", "abort", 9), ("auto", "continue", 9), ("auto", "abort", 2)):
        print("   ", links, policy, seconds)
        job = Job([LAUNCH, "--links", links, "--on-host-loss", policy, "-hosts", cluster.fold(6), "-k", "2", *WRITES])
        under_way(job, 6)
        stand_still([launch_pids(cluster, hosts[0])[-1]], seconds)
        begin = time.monotonic()
        result = job.wait(30)
        if seconds < 4:
            all_said(expect(result, err=""), 6)
        else:
            expect(result, code=69, err_contains=f"launch: {hosts[0]}: run: the host no longer answers")
        if policy == "continue":
            expect(result, code=69, err_contains="its ranks are lost, the others go on")
            others = [line for line in result.lines if re.fullmatch(r"[1-5] last \d+", line)]
            if len(others) != 5:
                fail(f"of the others not all came to their end\n{result}")
        elif seconds > 4 and time.monotonic() - begin > allowed(10):
            fail(f"took too long to end\n{result}")
        nothing_left(cluster, hosts, 6)


@needs_cluster(8, timeout=90, tier="clock")
def who_notices_a_silence_a_beat_later_is_waited_for(cluster):
    """Each node has beats of its own: these hosts are started so that the head's comes right after that of the first host, and those
    below it have theirs long after."""
    liveness = 12
    for host, beats in zip(cluster.hosts, (0.87, 0.8)):
        cluster.sshd(host, f'ForceCommand sleep {liveness / 4 * beats}; eval "$SSH_ORIGINAL_COMMAND"')
    with scratch() as folder:
        go = os.path.join(folder, "go")
        job = Job([LAUNCH, "--liveness", liveness, "--on-host-loss", "continue", "-hosts", cluster.fold(3), "-k", "1",
                   helper("counted_lines"), "--go", go])  # say nothing meanwhile: only beats are heard
        while job.out.count(b"\n") < 3:
            job.pump(0.1)
        time.sleep(1)  # all have heard that the start is over
        relay = launch_pids(cluster, cluster.hosts[0])[-1]
        os.kill(relay, signal.SIGSTOP)
        job.until(b"the host no longer answers", stream="err")
        os.kill(relay, signal.SIGCONT)
        with open(go, "w"):
            pass
        result = expect(job.wait(10), code=69, err_contains=f"launch: {cluster.hosts[0]}: run: the host no longer answers (")
    for rank in (1, 2):
        if f"{rank} last 1" not in result.lines:
            fail(f"rank {rank} did not come to its end\n{result}")
    nothing_left(cluster, cluster.hosts[:3], 6)


@test(tier="clock")
def a_job_that_is_stopped_with_its_last_output_on_its_way_loses_nothing():
    """By the user: for longer than hosts wait for a head that is silent for no reason."""
    job = Job([LAUNCH, "--transport", "local", "--liveness", "1", "-hosts", "n[1-16]", "-k", "16", "head", "-c", "500000", "/dev/zero"])
    time.sleep(2)
    job.signal(signal.SIGTSTP)
    eventually(lambda: proc(job.pid, "stat").rsplit(")", 1)[1].split()[0] == "T", what="the stop")
    time.sleep(12)
    job.signal(signal.SIGCONT)
    result = expect(job.wait(20), err="")
    if len(result.out) != 8_000_000:
        fail(f"{len(result.out)} bytes of 8000000")


if __name__ == "__main__":
    main()
