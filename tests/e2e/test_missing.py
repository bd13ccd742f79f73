#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts that cannot be started: --allow-missing goes on without them, --spares has others take their places."""
import contextlib
import os
import re
import signal

from harness import *
from programs import NETWORK, mpi
from starts import PLACE, REFUSED, failed, listed, places, slow


def fold(cluster, *numbers):
    """As launch does, where no two stand side by side."""
    prefix = cluster.hosts[0].rstrip("0123456789")
    names = [cluster.hosts[i][len(prefix):] for i in numbers]
    return f"{prefix}[{','.join(names)}]" if len(names) > 1 else cluster.hosts[numbers[0]]


@contextlib.contextmanager
def dead(cluster, *numbers):
    for i in numbers:
        cluster.kill(cluster.hosts[i])
    try:
        yield
    finally:
        cluster.reset()


@needs_cluster(10, timeout=90, tier="gate")
def the_job_goes_on_without_them(cluster):
    """Wherever in the tree they are: the first has others below it in the first three of these."""
    for degree, missing in (("1", [0]), ("2", [0, 3, 5]), ("3", [0, 8]), ("3", [1, 4]), ("32", [8])):
        left = [host for i, host in enumerate(cluster.hosts[:9]) if i not in missing]
        names = fold(cluster, *missing)
        expect(launch("--allow-missing", "-k", degree, "-hosts", listed(cluster, 9, missing), *PLACE),
               out_lines=places(left), err_lines=2,
               err_contains=[failed(names, REFUSED, note=True),
                             f"launch: note: goes on without {names}: {len(left)} ranks on {len(left)} hosts\n"])


@needs_cluster(10, timeout=90, tier="clock")
def a_dead_host_is_missing(cluster):
    names = cluster.fold(2, 2)
    with dead(cluster, 2, 3):
        result = launch("--allow-missing", "--connect-timeout", "2", "-k", "2", "-hosts", cluster.fold(6), "-ppn", "2", *PLACE)
        expect(result, out_lines=places([cluster.hosts[i] for i in (0, 1, 4, 5)], 2), within=20,
               # Its network goes a moment after the host: each may be found in another state.
               err_contains=[re.compile(f"^launch: note: {re.escape(cluster.hosts[2])}(, from \\S+)?: connect: |\\[\\S*\\](, from \\S+)?: connect: ", re.M),
                             f"goes on without {names}: 8 ranks on 4 hosts"])


@test(tier="clock")
def the_run_is_counted_from_when_ranks_start():
    """A host that does not answer is the last of which anything is known."""
    with scratch() as folder:
        agent = os.path.join(folder, "agent")
        with open(agent, "w", encoding="ascii") as file:
            file.write('[ "$1" = silent ] && exec sleep 100; shift; exec sh -c "$*"\n')
        result = launch("-v", "--allow-missing", "--start-timeout", "2", "--transport", f"command:sh {agent} {{host}}",
                        "-hosts", "here,silent", "sleep", "1")
    expect(result)
    start, ran = map(float, re.search(r"start ([\d.]+) s, run ([\d.]+) s, end", result.err_text).groups())
    if start < 1.9 or ran < 0.9 or start + ran > 10:
        fail(str(result))


@needs_cluster(10, timeout=90, tier="gate")
def spares_take_their_places(cluster):
    for degree in ("1", "2", "3"):
        result = launch("--spares", "3", "-k", degree, "-hosts", listed(cluster, 9, [0]), *PLACE)
        expect(result, out_lines=places([cluster.hosts[i] for i in (6, 1, 2, 3, 4, 5)]), err_lines=2,
               err_contains=[failed(cluster.hosts[0], REFUSED, note=True),
                             f"launch: note: {cluster.hosts[6]} takes the place of {cluster.hosts[0]}\n"])
        # A spare may be missing as well.
        result = launch("--spares", "3", "-k", degree, "-hosts", listed(cluster, 9, [1, 3, 6]), *PLACE)
        expect(result, out_lines=places([cluster.hosts[i] for i in (0, 7, 2, 8, 4, 5)]), err_lines=2,
               err_contains=[failed(fold(cluster, 1, 3, 6), REFUSED, note=True),
                             f"{cluster.fold(2, 7)} take the places of {fold(cluster, 1, 3)}, in this order\n"])
    result = launch("--spares", "3", "-k", "2", "-hosts", listed(cluster, 9, [7]), *PLACE)
    expect(result, out_lines=places(cluster.hosts[:6]), err_lines=1,
           err_contains=failed(cluster.hosts[7], REFUSED, note=True))


@needs_cluster(10)
def each_program_stays_on_its_own_hosts(cluster):
    a, b, c, d, e = cluster.hosts[:5]
    gone = f"{b}:1:1"
    where = ["sh", "-c", "echo $0 $LAUNCH_RANK $(hostname)"]
    for degree in ("1", "3"):
        result = launch("-v", "--allow-missing", "-k", degree, "-host", f"{a},{gone}", "-n", "2", *where, "X", ":",
                        "-host", f"{c},{d}", "-n", "2", *where, "Y")
        expect(result, out_lines=[f"X 0 {a}", f"X 1 {a}", f"Y 2 {c}", f"Y 3 {d}"],
               err_contains=[failed(b, REFUSED, note=True), f"launch: note: goes on without {b}: 4 ranks on 3 hosts\n",
                             "launch: note: 4 ranks on 3 slots\n", "launch: up: 3 of 4 hosts after "])
        result = launch("--spares", "1", "-k", degree, "-host", f"{a},{gone}", "-n", "2", *where, "X", ":",
                        "-host", f"{c},{d},{e}", "-n", "2", *where, "Y")
        expect(result, out_lines=[f"X 0 {a}", f"X 1 {e}", f"Y 2 {c}", f"Y 3 {d}"],
               err_contains=f"launch: note: {e} takes the place of {b}\n")
    expect(launch("--allow-missing", "-host", gone, "-n", "1", "true", ":", "-host", a, "-n", "1", "hostname"), code=69, out="",
           err_contains=[f"launch: {b}: {REFUSED}", "no host"])


@needs_cluster(10)
def nothing_is_said_where_nothing_is_missing(cluster):
    for options in (["--allow-missing"], ["--spares", "2"], ["--spares", "2", "--allow-missing"]):
        expect(launch(*options, "-hosts", cluster.fold(8), *PLACE), err="",
               out_lines=places(cluster.hosts[:6 if "2" in options else 8]))
        # As many as asked for, on hosts that are up.
        expect(launch(*options, "-n", "2", "-hosts", cluster.fold(8), *PLACE), err="", out_lines=places(cluster.hosts[:2]))


@needs_cluster(10, tier="clock")
def too_few_spares_are_fatal(cluster):
    for degree in ("1", "3"):
        result = launch("--spares", "1", "-k", degree, "-hosts", listed(cluster, 7, [0, 2, 3]), "echo", "ran")
        expect(result, code=69, out="", err_lines=2, within=15,
               err_contains=["too few spares (1)", "--allow-missing",
                             re.compile(rf"^launch: \S+(, from \S+)?: {REFUSED}", re.M)])
        result = launch("--spares", "1", "--allow-missing", "-k", degree, "-hosts", listed(cluster, 7, [0, 2, 3]), *PLACE)
        expect(result, out_lines=places([cluster.hosts[i] for i in (6, 1, 4, 5)]), err_lines=3,
               err_contains=[f"{cluster.hosts[6]} takes the place of {cluster.hosts[0]}\n",
                             f"goes on without {cluster.fold(2, 2)}: 4 ranks on 4 hosts\n"])


@needs_cluster(4, tier="gate")
def without_the_options_a_missing_host_is_fatal(cluster):
    expect(launch("-k", "2", "-hosts", listed(cluster, 3, [1]), "true"), code=69, err_lines=1,
           err_contains=failed(cluster.hosts[1], REFUSED))


@needs_cluster(4)
def all_hosts_missing_is_fatal(cluster):
    for options in (["--allow-missing"], ["--spares", "2"], ["--spares", "2", "--allow-missing"]):
        result = launch(*options, "-hosts", listed(cluster, 4, range(4)), "echo", "ran")
        expect(result, code=69, out="", err_lines=1, err_contains=failed(cluster.fold(4), REFUSED))


@needs_cluster(6)
def how_many_ranks_there_are(cluster):
    """Without -n, as many as the slots that are left; with it, so many; a program without -n takes what is left."""
    hosts = listed(cluster, 4, [1]).replace(":1:1", ":1:4")
    with_slots = ",".join(host if ":" in host else f"{host}:2" for host in hosts.split(","))
    slots = [cluster.hosts[0]] * 2 + [cluster.hosts[2]] * 2 + [cluster.hosts[3]] * 2
    expect(launch("--allow-missing", "-hosts", with_slots, "hostname"), out_lines=slots)
    expect(launch("--allow-missing", "-n", "5", "-hosts", with_slots, "hostname"), out_lines=slots[:5], err_lacks="slots")
    expect(launch("--allow-missing", "-n", "7", "-hosts", with_slots, "hostname"), out_lines=[slots[0], *slots],
           err_contains="note: 7 ranks on 6 slots")
    several = ["-n", "1", "sh", "-c", "echo first of $LAUNCH_SIZE", ":", "sh", "-c", "echo rest of $LAUNCH_SIZE"]
    expect(launch("--allow-missing", "-hosts", with_slots, *several), out_lines=["first of 6"] + ["rest of 6"] * 5)
    expect(launch("--allow-missing", "-hosts", listed(cluster, 2, [1]), *several), code=69, out="", err_lines=2,
           err_contains=["no slot", REFUSED])


@needs_cluster(4)
def independent_hosts_do_not_wait_for_each_other(cluster):
    """One is missing, one fails: the others write, each line with its host."""
    up = [cluster.hosts[i] for i in (0, 2, 3)]
    where = ["-hosts", listed(cluster, 4, [1])]
    expect(launch("--independent", *where, "sh", "-c", "test $LAUNCH_RANK != 0 || exit 7; sleep 3; echo up"), code=7,
           out_lines=[f"{host}: up" for host in up[1:]],
           err_contains=[f"goes on without {cluster.hosts[1]}: 3 ranks on 3 hosts", f"rank 0 on {up[0]}: ended with exit code 7"])
    expect(launch("--independent", *where, "echo", "up"), out_lines=[f"{host}: up" for host in up])
    expect(launch("--independent", "--no-allow-missing", *where, "echo", "up"), code=69, out="", err_contains=REFUSED)


@needs_cluster(6)
def the_exit_code_is_that_of_the_ranks(cluster):
    hosts = listed(cluster, 5, [1])
    expect(launch("--allow-missing", "-hosts", hosts, "sh", "-c", "test $LAUNCH_RANK != 2 || exit 7"), code=7,
           err_contains=f"rank 2 on {cluster.hosts[3]}: ended with exit code 7")
    expect(launch("--spares", "1", "-hosts", hosts, "sh", "-c", "test $LAUNCH_RANK != 1 || exit 7"), code=7,
           err_contains=f"rank 1 on {cluster.hosts[4]}: ended with exit code 7")
    expect(launch("--quiet", "--allow-missing", "-hosts", hosts, "true"), err="")
    expect(launch("--allow-missing", "-hosts", hosts, "no-such-program"), code=127, err_contains="no-such-program: ")


@needs_cluster(6)
def standard_input_reaches_its_rank(cluster):
    hosts = listed(cluster, 5, [0])
    for options in (["--spares", "1"], ["--allow-missing"]):
        expect(launch(*options, "-hosts", hosts, "-l", "cat", stdin="a\nb\n"), out="[0] a\n[0] b\n")
        expect(launch(*options, "-hosts", hosts, "--stdin", "3", "-l", "cat", stdin="a\n"), out="[3] a\n")
        expect(launch(*options, "-k", "1", "-hosts", hosts, "--stdin", "all", "-l", "cat", stdin="a\n"),
               out_lines=[f"[{rank}] a" for rank in range(4)])
    expect(launch("--allow-missing", "-hosts", hosts, "--stdin", "4", "cat", stdin="a\n"), code=69, out="",
           err_contains="--stdin 4: the last rank is 3")


@needs_cluster(6)
def a_slow_host_is_waited_for(cluster):
    with slow(cluster, cluster.hosts[1], 1.5):
        for degree in ("1", "8"):
            result = launch("--allow-missing", "-k", degree, "-hosts", listed(cluster, 4, [2]), *PLACE)
            expect(result, out_lines=places([cluster.hosts[i] for i in (0, 1, 3)]))


@needs_cluster(6)
def ranks_are_signalled_like_others(cluster):
    job = Job([LAUNCH, "--spares", "1", "-k", "1", "-hosts", listed(cluster, 5, [1]), "sh", "-c",
               "trap 'echo got it; exit 0' USR1; echo up; while :; do sleep 0.1; done"])
    for _ in range(4):
        job.until("up")
    job.signal(signal.SIGUSR1)
    result = job.wait(15)
    expect(result, out_contains="got it\n" * 2)
    if result.text.count("got it") != 4:
        fail(str(result))


def mpi_programs_run(cluster, library):
    ring, names = mpi(library, "mpi_ring"), mpi(library, "mpi_names")
    for degree, options, missing, hosts in (("1", ["--allow-missing"], [1, 3], 6), ("2", ["--spares", "3"], [0, 2], 5),
                                            ("3", ["--spares", "1", "--allow-missing"], [1, 3], 6)):
        words = [*options, "--timeout", "40", "-k", degree, "-ppn", "2", "-hosts", listed(cluster, 8, missing)]
        expect(launch(*words, ring, env=NETWORK, timeout=45), out=f"ring of {2 * hosts}: token {2 * hosts}\n")
    # Their numbers of hosts and of neighbours are those of the hosts that are left.
    hosts = [cluster.hosts[i] for i in (0, 5, 2, 3, 4)]
    expect(launch("--spares", "1", "-ppn", "2", "-hosts", listed(cluster, 6, [1]), names, env=NETWORK, timeout=45),
           out_lines=[f"{rank} 10 {rank % 2} 2 {hosts[rank // 2]}" for rank in range(10)])


@needs_cluster(8, timeout=240, tier="clock")
def mpich_programs_run(cluster):
    mpi_programs_run(cluster, "mpich")


@needs_cluster(8, timeout=240, tier="clock")
def openmpi_programs_run(cluster):
    mpi_programs_run(cluster, "openmpi")


if __name__ == "__main__":
    main()
