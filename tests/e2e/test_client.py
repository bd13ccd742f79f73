#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The client library for programs that are not MPI: under launch, under Hydra and alone, and every command of its README."""
import os
import re
import signal

from harness import *
from programs import need
from readme import Readme, in_folder, like_checkout
from sessions import on, session

CHECK = helper("modex_check")
README = Readme("modex/client/README.md")
WORDS = ["/usr/bin/python3", os.path.join(SOURCE_DIR, "tests/helpers/modex_words.py")]
LIBRARY = {"MODEX_LIBRARY": os.path.join(os.path.dirname(HELPERS), "client")}


def ring(kind, folder):
    """Builds the example and runs it: each line of the README tells what comes of it."""
    like_checkout(folder)
    build, *starts = README.lines(f"examples: {kind}")
    expect(in_folder(build, folder), out="", err="")
    for line in starts:
        promised = re.search(r"# .*(ring of .*)$", line)
        if not promised:
            fail(f"what does {line!r} print?")
        expect(in_folder(line, folder), out=promised.group(1) + "\n", err="")


@test
def alone_it_is_rank_zero_of_one():
    expect(run([CHECK]), out="client library: 1 ranks are right\n", err="")


@test(tier="gate")
def ranks_read_all_cards_of_all_ranks():
    for words in (["-n", "1"], ["-n", "5"], ["--transport", "local", "-hosts", "n[1-6]", "-k", "2", "-ppn", "2"]):
        count = 12 if "-ppn" in words else int(words[1])
        expect(launch(*words, CHECK), out=f"client library: {count} ranks are right\n", err="")


@test
def a_port_serves_instead_of_a_descriptor():
    by_port = ["--pmi", "pmi1-port", "-n", "4"]
    expect(launch(*by_port, CHECK), out="client library: 4 ranks are right\n", err="")
    expect(launch(*by_port, CHECK, "abort", "9"), code=9, err_contains=["rank 0", "the soup is cold"])
    # As behind sudo or Python's subprocess: nothing is inherited.
    closing = 'for fd in /proc/self/fd/*; do fd=${fd##*/}; test $fd -gt 2 && eval "exec $fd>&-"; done; exec "$0"'
    expect(launch(*by_port, "bash", "-c", closing, CHECK), out="client library: 4 ranks are right\n", err="")


@test
def under_hydra_it_works_as_well():
    hydra = need("mpiexec.hydra", "mpich")
    expect(run([hydra, "-n", "5", CHECK]), out="client library: 5 ranks are right\n", err="")
    expect(run([hydra, "-pmi-port", "-n", "5", CHECK]), out="client library: 5 ranks are right\n", err="")
    expect(run([hydra, "-n", "3", CHECK, "abort", "9"]), code=9)


@test(tier="gate")
def abort_carries_code_and_message():
    expect(launch("-n", "4", CHECK, "abort", "9"), code=9, err_contains=["rank 0", "the soup is cold"])
    expect(run([CHECK, "abort", "9"]), code=9, err="the soup is cold\n")


@test
def the_readme_on_this_machine():
    with scratch() as folder:
        ring("run", folder)


@needs_cluster(16)
def the_readme_on_hosts(cluster):
    with scratch() as folder:
        with open(os.path.join(folder, "hosts"), "w") as hosts:
            hosts.write("\n".join(cluster.hosts[:16]) + "\n")
        ring("cluster", folder)


@needs_cluster(4, tier="gate")
def the_master_that_adds_workers(cluster):
    """As the README starts it, in C and in Python; without a session and with one."""
    names = cluster.hosts[:4]
    with scratch() as folder:
        like_checkout(folder)
        build, *starts = README.lines("examples: farm")
        expect(in_folder(build, folder), out="", err="")
        for line in starts:
            for name, host in zip(("node001", "node002", "node003"), names):
                line = line.replace(name, host)
            result = "squares: 1 4 9 16" if ".py" in line else "9592 primes below 100000"
            expect(in_folder(line, folder), out_contains=result, err="")
        expect(launch("session", "start", "--name", "farm", "-hosts", f"{names[0]}:8"), err="")
        try:
            expect(in_folder(f"./launch --session farm -n 1 ./farm {names[1]},{names[2]}", folder), err="", out_lines=[
                f"{cluster.fold(2, 1)}: joined", "2 workers: started", "2 workers: done", "9592 primes below 100000"])
            expect(launch("session", "show", "farm"), out_contains="1 host of 1 up")
            line = line.replace("./launch", "./launch --session farm", 1)  # the last one is in Python
            expect(in_folder(line, folder), err="", out_contains="squares: 1 4 9 16")
            expect(launch("session", "show", "farm"), out_contains="1 host of 1 up")
        finally:
            launch("session", "stop", "farm")


def said(*words, out, code=0, err="", options=()):
    """A rank that asks for that prints these lines."""
    errors = {"err_contains": err} if err else {"err": ""}
    expect(launch("--timeout", "40", *options, "-n", "1", *WORDS, *words, env=LIBRARY), code=code, out_lines=out, **errors)


@test(tier="clock")
def spaces_know_of_each_other():
    """Names that somebody waits for, cards of another space, and what happens to the job."""
    said("parent", "lookup=a name=0", "lookup=a name=50", "publish=a name=a value", "lookup=a name=0",
         out=["parent: there is no such key or name", "lookup: there is no such key or name", "lookup: the time limit has passed",
              "publish: ok", "lookup: a value"])
    said("put", "spawn=2+parent+from=0+put+announce=up=yes+lookup=over=20000", "lookup=up=20000", "from=1", "from=7", "publish=over=now",
         "event", "event", "event=0",
         out=["put: ok", "spawn: ok", *["parent: ok", "from: card of 0", "put: ok", "lookup: now"] * 2, "announce: ok", "lookup: yes",
              "from: card of 1", "from: there is no such key or name", "publish: ok", "event: 1 processes joined 2 -1 1",
              "event: 2 processes left 2 -1 1", "event: the time limit has passed"])
    said("spawn=1;wdir=/no/such+put", err=re.compile("could not start more processes: .*/no/such"),
         out=["spawn: the launcher refused", "  rank 1.0 on localhost: /no/such: cannot enter the working directory: No such file or directory"])
    said("spawn=1+exit=3", "event", "event", code=3, options=["--keep-going"], err=re.compile("exit code 3"),
         out=["spawn: ok", "event: 1 processes joined 1 -1 1", "event: 2 process failed 1 0 1"])


@needs_cluster(4, timeout=90)
def jobs_of_a_session_read_each_others_cards(cluster):
    """By the name of a space, which one of them publishes."""
    names = cluster.hosts[:4]
    with session(cluster.fold(4), "-k", "1") as name:
        first = Job([LAUNCH, "--session", name, "-hosts", ",".join(names[:2]), *WORDS, "put", "tell=first", "lookup=done=20000"], env=LIBRARY)
        first.until("tell: ok")
        expect(on(name, "-hosts", names[3], "-n", "1", *WORDS, "lookup=second=0", "find=first=20000", "from=1", "from=2", "publish=done=yes",
                  "lookup=done=0", "sleep=0.5", env=LIBRARY), err="",
               out_lines=["lookup: there is no such key or name", "find: ok", "from: card of 1", "from: there is no such key or name",
                          "publish: ok", "lookup: yes"])
        expect(first.wait(), err="", out_lines=["put: ok", "put: ok", "tell: ok", "lookup: yes", "lookup: yes"])


@needs_cluster(4, timeout=90)
def hosts_join_and_leave_as_a_rank_says(cluster):
    names = cluster.hosts[:4]
    job = Job([LAUNCH, "-hosts", f"{names[0]},{names[3]}", "-n", "1", *WORDS, f"grow={names[1]},{names[2]}", "event", f"grow={names[1]}",
               f"spawn=1;host={names[1]}+sleep=3", f"release={names[1]}", f"release={names[2]},{names[3]}", "event", "event", "event",
               f"release={names[2]}", f"release={names[1]}", f"release={names[0]}", "sleep=2"], env=LIBRARY)
    for line in ("grow: ok", re.escape(f"event: 1 hosts joined 2 -1 {cluster.fold(2, 1)}"), "grow: ok", "spawn: ok", "release: the launcher refused",
                 f"{names[1]}: release: processes of the job still run there",
                 "release: ok"):
        job.until(line)
    eventually(lambda: not cluster.pids(names[2]), 5, what="the end of all on a host that was released")
    if not [each for each in cluster.pids(names[1]) if "--relay" in each[2]]:
        fail("a host that was not released has gone")
    for line in ("event: 2 processes joined 1 -1 1", f"event: 3 hosts left 1 -1 {names[2]}", "event: 4 processes left 1 -1 1",
                 "release: the launcher refused", "release: ok", "release: the launcher refused"):
        job.until(line)
    expect(job.wait(), err_contains="could not release hosts")


@needs_cluster(5, timeout=120, tier="clock")
def hosts_join_where_jobs_go_on_without_those_that_are_lost(cluster):
    """In any tree. Where a host is lost that has new ones below it, nodes take these that have not started them."""
    names = cluster.hosts[:5]
    for degree, routing in (("1", "spawn"), ("1", "binomial"), ("3", "chain")):
        job = Job([LAUNCH, "--on-host-loss", "continue", "-k", degree, "--routing", routing, "-hosts", ",".join(names[:3]), "-n", "3",
                   "sh", "-c", 'test "$PMI_RANK" = 0 && exec "$@"; exec sleep 60', "sh",
                   *WORDS, f"grow={names[3]},{names[4]}", "event", f"spawn=2;host={names[3]},{names[4]}+sleep=60", "event",
                   "event", "event", "sleep=60"], env=LIBRARY)
        for line in ("grow: ok", "event: 1 hosts joined 2", "spawn: ok", "event: 2 processes joined 2"):
            job.until(line)
        kill_relay(cluster, names[2])
        job.until(f"event: 3 hosts left 1 -1 {names[2]}")
        kill_relay(cluster, names[4])
        job.until(f"event: 4 hosts left 1 -1 {names[4]}")
        job.signal(signal.SIGTERM)
        result = job.wait()
        if names[1] in result.err_text or names[3] in result.err_text:
            fail(f"others than {names[2]} and {names[4]} are lost\n{result}")


@needs_cluster(4, timeout=90)
def a_hundred_spawns_leave_memory_as_it_is(cluster):
    names = cluster.hosts[:2]
    job = Job([LAUNCH, "-hosts", ",".join(f"{name}:2" for name in names), "-n", "3", "sh", "-c",
               'test "$PMI_RANK" = 0 && exec "$@"; exec sleep 60', "sh", *WORDS, "again=40", "sleep=1", "again=100", "sleep=60"], env=LIBRARY)
    sizes = []
    for times in (40, 100):
        job.until(f"again: {times} times", timeout=40)
        sizes.append([private_kib(pid) for pid in (launch_pids(cluster, names[0])[-1], head_worker(job))])
    job.signal(signal.SIGTERM)
    job.wait()
    grown = max(after - before for before, after in zip(*sizes))
    if grown > 400:
        fail(f"private KiB of the relay and the head, before and after a hundred spawns: {sizes}")


@needs_cluster(4, timeout=60, tier="clock")
def a_host_that_is_lost_is_an_event(cluster):
    names = cluster.hosts[:3]
    job = Job([LAUNCH, "--on-host-loss", "continue", "-hosts", names[0], "-n", "1", *WORDS, f"grow={names[1]}", "event",
               f"spawn=1;add-host={names[2]}+sleep=60", "event", "event", "event", "event"], env=LIBRARY)
    for line in ("grow: ok", "event: 1 hosts joined 1", "spawn: ok", f"event: 2 hosts joined 1 -1 {names[2]}", "event: 3 processes joined 1"):
        job.until(line)
    kill_relay(cluster, names[1])
    job.until(f"event: 4 hosts left 1 -1 {names[1]}")
    kill_relay(cluster, names[2])
    job.until(f"event: 5 hosts left 1 -1 {names[2]}")
    expect(job.wait(), code=69, err_contains=names[2])


@needs_cluster(4, timeout=90, tier="clock")
def hosts_that_joined_are_told_when_they_are_lost_below_another(cluster):
    """Which has no rank either. Other hosts of a session are not the job's."""
    names = cluster.hosts[:4]
    words = ["-hosts", names[0], "-n", "1", *WORDS, f"grow={cluster.fold(2, 1)}", "event", "event", "event=60000"]
    chain = ["-k", "1", "--links", "ssh"]

    def loses_both(job, host):
        job.until(re.escape(f"event: 1 hosts joined 2 -1 {cluster.fold(2, 1)}"))
        kill_relay(cluster, host)
        job.until(re.escape(f"event: 2 hosts left 2 -1 {cluster.fold(2, 1)}"))
        job.signal(signal.SIGTERM)
        job.wait()

    loses_both(Job([LAUNCH, "--on-host-loss", "continue", *chain, *words], env=LIBRARY), names[1])
    expect(launch("session", "start", "--name", "chain", "-hosts", names[0], *chain), err="")
    try:
        loses_both(Job([LAUNCH, "--session", "chain", "--on-host-loss", "continue", *words], env=LIBRARY), names[1])
    finally:
        launch("session", "stop", "chain")


if __name__ == "__main__":
    main()
