#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts of a session that come back, join and leave, while jobs run."""
import time

from harness import *
from sessions import on, session, state

HOSTS = 8
WAITS = "echo runs; cat"


def change(verb, name, *words, **options):
    return launch("session", verb, "--session", name, *words, **options)


def up(name):
    return sorted(host["host"] for host in state(name)["hosts"] if host["up"])


def running(name, *words):
    job = Job([LAUNCH, "--session", name, *words, "sh", "-c", WAITS])
    job.until("runs")
    return job


def ends_well(job):
    job.close_stdin()
    expect(job.wait(), err="")


def relays(cluster, *hosts):
    return [host for host, _, command in cluster.pids(*hosts) if "--relay" in command]


def nothing_runs(cluster, *hosts):
    eventually(lambda: not cluster.pids(*hosts), 10, f"{hosts} to be empty")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_host_that_was_lost_comes_back_by_itself(cluster):
    try:
        with session(cluster.fold(4), "-k", "2", "--liveness", "1") as name:
            lost, other = cluster.hosts[0], cluster.hosts[3]  # one with others below it
            beside = running(name, "-hosts", other)
            cluster.kill(lost)
            eventually(lambda: lost not in up(name), 10, "the loss to be told")
            shown = [host for host in state(name)["hosts"] if host["host"] == lost][0]
            if not shown["why"]:
                fail(shown)
            expect(on(name, "hostname"), out_lines=cluster.hosts[1:3], err="")
            cluster.reset()
            eventually(lambda: lost in up(name), 30, "it to come back")
            expect(on(name, "hostname"), out_lines=cluster.hosts[:3], err="")
            expect(launch("session", "log", name), out_contains=f"{lost}: is up again", err="")
            ends_well(beside)
            expect(on(name, "hostname"), out_lines=cluster.hosts[:4], err="")
            if len(relays(cluster, lost)) != len(relays(cluster, other)):
                fail(cluster.pids(lost, other))
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_host_that_did_not_come_up_joins_when_it_can(cluster):
    late = cluster.hosts[2]
    try:
        cluster.kill(late)
        started = launch("session", "start", "--name", "h2", "-hosts", cluster.fold(3), "--allow-missing", "--connect-timeout", "2")
        expect(started, err_contains=late)
        try:
            if up("h2") != cluster.hosts[:2]:
                fail(state("h2"))
            cluster.reset()
            eventually(lambda: late in up("h2"), 30, "it to come up")
            expect(on("h2", "hostname"), out_lines=cluster.hosts[:3], err="")
        finally:
            launch("session", "stop", "h2")
        nothing_runs(cluster, *cluster.hosts[:3])
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_host_that_was_mended_is_tried_at_once_where_a_user_says_so(cluster):
    """Long before its next try; one that is not mended stays as it was."""
    lost, fresh = cluster.hosts[1], cluster.hosts[3]

    def next_try():
        return state(name)["hosts"][1].get("next_try", 0)
    try:
        with session(f"{cluster.hosts[0]},{lost}:2", "-k", "2", "--liveness", "1") as name:
            cluster.kill(lost)
            eventually(lambda: next_try() > time.time() + 9, 60, "it to be tried seldom")
            expect(change("add", name, f"{lost},{fresh}"), code=69, err_contains=[lost])
            if [host["host"] for host in state(name)["hosts"]] != [cluster.hosts[0], f"{lost}:2"]:
                fail(state(name))
            eventually(lambda: next_try() > time.time() + 9, 60, "it to be tried seldom again")
            due = next_try()
            cluster.reset()
            expect(change("add", name, f"{lost},{fresh}"), out="", err="")
            if time.time() >= due:
                fail("the next try was due")
            expect(on(name, "hostname"), out_lines=[cluster.hosts[0], lost, lost, fresh], err="")
            expect(launch("session", "log", name), err="", out_contains=[f"{lost}: is up again", f"{fresh}: added"])
            expect(change("add", name, lost), code=2, err_contains=f"{lost}: already in the session")
            more = cluster.hosts[4]
            expect(change("add", name, f"root@{more},{more}"), code=2, out="", err_contains=f"{more}: named twice")
            expect(change("add", name, f"{more},root@{lost}"), out="", err="")
            expect(change("remove", name, lost), out="", err="")  # by whatever user
            if [host["host"] for host in state(name)["hosts"]] != [cluster.hosts[0], fresh, more]:
                fail(state(name))
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=120, tier="gate")
def hosts_join_while_a_job_runs(cluster):
    with session(cluster.fold(2), "-k", "2") as name:
        beside = running(name, "-n", "2")
        expect(change("add", name, cluster.fold(4, 2) + ":2"), out="", err="")
        if [host["slots"] for host in state(name)["hosts"]] != [1, 1, 2, 2, 2, 2]:
            fail(state(name))
        expect(on(name, "hostname"), out_lines=[host for host in cluster.hosts[2:6] for _ in range(2)], err="")
        with scratch() as folder:
            with open(f"{folder}/more", "w") as file:
                file.write(f"{cluster.hosts[6]}\n{cluster.hosts[7]}\n")
            expect(change("add", name, "-f", f"{folder}/more"), out="", err="")
            expect(change("add", name, "-f", folder), code=2, err_contains=f"read the host file {folder}: Is a directory")
        ends_well(beside)
        expect(on(name, "-ppn", "1", "hostname"), out_lines=cluster.hosts[:HOSTS], err="")
        expect(change("add", name, cluster.hosts[7]), code=2, err_contains=f"{cluster.hosts[7]}: already in the session")
    nothing_runs(cluster, *cluster.hosts[:HOSTS])


@needs_cluster(HOSTS, timeout=120, tier="clock")
def who_cannot_join_is_told_all_at_once(cluster):
    try:
        with session(cluster.fold(2), "--connect-timeout", "2") as name:
            cluster.kill(cluster.hosts[3])
            cluster.kill(cluster.hosts[4])
            failed = change("add", name, cluster.fold(4, 2))
            expect(failed, code=69, err_contains=[cluster.fold(2, 3)])
            eventually(lambda: up(name) == cluster.hosts[:2], 10, "those that came to go again")
            if len(state(name)["hosts"]) != 2:
                fail(state(name))
            nothing_runs(cluster, cluster.hosts[2], cluster.hosts[5])
            expect(change("add", name, "--allow-missing", cluster.fold(2, 2)), code=69, err_contains=cluster.hosts[3])
            expect(on(name, "hostname"), out_lines=cluster.hosts[:3], err="")
            cluster.reset()
            eventually(lambda: up(name) == cluster.hosts[:4], 30, "the missing one to come")
            expect(on(name, "hostname"), out_lines=cluster.hosts[:4], err="")
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=120, tier="gate")
def hosts_leave_and_those_below_them_stay(cluster):
    gone, below = cluster.hosts[0], cluster.hosts[1]
    with session(cluster.fold(6), "-k", "2") as name:
        beside = Job([LAUNCH, "--session", name, "-hosts", below, "sh", "-c", "echo runs; sleep 4; echo has run"])
        beside.until("runs")
        expect(change("remove", name, below), code=2,
               err_contains=[f"uses {below}", "--when-idle waits for jobs to end"])
        expect(change("remove", name, gone), out="", err="")
        nothing_runs(cluster, gone)
        if up(name) != cluster.hosts[1:6]:
            fail(state(name))
        expect(beside.wait(), out="runs\nhas run\n", err="")
        expect(on(name, "hostname"), out_lines=cluster.hosts[1:6], err="")
        expect(change("remove", name, gone), code=2, err_contains=f"{gone}: not a host of the session")
        expect(change("add", name, gone), out="", err="")  # it may come back
        expect(change("remove", name, cluster.fold(3, 1)), out="", err="")
        nothing_runs(cluster, *cluster.hosts[1:4])
        expect(on(name, "hostname"), out_lines=[*cluster.hosts[4:6], gone], err="")
    nothing_runs(cluster, *cluster.hosts[:HOSTS])


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_host_leaves_when_it_is_idle_or_now(cluster):
    busy, taken = cluster.hosts[0], cluster.hosts[1]
    with session(cluster.fold(3), "-k", "1", "--liveness", "2") as name:
        first = running(name, "-hosts", busy)
        expect(change("remove", name, "--when-idle", busy), out="", err="")
        expect(launch("session", "show", name), out_contains="leaves when idle", err="")
        expect(on(name, "hostname"), out_lines=cluster.hosts[1:3], err="")
        ends_well(first)
        eventually(lambda: up(name) == cluster.hosts[1:3], 10, "it to leave")
        nothing_runs(cluster, busy)
        second = running(name, "-hosts", taken)
        expect(change("remove", name, "--now", taken), out="", err="")
        expect(second.wait(), code=69, err_contains=[taken, "removed"])
        nothing_runs(cluster, taken)
        expect(on(name, "hostname"), out_lines=[cluster.hosts[2]], err="")
        expect(change("remove", name, "--now", "--when-idle", taken), code=2, err_contains="--when-idle and --now exclude one another")
    nothing_runs(cluster, *cluster.hosts[:3])


@test
def a_session_of_this_machine_has_no_way_to_others():
    expect(launch("session", "start", "--name", "h3"), err="")
    try:
        expect(change("add", "h3", "elsewhere"), code=2, err_contains="started without hosts")
        expect(change("add", "h3"), code=2, err_contains="name hosts")
        expect(change("add", "h3", "-f", "/nowhere"), code=2, err_contains="/nowhere")
    finally:
        launch("session", "stop", "h3")


if __name__ == "__main__":
    main()
