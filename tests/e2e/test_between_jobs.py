#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ranks of several jobs of one session have in common: names, ports, what they do together."""
import contextlib
import os
import tempfile

from harness import *
from programs import NETWORK, mpi, pmix
from sessions import on, session

HOSTS = 8


@contextlib.contextmanager
def beside(name, *words):
    """A job that runs on the session meanwhile."""
    job = Job([LAUNCH, "--session", name, "--share", *words], stdin=b"")
    yield job
    job.done = job.wait(timeout=40)


def meets(*steps):
    return ["--pmi", "pmix", pmix("pmix_meet"), *steps]


def network():
    return [word for name, value in NETWORK.items() for word in ("-x", f"{name}={value}")]


def meet(name, program, where, times, first, second, options):
    """Two jobs, each of some ranks on some hosts; all ranks of each meet all of the other."""
    (ranks, *words), (others, *other_words) = first, second
    with beside(name, *options, "-n", ranks, *words, program, "accept", times, where) as accepts:
        connects = on(name, "--share", *options, "-n", others, *other_words, program, "connect", times, where, timeout=40)
    expect(connects, err="", out_lines=[f"connect: rank {rank} of {others} met {ranks} ranks {times} times" for rank in range(int(others))])
    expect(accepts.done, err="", out_lines=[f"accept: rank {rank} of {ranks} met {others} ranks {times} times" for rank in range(int(ranks))])


@needs_cluster(HOSTS, timeout=120)
def mpi_programs_of_two_jobs_meet(cluster):
    """By a published name: on the same hosts, on others, and on some of both."""
    program = mpi("openmpi", "mpi_meet")
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        meet(name, program, "a service", "3", ["4"], ["4"], network())
        meet(name, program, "a service", "2", ["3", "-hosts", cluster.fold(3, 4)], ["3", "-hosts", cluster.fold(3, 2)],
             network())


@needs_cluster(HOSTS, timeout=120)
def an_mpi_program_does_all_that_makes_it_grow(cluster):
    """On eight hosts: both ranks spawn onto all of them in turn, and jobs meet by a name and by a socket."""
    spawns, meets_others, join = (mpi("openmpi", each) for each in ("mpi_spawn", "mpi_meet", "mpi_join"))
    hosts = ",".join(f"{each}:4" for each in cluster.hosts[:HOSTS])
    with session(hosts, "-k", "2") as name:
        expect(on(name, *network(), "-n", "2", spawns, "8", "2", "1", "map_by=node", timeout=40), err="",
               out="2 times 10 processes met\n")
        meet(name, meets_others, "another service", "1", ["4", "-hosts", cluster.fold(4)], ["4", "-hosts", cluster.fold(4, 4)], network())
        door = f"{cluster.hosts[0]}:7878"
        with beside(name, *network(), "-hosts", cluster.hosts[0], "-n", "1", join, "listen", door) as listens:
            expect(on(name, "--share", *network(), "-hosts", cluster.hosts[7], "-n", "1", join, "dial", door, timeout=40), err="",
                   out="dial: joined, heard 1\n")
        expect(listens.done, err="", out="listen: joined, heard 2\n")


@test
def mpi_programs_of_two_jobs_meet_on_one_host():
    program, join = mpi("openmpi", "mpi_meet"), mpi("openmpi", "mpi_join")
    expect(launch("session", "start", "--name", "here"), err="", out_contains="session here: 1 host")
    try:
        meet("here", program, "a service", "10", ["2"], ["3"], [])
        with tempfile.TemporaryDirectory() as folder:
            meet("here", program, folder + "/port", "1", ["1"], ["1"], [])
            with beside("here", "-n", "1", join, "listen", folder + "/socket") as listens:
                expect(on("here", "--share", "-n", "1", join, "dial", folder + "/socket"), err="", out="dial: joined, heard 1\n")
            expect(listens.done, err="", out="listen: joined, heard 2\n")
    finally:
        launch("session", "stop", "here")


@needs_cluster(HOSTS, timeout=90)
def names_are_found_by_whom_they_are_for(cluster):
    """By their ranges, which may have the same name in several; who waits for one that another job publishes gets it."""
    host, far = cluster.fold(1), cluster.fold(1, 5)
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        published = ["publish=n=all", "publish=n=twice", "publish=j=mine=job", "publish=h=near=host", "publish=p=self=process",
                     "publish=o=first=session=once"]
        with beside(name, "-hosts", host, "-n", "1", *meets(*published, "lookup=j", "lookup=p", "lookup=h", "publish=ready=1",
                                                            "await=end=20")) as owner:
            expect(on(name, "--share", "-hosts", far, "-n", "1", *meets("await=ready=20", "lookup=n", "lookup=j", "lookup=h", "lookup=p",
                                                                       "lookup=o", "lookup=o")), err="",
                   out_lines=["0: await=ready=20: 1", "0: lookup=n: all", *(f"0: lookup={key}: NOT-FOUND" for key in "jhp"),
                              "0: lookup=o: first", "0: lookup=o: NOT-FOUND"])
            expect(on(name, "--share", "-hosts", host, "-n", "1", *meets("lookup=h", "lookup=n=job", "publish=end=now", "rest=500")), err="",
                   out_lines=["0: lookup=h: near", "0: lookup=n=job: NOT-FOUND", "0: publish=end=now: SUCCESS"])
        expect(owner.done, err="", out_lines=["0: publish=n=all: SUCCESS", "0: publish=n=twice: DUPLICATE KEY",
                                              *(f"0: {step}: SUCCESS" for step in published[2:]), "0: lookup=j: mine", "0: lookup=p: self",
                                              "0: lookup=h: near", "0: publish=ready=1: SUCCESS", "0: await=end=20: now"])


@needs_cluster(HOSTS, timeout=90)
def a_rank_withdraws_all_that_it_has_published(cluster):
    """As often as it likes, nothing in the end."""
    published = [f"publish={each}={each}" for each in ("a", "b")]
    steps = [*published, "unpublish-all", "unpublish-all", "lookup=a", "lookup=b", published[0]]
    ends = [*["SUCCESS"] * 4, *["NOT-FOUND"] * 2, "SUCCESS"]
    expect(launch("-hosts", cluster.fold(1), "-n", "1", *meets(*steps)), err="",
           out="".join(f"0: {step}: {end}\n" for step, end in zip(steps, ends)))


@needs_cluster(HOSTS, timeout=90)
def names_stay_as_long_as_they_are_to(cluster):
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        life = [f"publish={each}={each}=session={each}" for each in ("process", "job", "session")]
        expect(on(name, "--share", "-n", "2", *meets("only=0", *life)), err="", out_lines=[f"0: {step}: SUCCESS" for step in life])
        looks = [f"lookup={each}" for each in ("process", "job", "session")]
        expect(on(name, "--share", "-n", "1", *meets(*looks, "unpublish=session", "await=session=1")), err="",
               out_lines=["0: lookup=process: NOT-FOUND", "0: lookup=job: NOT-FOUND", "0: lookup=session: session",
                          "0: unpublish=session: SUCCESS", "0: await=session=1: TIMEOUT"])


@needs_cluster(HOSTS, timeout=90)
def names_of_pmi_are_for_all_jobs(cluster):
    """By PMI-1 and PMI-2, whichever of them publishes; until the publisher's job ends. PMIx has names of its own."""
    def names(version, *steps):
        return ["--pmi", f"pmi{version}", "/usr/bin/python3", os.path.join(SOURCE_DIR, "tests/mpi/pmi_names.py"), version, *steps]
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        for first, second in (("1", "2"), ("2", "1")):
            with beside(name, "-hosts", cluster.fold(1, 3), "-n", "1", *names(first, "publish=port=7", "until=done=1")) as owner:
                steps = ["until=port=7", "publish=done=1", "until=port"]
                expect(on(name, "--share", "-hosts", cluster.fold(1, 5), "-n", "1", *names(second, *steps)), err="", out_lines=steps)
            expect(owner.done, err="", out_lines=["publish=port=7", "until=done=1"])


@needs_cluster(HOSTS, timeout=120)
def jobs_connect_and_know_each_other(cluster):
    """Whether or not they have hosts in common; and once more when they have parted."""
    sides = [([cluster.fold(3), "3"], [cluster.fold(4, 4), "4"]), ([cluster.fold(3, 2), "3"], [cluster.fold(3, 3), "3"])]
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        for (hosts, ranks), (others, other_ranks) in sides:
            with beside(name, "-hosts", hosts, "-n", ranks, *meets("meet=A=B", "cards", "part", "rest=200")) as first:
                second = on(name, "--share", "-hosts", others, "-n", other_ranks, *meets("meet=B=A", "cards", "part", "rest=200"))
            for result, mine, own, other in ((first.done, "A=B", ranks, other_ranks), (second, "B=A", other_ranks, ranks)):
                expect(result, err="", out_lines=[f"{rank}: {step}" for rank in range(int(own))
                                                  for step in (f"meet={mine}: SUCCESS", f"cards: {other} of {other}", "part: SUCCESS")])


@needs_cluster(HOSTS, timeout=120)
def who_can_come_no_more_is_not_waited_for(cluster):
    """A rank that leaves, a job that ends, and a time that is up end what others wait in. (The other rank of the one that leaves
    rests, so that its job's name can still be looked up by who is late.)"""
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        for leaves, told in ((["meet=B=A"], "SUCCESS"), (["only=0", "meet=B=A=20", "rest=1500"], "PROC TERMINATED WITHOUT SYNC")):
            with beside(name, "--keep-going", "-n", "2", *meets("meet=A=B=20")) as waits:
                expect(on(name, "--share", "--keep-going", "-hosts", cluster.fold(2, 4), "-n", "2", *meets(*leaves)), err="")
            expect(waits.done, err="", out_lines=[f"{rank}: meet=A=B=20: {told}" for rank in range(2)])
        with beside(name, "-n", "2", *meets("offer=B", "await=end=20")) as late:
            expect(on(name, "--share", "-n", "2", *meets("meet=A=B=1", "publish=end=1=session=session")), err="", out_contains=["TIMEOUT"])
        expect(late.done, err="", out_lines=[f"{rank}: await=end=20: 1" for rank in range(2)])


@needs_cluster(HOSTS, timeout=90)
def groups_of_many_hosts_have_numbers_of_their_own(cluster):
    """Also those of different jobs."""
    def groups(which):
        return meets(f"group={which}0=0=3", f"group={which}1=2=5", "rest=500")
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        with beside(name, "-n", "6", *groups("a")) as first:
            second = on(name, "--share", "-n", "6", *groups("b"))
        for which, result in (("a", first.done), ("b", second)):
            expect(result, err="", out_lines=[f"{rank}: group={which}{group}={low}={high}: has a number of its own"
                                              for group, low, high in ((0, 0, 3), (1, 2, 5)) for rank in range(low, high + 1)])


if __name__ == "__main__":
    main()
