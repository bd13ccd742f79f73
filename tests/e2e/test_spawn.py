#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Processes that ranks ask for (MPI_Comm_spawn), by the wire of PMI-1 and PMI-2 and by PMIx, with and without a session."""
import contextlib
import os
import signal

from harness import *
from programs import NETWORK, mpi, need, pmix

HOSTS = 4
MANY = 8
PYTHON = "/usr/bin/python3"
SPAWNER = os.path.join(SOURCE_DIR, "tests/helpers/pmi_spawn.py")
PORT = "tag#0$here$"


def spawner(*words, version=1):
    """The ranks' program and their words."""
    by = ["--pmi2"] if version == 2 else []
    return ["--pmi", f"pmi{version}", PYTHON, SPAWNER, *by, *words]


def processes(size, number=1, programs=None, first="", port=PORT, where=None):
    """What the processes of a spawn print."""
    programs = programs or [size]
    which = [index for index, count in enumerate(programs) for _ in range(count)]
    return [f"{first}process {rank} of {size} of spawn {number}, program {which[rank]}: card_of_{(rank + 1) % size} {port}" +
            (f" {where[rank]}" if where else "") for rank in range(size)]


def on_hosts(hosts):
    """launch on them, without a session, where hosts without ranks are started when processes go there, and with one."""
    @contextlib.contextmanager
    def without():
        yield lambda *words, **options: launch("--timeout", "40", "-hosts", hosts, *words, env=NETWORK, **options)

    @contextlib.contextmanager
    def within():
        expect(launch("session", "start", "--name", "spawn", "-hosts", hosts), err="")
        try:
            yield lambda *words, **options: launch("--timeout", "40", "--session", "spawn", *words, env=NETWORK, **options)
        finally:
            launch("session", "stop", "spawn")

    return without, within


@test(tier="gate")
def processes_are_spawned_here():
    for version in (1, 2):
        expect(launch("-n", "2", *spawner("3", version=version)), out_lines=["spawned 1 rc=0", *processes(3)], err="")
        expect(launch("-n", "1", *spawner("1", "+", "2", version=version)), out_lines=["spawned 1 rc=0", *processes(3, programs=[1, 2])],
               err="")
        expect(launch("-n", "2", *spawner("--all", "1", version=version)),
               out_lines=["spawned 1 rc=0", "spawned 2 rc=0", *processes(1, 1), *processes(1, 2)], err="")
        # Those that were spawned may spawn, and nobody mixes them up.
        expect(launch("-n", "1", "-l", *spawner("--then", "spawn", "2", version=version)),
               out_lines=["[0] spawned 1 rc=0", "[1.0] spawned 2 rc=0", "[2.0] " + processes(1, 2)[0],
                          *(f"[1.{rank}] {line}" for rank, line in enumerate(processes(2)))], err="")


@test
def info_keys_are_heeded():
    with scratch() as folder:
        env = "A=b c\nB=1"  # which no line of PMI-1 can hold
        for version in (1, 2):
            keys = [f"wdir={folder}", "nobody_knows=this"] + (["env=A=b"] if version == 1 else [f"env={env}"])
            value = "b" if version == 1 else "b c"
            expect(launch("-n", "1", *spawner("--then", "host", "2", *keys, version=version)),
                   out_lines=["spawned 1 rc=0", *processes(2, where=[f"localhost {folder} {value}"] * 2)], err="")
        program = os.path.join(folder, "found_by_path")
        with open(program, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho here I am\n")
        os.chmod(program, 0o755)
        expect(launch("-n", "1", *spawner("--program", "found_by_path", "1", f"path={folder}")),
               out_lines=["spawned 1 rc=0", "here I am"], err="")


@test
def what_cannot_be_spawned_is_told():
    """The rank hears it, who may go on, and the user."""
    for words, code, why in ((["--program", "/no/such", "2"], "1,1", "/no/such: cannot execute"), (["1", "host=nohost"], "1", "nohost: not a host of this job"),
                             (["1", "wdir=/no/such"], "1", "/no/such: cannot enter"), (["1", "hostfile=/no/such"], "1", "/no/such"),
                             (["1", "map_by=ppr:x:node"], "1", "ppr:2:node"), (["4000000"], None, "at most")):
        result = expect(launch("-n", "1", *spawner(*words)), out_contains="rc=-1", err_lines=1,
                        err_contains=["rank 0 ", why])
        if code is not None and f"errcodes={code} " not in result.text:
            fail(f"no code of each process:\n{result}")
        expect(launch("-n", "1", *spawner(*words, version=2)), out_contains="rc=-1", err_contains=why, err_lines=1)
        expect(launch("-q", "-n", "1", *spawner(*words)), out_contains="rc=-1", err="")


@test(tier="gate")
def what_they_end_with_counts():
    for version in (1, 2):
        expect(launch("-n", "1", *spawner("--then", "exit 1 7", "3", version=version)), code=7,
               err_contains="rank 1.1 on localhost: ended with exit code 7")
    # A rank that was spawned and leaves without finalize ends the job, as any other.
    expect(launch("-n", "1", *spawner("--then", "exit 0 0", "2")), code=None, err_contains=["rank 1.0", "without finalize"])


@test
def what_they_write_is_gathered_with_the_job():
    rule = "-" * 15 + "\n"
    result = launch("-n", "2", "--gather", *spawner("--program", "/bin/echo", "--all", "2"))
    expect(result, err="", out_contains=[f"{rule}ranks 1.[0,1], ranks 2.[0,1] (4) on localhost\n{rule}"])
    if result.text.count(rule) != 6:
        fail(f"three groups:\n{result}")


@test(tier="clock")
def they_end_with_the_job():
    job = Job([LAUNCH, "-n", "2", *spawner("--then", "sleep", "2")])
    for _ in range(2):
        job.until("process [01] of 2")
    job.signal(signal.SIGTERM)
    expect(job.wait(), code=128 + signal.SIGTERM)
    expect(launch("--timeout", "1", "-n", "1", *spawner("--then", "sleep", "2")), code=124, err_contains="--timeout")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def free_slots_come_first(cluster):
    """And where there are too few the rank has an error of MPI, unless it or the user has said that there may be more."""
    names = cluster.hosts[:HOSTS]
    without, within = on_hosts(",".join(f"{name}:2" for name in names))
    for version, how in ((1, without), (2, within)):
        with how() as start, scratch() as folder:
            file = os.path.join(folder, "some")
            with open(file, "w", encoding="ascii") as lines:
                lines.write(f"{names[3]} slots=2\n{names[1]}\n")
            for words, hosts in ((["2"], [1, 1]), (["6"], [1, 1, 2, 2, 3, 3]), (["1", f"host={names[2]}"], [2]),
                                 (["3", "map_by=node"], [1, 2, 3]), (["3", "map_by=ppr:1:node", f"host={names[1]},{names[2]},{names[3]}"], [1, 2, 3]),
                                 (["2", f"hosts={names[3]},{names[1]}"], [3, 3]), (["3", f"hostfile={file}"], [3, 3, 1])):
                where = [f"{names[host]} {os.getcwd()} " for host in hosts]
                expect(start("-n", "2", *spawner("--then", "host", *words, version=version)),
                       out_lines=["spawned 1 rc=0", *processes(len(hosts), where=where)], err="")
            expect(start("-n", "2", *spawner("1", "host=node999", version=version)), out_contains="rc=-1",
                   err_contains="node999")
            # Those that are spawned have the room of the job, taken or not.
            expect(start("-n", "2", *spawner("--then", "universe", "3", version=version)),
                   out_lines=["spawned 1 rc=0", *processes(3, where=["universe=8"] * 3)], err="")
            expect(start("-n", "2", *spawner("--then", "exit 5 9", "6", version=version)), code=9,
                   err_contains=f"rank 1.5 on {names[3]}: ended with exit code 9")
            too_few = "too few slots are free: " + ("6 slots for 8 processes" if how is without else "6 of 8")
            expect(start("-n", "2", *spawner("8", version=version)), out_contains="rc=-1", err_lines=1,
                   err_contains=["rank 0 ", too_few])
            eight = ["spawned 1 rc=0", *processes(8)]
            expect(start("-n", "2", *spawner("8", "map_by=slot:OVERSUBSCRIBE", version=version)), out_lines=eight, err="")
            if how is without:
                expect(start("-n", "9", *spawner("8", version=version)), out_lines=eight, err_contains="note: 9 ranks on 8 slots")
                for info in ([f"host={names[3]}"], [f"host={names[3]}", "npernode=3"]):
                    expect(start("-n", "2", *spawner("3", *info, version=version)), out_contains="rc=-1", err_lines=1,
                           err_contains=f"{names[3]}: spawn: too few slots are free: 2 slots for 3 processes")
                # The first host has no two free slots.
                expect(start("-n", "1", *spawner("--then", "host", "2", "npernode=2", version=version)),
                       out_lines=["spawned 1 rc=0", *processes(2, where=[f"{names[1]} {os.getcwd()} "] * 2)], err="")
            else:
                expect(start("--share", "-n", "2", *spawner("8", version=version)), out_lines=eight, err="")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def many_times_leave_nothing(cluster):
    # There is room for one at a time, which the one before it leaves a moment after it has said that it is done.
    for how in on_hosts(cluster.fold(HOSTS)):
        with how() as start:
            times = 10
            result = start("-n", "1", *spawner("--again", str(times), "3"))
            expect(result, err="", out_lines=[line for number in range(1, times + 1)
                                              for line in [f"spawned {number} rc=0", *processes(3, number)]])


@needs_cluster(HOSTS, timeout=120, tier="clock")
def pmix_spawns_too(cluster):
    names = cluster.hosts[:HOSTS]
    for how in on_hosts(",".join(f"{name}:4" for name in names)):
        with how() as start:
            result = expect(start("-n", "2", pmix("pmix_spawn"), "3", names[1]), err="", out_contains="spawned: ")
            job = result.text.partition("spawned: ")[2].split()[0]
            parent = job.rpartition(".")[0]
            expect(result, out_lines=[f"spawned: {parent}.1", *(f"process {rank} of 3, asked for by rank 0 of {parent}, given on {names[1]}"
                                                              for rank in range(3))])
            expect(start("-n", "1", pmix("pmix_spawn"), "1", "node999"), out_contains="spawned: JOB FAILED TO LAUNCH", err_contains="node999")


@needs_cluster(HOSTS, timeout=120, tier="gate")
def pmix_changes_single_variables(cluster):
    """Of the environment of what is spawned: by an attribute for the whole spawn, and by one for the program."""
    changes = ["set", "A", "new", "add", "A", "no", "add", "B", "b", "prepend", "LIST", "first", "append", "LIST", "last", "first", "MORE", "one",
               "unset", "GONE", "prepend", "GIVEN", "more"]
    names = cluster.hosts[:HOSTS]
    for how in on_hosts(",".join(f"{name}:4" for name in names)):
        with how() as start:
            result = start("-n", "1", "-genv", "LIST", "middle", "-genv", "GONE", "here", pmix("pmix_spawn"), "1", names[1], *changes)
            expect(result, err="", out_contains="given on " + names[1] + " A=new A=new B=b LIST=first:middle:last LIST=first:middle:last MORE=one "
                   "GONE is not set GIVEN=more:given")


# What the mpirun of Open MPI 4.1 passes: ranks, the words for mpi_spawn, and what is printed; {other} is another host.
PASSES_UNDER_MPIRUN = [
    ("1", ["2"], "1 times 3"),                                        # one parent
    ("1", ["0"], "1 times 4"),                                        # two programs at once
    ("2", ["1", "8"], "8 times 3"),                                   # one after another, in the same slots
    ("1", ["1", "1", "0", "host={other}"], "1 times 2"),
    ("1", ["1", "1", "0", "hostfile={file}"], "1 times 2"),
    ("1", ["2", "1", "0", "map_by=node"], "1 times 3"),
    ("1", ["2", "1", "0", "map_by=slot"], "1 times 3"),
    ("1", ["1", "1", "0", "ppr=1:node"], "1 times 2"),
    ("1", ["1", "1", "0", "npernode=1"], "1 times 2"),
    ("1", ["1", "1", "0", "nobody_knows=this"], "1 times 2"),
]


def one_host_and_many(cluster):
    """Their names, and as a list with slots for all that is spawned there."""
    for count in (1, MANY):
        names = cluster.hosts[:count]
        yield names, ",".join(f"{name}:{4 if count > 1 else 8}" for name in names)


def spawned_of_that_list(start, names):
    """Each, by a function that starts ranks of a program."""
    program = mpi("openmpi", "mpi_spawn")
    with scratch() as folder:
        file = os.path.join(folder, "hosts")
        with open(file, "w", encoding="ascii") as lines:
            lines.write(f"{names[-1]}\n")
        for ranks, words, met in PASSES_UNDER_MPIRUN:
            words = [word.format(other=names[-1], file=file) for word in words]
            expect(start("-n", ranks, program, *words), out=f"{met} processes met\n", err="")


@needs_cluster(MANY, timeout=150)
def mpirun_passes_that_list(cluster):
    """On one host and on eight: what makes it the list of what must pass here."""
    mpirun = need("mpirun.openmpi", "openmpi-bin")

    def start(slots, *words):
        result = run([mpirun, "--allow-run-as-root", "--host", slots, *words], env=NETWORK, timeout=40)
        # Its ssh may run before mpirun sets the process group that its child has set already; mpirun warns of that and goes on.
        result.err = b"".join(line for line in result.err.splitlines(True) if b"plm:rsh: Warning: setpgid(" not in line)
        return result

    for names, slots in one_host_and_many(cluster):
        spawned_of_that_list(lambda *words, slots=slots: start(slots, *words), names)


@needs_cluster(MANY, timeout=120, tier="clock")
def open_mpi_spawns(cluster):
    """Children come from several parents in turn, two programs at once, on a host of one's own choice; and all meet. On one host and
    on eight."""
    for names, slots in one_host_and_many(cluster):
        for how in on_hosts(slots):
            with how() as start:
                spawned_of_that_list(start, names)


@needs_cluster(HOSTS, timeout=120)
def open_mpi_s_info_keys_are_heeded(cluster):
    """As it hands them on, which is by attributes of PMIx. (Of `path` it says nothing to its launcher.)"""
    program = mpi("openmpi", "mpi_spawn")
    for count in (1, 2):
        names = cluster.hosts[:count]
        here = os.getcwd()
        for how in on_hosts(",".join(f"{name}:4" for name in names)):
            with how() as start, scratch() as folder:
                last = names[-1]
                in_turn = [names[rank % count] for rank in range(2)]  # free slots are on all of them
                for size, keys, where, cwd, value in (
                        (1, [f"wdir={folder}"], names[:1], folder, "nothing"), (1, ["env=SHOWN=two words\nB=1"], names[:1], here, "two words"),
                        (1, [f"host={last}"], [last], here, "nothing"), (2, ["map_by=node"], in_turn, here, "nothing"),
                        (count, ["map_by=ppr:1:node"], names, here, "nothing"), (count, ["npernode=1"], names, here, "nothing"),
                        (2 * count, ["ppr=2:node"], [name for name in names for _ in range(2)], here, "nothing")):
                    told = [f"child {rank} on {host} in {cwd}: {value}, universe of {4 * count}" for rank, host in enumerate(where)]
                    expect(start("-n", "1", program, str(size), "1", "0", *keys, "tell=SHOWN"), err="",
                           out_lines=[*told, f"1 times {size + 1} processes met"])
                for keys in ([], ["npernode=4"]):
                    refused = start("-n", "1", program, str(4 * count), "1", "0", *keys)
                    expect(refused, code=3, out_contains="no process was started", err_contains="too few slots are free")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def processes_go_to_hosts_that_are_added(cluster):
    """By the list or by a file; those that are there already count, and stay for who comes later."""
    names = cluster.hosts[:HOSTS]
    with scratch() as folder:
        file = os.path.join(folder, "more")
        with open(file, "w", encoding="ascii") as lines:
            lines.write(f"{names[3]} slots=1\n")
        for version, how in enumerate(on_hosts(f"{names[0]}:4"), 1):
            with how() as start:
                for words, hosts in ((["3", f"add-host={names[1]},{names[2]}:2"], [1, 2, 2]), (["1", f"add-hostfile={file}"], [3]),
                                     (["3", f"add-host={names[1]}", f"host={names[0]}:2", "map_by=node"], [0, 1, 0])):
                    where = [f"{names[host]} {os.getcwd()} " for host in hosts]
                    expect(start("-n", "2", *spawner("--then", "host", *words, version=version)),
                           out_lines=["spawned 1 rc=0", *processes(len(hosts), where=where)], err="")
    program = mpi("openmpi", "mpi_spawn")
    for how in on_hosts(f"{names[0]}:4"):
        with how() as start:
            expect(start("-n", "2", program, "2", "3", "1", f"add-host={names[1]}:2"), out="3 times 4 processes met\n", err="")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_host_that_cannot_be_added_is_the_spawns_error(cluster):
    """The job goes on, and with it who may have come."""
    names = cluster.hosts[:HOSTS]
    for version, how in enumerate(on_hosts(f"{names[0]}:2"), 1):
        with how() as start:
            result = expect(start("-n", "1", *spawner("2", f"add-host={names[1]},nowhere", version=version)), out_contains="rc=-1",
                            err_contains=["rank 0 ", "nowhere: ", "look-up failed"], err_lines=1)
            if names[1] in result.err.decode():
                fail(f"a host is blamed that came:\n{result}")
    expect(launch("-n", "1", *spawner("2", f"add-host={names[1]}")), out_contains="rc=-1", err_lines=1,
           err_contains=["-hosts"])


@needs_cluster(HOSTS, timeout=120, tier="clock")
def hosts_that_are_added_need_slots_for_all(cluster):
    """Else the rank has an error of MPI, and no host joins; unless the user, or who asks, has said that there may be more."""
    names = cluster.hosts[:HOSTS]
    for version, how in enumerate(on_hosts(f"{names[0]}:2"), 1):
        with how() as start:
            def spawns(ranks, size, *info, more=()):
                return start(*more, "-n", ranks, *spawner(size, *info, version=version))
            expect(spawns("1", "3", f"add-host={names[1]}"), out_contains="rc=-1", err_lines=1,
                   err_contains=["rank 0 ", f"{names[1]}: ", "1 slot for 3",
                                 "add-host HOST:SLOTS", "oversubscribe"])
            if cluster.pids(names[1]):
                fail(f"a host has joined for nothing: {cluster.pids(names[1])}")
            expect(spawns("1", "2", f"add-host={names[2]}:2"), out_lines=["spawned 1 rc=0", *processes(2)], err="")
            expect(spawns("1", "3", f"add-host={names[1]}", "map_by=slot:OVERSUBSCRIBE"), out_lines=["spawned 1 rc=0", *processes(3)], err="")
            # More ranks than slots were the user's own choice; a session has more of them by now.
            allowed = () if version == 1 else ("--share",)
            expect(spawns("3", "3", f"add-host={names[3]}", more=allowed), out_lines=["spawned 1 rc=0", *processes(3)], err=None)


if __name__ == "__main__":
    main()
