#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The PMIx service of a node alone, without relays: pmix_node plays the launcher around it, pmix_client the ranks."""
import os
import re

from harness import *
from programs import need, pmix


def nodes(count, ranks, *words, options=(), **more):
    return run([pmix("pmix_node"), "--nodes", str(count), "-n", str(ranks), *options, *words], **more)


def client(count, ranks, *words, **more):
    return nodes(count, ranks, pmix("pmix_client"), *words, **more)


@test(tier="gate")
def every_rank_reads_every_card():
    for what in ("collect", "direct"):
        for count, ranks in ((1, 1), (1, 4), (2, 1), (3, 2)):
            print("   ", what, count, ranks)
            expect(client(count, ranks, what))
    expect(client(2, 2, "collect", "20000"))


@test(tier="clock")
def a_missing_key_says_so():
    expect(client(2, 1, "missing"), out_lines=["0: ?TIMEOUT ?NOT-FOUND", "1: ?NOT-FOUND ?TIMEOUT"], within=15)


@test
def fences_of_groups_do_not_mix():
    expect(client(3, 2, "groups"))


@test
def ranks_know_their_place():
    result = client(2, 2, "keys")
    expect(result)
    told = {line.split()[0]: dict(word.split("=", 1) for word in line.split()[1:] if "=" in word) for line in result.lines}
    for rank in range(4):
        mine = told[str(rank)]
        wanted = {"lrank": rank % 2, "nrank": rank % 2, "appnum": 0, "apprank": rank, "grank": rank, "nodeid": rank // 2,
                  "hname": f"host{rank // 2}", "job.size": 4, "max.size": 4, "univ.size": 4, "local.size": 2,
                  "lpeers": f"{rank // 2 * 2},{rank // 2 * 2 + 1}", "lldr": rank // 2 * 2, "num.nodes": 2, "job.napps": 1}
        for key, value in wanted.items():
            if mine["pmix." + key] != str(value):
                fail(f"rank {rank}: {key} is {mine['pmix.' + key]}, not {value}")


@test
def ranks_know_where_the_others_are():
    result = client(3, 2, "places")
    expect(result)
    for line in result.lines:
        hosts = [place.split("/")[0] for place in line.split()[1:]]
        if hosts != ["host0", "host0", "host1", "host1", "host2", "host2"]:
            fail(line)


@test(tier="gate")
def names_are_published_looked_up_and_withdrawn():
    expect(client(2, 2, "names"), out_lines=[f"{rank}: at a port of 0, 4242 of 0, NOT-FOUND" for rank in range(4)])


@test
def an_event_reaches_whom_its_range_names():
    for what, ranks in (("namespace", range(1, 6)), ("global", range(1, 6)), ("local", [1]), ("custom", [1, 5])):
        expect(client(3, 2, "event", what),
               out_lines=[f"{rank}: heard " + ("-3007 from 0 hello" if rank in ranks else "nothing") for rank in range(1, 6)])


@test
def a_death_is_told_to_those_who_asked():
    result = nodes(2, 2, pmix("pmix_client"), "death", options=["--notify"])
    expect(result, code=134, out_lines=[f"{rank}: heard -7 from 0 of 0" for rank in (1, 2, 3)])


@test
def what_needs_a_head_is_refused_where_there_is_none():
    for count, ranks in ((2, 2), (3, 1)):
        expect(client(count, ranks, "headless"),
               out_lines=[f"{rank}: JOB FAILED TO LAUNCH BAD-PARAM BAD-PARAM" for rank in range(count * ranks)])


@test
def queries_are_answered_or_refused():
    result = client(2, 1, "queries")
    expect(result)
    for line in result.lines:
        if not re.fullmatch(r"[01]: 'test-\d+' 0 '' 0 NOT-SUPPORTED mine", line):
            fail(line)


@test
def what_a_rank_has_left_behind_can_be_read():
    expect(client(2, 2, "legacy"), out_lines=[f"{rank}: read it" for rank in range(3)])


@test
def an_abort_carries_code_and_message():
    result = client(2, 2, "abort", "7")
    if "abort 3 7 the client says so" not in result.err_text:
        fail(str(result))


@test
def one_that_leaves_without_finalize_is_noticed():
    result = client(2, 2, "leave")
    if "rank 3 left with 0" not in result.err_text:
        fail(str(result))


@test
def a_fetch_of_one_that_never_publishes_is_answered():
    result = nodes(1, 2, "true", options=["--fetch"])
    expect(result)
    for rank in range(2):
        if f"fetched {rank}: the rank has published nothing" not in result.err_text:
            fail(str(result))
    result = nodes(1, 2, pmix("pmix_client"), "direct", options=["--fetch"])
    expect(result)
    if len(re.findall(r"fetched \d: \d\d\d bytes", result.err_text)) != 2:
        fail(str(result))


@test
def a_node_without_libpmix_says_what_to_do():
    env = {**os.environ, "LAUNCH_LIBPMIX": "/no/such/libpmix.so"}
    result = nodes(1, 1, "true", env=env)
    expect(result, code=70, err_contains=["offer PMIx: libpmix cannot be loaded: /no/such/libpmix.so", "install libpmix2"])


MPI_SOURCE = r"""
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int rank, size, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1 && rank == size - 1) raise(SIGSEGV);
    if (argc > 1) sleep(60);
    printf("%d of %d: %d\n", rank, size, sum);
    MPI_Finalize();
}
"""


def build_mpi_program(folder):
    source, program = os.path.join(folder, "program.c"), os.path.join(folder, "program")
    with open(source, "w") as file:
        file.write(MPI_SOURCE)
    expect(run([need("mpicc.openmpi", "libopenmpi-dev"), source, "-o", program]))
    return program


@test
def an_open_mpi_program_starts():
    with scratch() as folder:
        program = build_mpi_program(folder)
        for count, ranks in ((1, 1), (1, 3), (2, 1), (2, 2)):
            size = count * ranks
            # The nodes are one machine, which has perhaps no network but its own.
            expect(nodes(count, ranks, program, timeout=60, env={"OMPI_MCA_btl_tcp_if_include": "lo"}),
                   out_lines=[f"{rank} of {size}: {size * (size - 1) // 2}" for rank in range(size)])


@test
def an_open_mpi_program_that_crashes_leaves_no_file():
    with scratch() as folder:
        before = set(os.listdir("/dev/shm"))
        result = nodes(1, 2, build_mpi_program(folder), "crash", timeout=60)
        if "rank 1 left with 139" not in result.err_text:
            fail(str(result))
        if set(os.listdir("/dev/shm")) - before:
            fail(f"left: {set(os.listdir('/dev/shm')) - before}")


if __name__ == "__main__":
    main()
