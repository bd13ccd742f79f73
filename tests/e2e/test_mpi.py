#!/usr/bin/env python3
"""Real MPI programs, and raw clients of PMI-1 and PMIx, good and bad, over real hosts and trees of all degrees."""
import contextlib
import functools
import os
import re
import shutil
import signal
import socket
import subprocess

from harness import *

HOSTS = 8
DEGREES = ["1", "2", "3", "32"]
# What the test hosts need, since they share one kernel: only the network is common to them.
NETWORK = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1",
           "OMPI_MCA_btl_tcp_if_include": "eth0"}
PACKAGES = {"mpich": "mpich libmpich-dev", "openmpi": "openmpi-bin libopenmpi-dev"}


def mpi(library, name):
    path = os.path.join(HELPERS, library, name)
    if not os.path.exists(path):
        raise Skip(f"{library}/{name} was not built (packages {PACKAGES[library]})")
    return path


def pmix(name):
    if not os.path.exists(helper(name)):
        raise Skip(f"{name} was not built (package libpmix-dev)")
    return helper(name)


def need(program, package):
    path = shutil.which(program)
    if not path:
        raise Skip(f"{program} is missing (package {package})")
    return path


def job(cluster, *words, hosts=HOSTS, ppn=2, env=None, **options):
    """launch on so many hosts; whatever happens, it ends."""
    return launch("--timeout", "40", "-hosts", cluster.fold(hosts), "-ppn", str(ppn), *words, env={**NETWORK, **(env or {})},
                  timeout=45, **options)


def of_each_library(function):
    """A test for MPICH and one for Open MPI."""
    for library in PACKAGES:
        def one(cluster, library=library):
            function(cluster, library)
        one.__name__ = f"{library}_{function.__name__}"
        needs_cluster(HOSTS, timeout=90)(one)
    return function


def names(rank, host):
    """A message about the rank says where it is."""
    return re.compile(rf"^launch: (rank {rank} on {host}|{host}: rank {rank}): ", re.M)


# --- MPI programs


@of_each_library
def ranks_know_their_places(cluster, library):
    for degree in ("1", "3"):
        expect(job(cluster, "-k", degree, mpi(library, "mpi_names")), err="",
               out_lines=[f"{rank} 16 {rank % 2} 2 {cluster.hosts[rank // 2]}" for rank in range(16)])
    hosts = ",".join(f"{host}:{slots}" for host, slots in zip(cluster.hosts, (3, 1, 2)))
    places = [(0, 0, 3), (1, 0, 1), (2, 0, 2), (0, 1, 3), (2, 1, 2), (0, 2, 3)]
    expect(launch("-hosts", hosts, "-map-by", "cyclic", "-n", "6", mpi(library, "mpi_names"), env=NETWORK), err="",
           out_lines=[f"{rank} 6 {local} {of} {cluster.hosts[host]}" for rank, (host, local, of) in enumerate(places)])


@of_each_library
def ranks_exchange_messages(cluster, library):
    expect(job(cluster, "-k", "2", mpi(library, "mpi_ring")), out="ring of 16: token 16\n", err="")
    expect(job(cluster, "-k", "32", mpi(library, "mpi_allreduce")), out="allreduce of 16: 0 wrong\n", err="")


@of_each_library
def several_programs_are_one_world(cluster, library):
    program = mpi(library, "mpi_ring")
    expect(launch("-hosts", cluster.fold(4), "-n", "1", program, ":", "-n", "3", "env", "A=B", program, env=NETWORK),
           out="ring of 4: token 4\n", err="")


@of_each_library
def empty_programs_end(cluster, library):
    for words in (["--modex", "gather"], ["--modex", "on-demand"]):
        expect(job(cluster, *words, mpi(library, "mpi_empty")), out="", err="")


@of_each_library
def abort_names_the_rank(cluster, library):
    result = job(cluster, "-k", "2", mpi(library, "mpi_end"), "abort", "5", "7")
    expect(result, code=7, err_contains=[names(5, cluster.hosts[2]), "abort"])


@of_each_library
def a_crash_is_named(cluster, library):
    result = job(cluster, "-k", "3", mpi(library, "mpi_end"), "segv", "15")
    expect(result, code=139, err_contains=[names(15, cluster.hosts[7]), "signal 11"], err_lines=1)


@of_each_library
def leaving_without_finalize_is_named(cluster, library):
    for code in ("0", "3"):
        result = job(cluster, "-k", "2", mpi(library, "mpi_end"), "exit", "5", code)
        if result.code == 0 or code == "3" and result.code != 3:
            fail(str(result))
        expect(result, code=None, err_contains=[names(5, cluster.hosts[2])] + (["finalize"] if code == "0" else []))


@functools.lru_cache
def python_with_mpi4py():
    for python in ("/usr/bin/python3",):
        if subprocess.run([python, "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    raise Skip("mpi4py is missing (package python3-mpi4py)")


@needs_cluster(HOSTS)
def mpi4py_says_hello(cluster):
    script = os.path.join(SOURCE_DIR, "tests/mpi/hello.py")
    expect(job(cluster, "-k", "2", python_with_mpi4py(), script, ppn=1), err="",
           out_lines=[f"hello from {rank} of 8, sum 36, 8 hosts" for rank in range(8)])


@of_each_library
def wrapped_programs_are_ranks(cluster, library):
    program = mpi(library, "mpi_ring")
    expect(job(cluster, "-n", "16", "nice", "-5", program, hosts=4, ppn=4), out="ring of 16: token 16\n", err="")
    for wrapper in (["env", "A=B", program], ["sh", "-c", f"A=B; {program}; exit $?"]):
        expect(job(cluster, *wrapper, hosts=2), out="ring of 4: token 4\n", err="")


@needs_cluster(HOSTS, timeout=90)
def valgrind_wraps_an_mpi_program(cluster):
    valgrind = need("valgrind", "valgrind")
    expect(job(cluster, valgrind, "-q", mpi("mpich", "mpi_empty"), hosts=2, ppn=1), out="")
    expect(job(cluster, valgrind, "-q", helper("pmi_cards"), hosts=4, ppn=1), out="cards of 4 ranks are right\n", err="")


@of_each_library
def a_job_inside_a_rank_is_its_own(cluster, library):
    """The outer job's identity does not reach the inner one's ranks."""
    inner = f'"{LAUNCH}" --transport local -n 2 {mpi(library, "mpi_names")}'
    stale = {"PMI_RANK": "7", "PMI_SIZE": "9", "PMI_FD": "77", "PMIX_RANK": "7", "PMIX_NAMESPACE": "x", "OMPI_COMM_WORLD_RANK": "7",
             "SLURM_PROCID": "7", "SLURM_JOBID": "1"}
    host = cluster.hosts[0]
    expect(launch("-hosts", host, "-n", "1", "sh", "-c", inner, env={**NETWORK, **stale}), err="",
           out_lines=[f"{rank} 2 {rank} 2 {host}" for rank in range(2)])


@needs_cluster(HOSTS)
def one_program_follows_another_in_a_rank(cluster):
    twice = "{0} && {0}"
    expect(job(cluster, "sh", "-c", twice.format(helper("pmi_cards")), hosts=2), out="cards of 4 ranks are right\n" * 2, err="")
    ring = twice.format(mpi("mpich", "mpi_ring"))
    expect(job(cluster, *PORT, "sh", "-c", ring, hosts=2), out="ring of 4: token 4\n" * 2, err="")
    # MPICH shuts down for all who come after it what it inherited.
    expect(job(cluster, "sh", "-c", ring, hosts=2), code=141, out="ring of 4: token 4\n", err_contains=["try --pmi pmi1-port"])


@needs_cluster(HOSTS)
def ranks_that_meet_nobody_are_noticed(cluster):
    """An MPI program that was offered only what it does not speak: each rank is alone."""
    result = job(cluster, "--pmi", "pmix", mpi("mpich", "mpi_empty"), hosts=2, ppn=1)
    expect(result, code=None, err_contains=["PMI"], err_lines=1)


# --- raw PMI-1


@needs_cluster(HOSTS, timeout=90)
def every_card_of_every_rank_arrives(cluster):
    for degree in DEGREES:
        for modex in ("auto", "gather", "on-demand"):
            expect(job(cluster, "-k", degree, "--modex", modex, helper("pmi_cards"), "--cards", "2", "--fences", "3", "--missing",
                       "--limits", "--publish", "--delay", "10", ppn=3), out="cards of 24 ranks are right\n", err="")
    expect(job(cluster, "-k", "2", helper("pmi_cards"), "--size", "860", "--cards", "20", "--read", "next", ppn=8),
           out="cards of 64 ranks are right\n", err="")


@needs_cluster(HOSTS)
def the_mapping_is_told(cluster):
    for words, vector in ((["-ppn", "2"], "(vector,(0,8,2))"), (["-n", "1"], "(vector,(0,1,1))"),
                          (["-n", "16", "-map-by", "cyclic"], "(vector,(0,8,1))")):
        expect(launch("-hosts", cluster.fold(HOSTS), *words, helper("pmi_cards"), "--mapping"), out_contains=[f"mapping {vector}\n"])


# What sudo and many a wrapper do: the program has its standard streams, and nothing else of ours.
PYTHON = "/usr/bin/python3"
CLOSES_FDS = [PYTHON, "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"]
PORT = ["--pmi", "pmi1-port"]


@needs_cluster(HOSTS, timeout=90)
def programs_behind_closed_descriptors_come_to_a_port(cluster):
    for degree in ("1", "3"):
        expect(job(cluster, *PORT, "-k", degree, *CLOSES_FDS, helper("pmi_cards"), "--missing", "--limits", "--publish", ppn=3),
               out="cards of 24 ranks are right\n", err="")
    expect(job(cluster, *PORT, "-k", "2", *CLOSES_FDS, mpi("mpich", "mpi_ring")), out="ring of 16: token 16\n", err="")
    # All that is needed of the environment, as where sudo empties it.
    network = " ".join(f"{name}={value}" for name, value in NETWORK.items())
    emptied = f"exec env -i PMI_PORT=$PMI_PORT PMI_ID=$PMI_ID {network} "
    for program, out in ((mpi("mpich", "mpi_ring"), "ring of 4: token 4\n"), (helper("pmi_cards"), "cards of 4 ranks are right\n")):
        expect(job(cluster, *PORT, "sh", "-c", emptied + program, hosts=2), out=out, err="")
    # Without a port each such rank has no way to us.
    expect(job(cluster, *CLOSES_FDS, helper("pmi_cards"), hosts=1, ppn=1), code=None, err_contains=["closed"])


@needs_cluster(HOSTS, timeout=90)
def at_the_port_a_rank_is_what_it_is_elsewhere(cluster):
    """One after the other in the same rank; aborts, vanishes and breaks rules."""
    twice = f"{helper('pmi_cards')} --size 20 && exec {helper('pmi_cards')} --size 30"
    expect(job(cluster, *PORT, "sh", "-c", twice, hosts=2), out="cards of 4 ranks are right\n" * 2, err="")
    # Each comes while the end of the one before may lie unread.
    many = f"for i in 1 2 3 4 5 6 7 8 9 10; do {helper('pmi_cards')} --size 20 || exit 1; done"
    expect(job(cluster, *PORT, "sh", "-c", many, hosts=2), out="cards of 4 ranks are right\n" * 10, err="")
    result = job(cluster, *PORT, *CLOSES_FDS, mpi("mpich", "mpi_end"), "abort", "5", "7", hosts=4)
    expect(result, code=7, err_contains=[names(5, cluster.hosts[2])])
    for mode, code, key in (("abort", 42, "out of coffee"), ("unknown", None, "PMI-1"), ("close", None, "without finalize"),
                            ("vanish", None, "finalize"), ("die_in_fence", 137, "signal 9")):
        words = [mode, "3"] + (["42"] if mode == "abort" else [])
        expect(job(cluster, *PORT, "-k", "2", helper("pmi_hostile"), *words, hosts=4), code=code, out="",
               err_contains=[names(3, cluster.hosts[1]), key], err_lines=1)


@needs_cluster(HOSTS, timeout=90)
def strangers_at_the_port_spoil_nothing(cluster):
    strangers = [PYTHON, os.path.join(SOURCE_DIR, "tests/mpi/strangers.py")]
    result = job(cluster, *PORT, *strangers, helper("pmi_cards"), "--fences", "2", "--delay", "2000", hosts=2, ppn=1)
    each = ["rubbish closed", "another id closed", "the rank as id closed", "silent waits", "the second closed", "long silent closed"]
    expect(result, out_lines=each * 2 + ["cards of 2 ranks are right"],
           err_contains=[re.compile(r"^launch: .*node\S*: refused 7 connections to the port for ranks", re.M)])


def wrong(cluster, mode, *words, rank=3, timeout="20", keys=(), **expected):
    """A hostile rank among 8: one message names it, nothing is left (the harness looks)."""
    result = launch("--timeout", timeout, "-hosts", cluster.fold(4), "-ppn", "2", "-k", "2", helper("pmi_hostile"), mode, str(rank),
                    *words, timeout=30)
    if result.code in (0, 124):
        fail(f"{mode}: {result}")
    ours = [line for line in result.err_lines if line.startswith("launch: ")]
    if len(ours) != 1:
        fail(f"{mode}: not one message\n{result}")
    expect(result, out="", **{"code": None, **expected},
           err_contains=[names(rank, cluster.hosts[rank // 2]), *keys])
    return result


@needs_cluster(HOSTS, timeout=90)
def rubbish_ends_the_job_with_one_message(cluster):
    for mode in ("rubbish", "bare_words", "put_first", "endless", "long_line", "no_key", "unknown"):
        print("   ", mode)
        wrong(cluster, mode, keys=["PMI-1" if mode in ("rubbish", "bare_words", "endless", "unknown") else "sent"])


@needs_cluster(HOSTS, timeout=90)
def greed_ends_the_job_with_one_message(cluster):
    wrong(cluster, "many_keys", keys=["put more than"])
    wrong(cluster, "flood", keys=[re.compile("put more than|without waiting for an answer")])


@needs_cluster(HOSTS, timeout=90)
def closing_ends_the_job_with_one_message(cluster):
    wrong(cluster, "close", keys=["without finalize"])
    # Whether the others were in their fence already decides what is said.
    wrong(cluster, "half_line_exit", keys=[re.compile("finalize|exited")])
    wrong(cluster, "vanish", keys=[re.compile("finalize|exited")])
    wrong(cluster, "vanish", "4", code=4)
    wrong(cluster, "leave", keys=["exited"])


@needs_cluster(HOSTS, timeout=90)
def dying_ends_the_job_with_one_message(cluster):
    wrong(cluster, "die_in_fence", code=137, keys=["signal 9"])
    wrong(cluster, "crash", code=139, keys=["signal 11"])


@needs_cluster(HOSTS)
def abort_carries_code_and_message(cluster):
    wrong(cluster, "abort", "42", code=42, keys=["abort", "42", "out of coffee"])


@needs_cluster(HOSTS, timeout=90)
def silence_lasts_until_the_time_is_over(cluster):
    """Nothing is wrong yet: the rank may still come. Nothing is left either."""
    for mode in ("silent", "half_line", "deaf"):
        expect(launch("--timeout", "2", "-hosts", cluster.fold(4), "-k", "2", helper("pmi_hostile"), mode, "3"), code=124, out="")


@needs_cluster(HOSTS)
def a_rank_that_leaves_spoils_nothing_with_keep_going(cluster):
    """The others' fence cannot end, but who does not wait goes on."""
    result = launch("--keep-going", "--timeout", "15", "-hosts", cluster.fold(2), "sh", "-c",
                    f'test $LAUNCH_RANK = 0 && exec "{helper("pmi_hostile")}" vanish 0; sleep 1; echo on')
    expect(result, code=None, out="on\n")


@needs_cluster(HOSTS)
def the_exchange_is_traced(cluster):
    result = launch("-hosts", cluster.fold(2), helper("pmi_cards"), env={"LAUNCH_LOG": "pmi:trace"})
    expect(result, out="cards of 2 ranks are right\n")
    for rank in (0, 1):
        lines = [line for line in result.err_lines if f"rank {rank} " in line]
        for part in ("cmd=init ", "cmd=response_to_init", f"key=card-0-0-{rank} ", "cmd=barrier_out", "cmd=finalize_ack"):
            if not any(part in line for line in lines):
                fail(f"rank {rank}: no line with {part}\n{result}")


@test
def programs_of_two_libraries_are_told_at_once():
    mpich, openmpi = (mpi(library, "mpi_empty") for library in PACKAGES)
    result = launch("--timeout", "2", "-n", "1", mpich, ":", "-n", "1", openmpi)
    expect(result, code=124, err_contains=[f"launch: note: {mpich} links libmpich.so", f" and {openmpi} links libmpi.so"])
    # Who knows what the user does not: each is alone, and that ends.
    expect(launch("--pmi", "none", "-n", "1", mpich, ":", "-n", "1", openmpi), err_lacks=["note"])
    expect(launch("-n", "1", mpich, ":", "-n", "1", mpich), err="")


# --- programs started by hand


@contextlib.contextmanager
def launch_as_mpiexec():
    """The environment of a user who has made the symlink of the README."""
    with scratch() as folder:
        os.symlink(LAUNCH, os.path.join(folder, "mpiexec"))
        yield {"PATH": folder + ":" + os.environ["PATH"]}


@test
def a_program_started_by_hand_is_served():
    program = mpi("mpich", "mpi_singleton")
    says = "1 alone, universe of 1, found my:port\n"
    with launch_as_mpiexec() as env:
        expect(run([program], env=env), out=says, err="")
        expect(run([program, "reader"], env=env), out=says + "read to the end\n", err="")
        traced = run([program], env={**env, "LAUNCH_LOG": "pmi:trace"})
        expect(traced, out=says, err_contains=["rank 0 -> cmd=lookup_name service=a name of mine"])


@test(grace=1.0)
def its_server_leaves_with_it():
    program = mpi("mpich", "mpi_singleton")
    with launch_as_mpiexec() as env:
        expect(run([program, "die"], env=env), code=-signal.SIGKILL, err="", within=5)


class Caller:
    """A program that has called mpiexec and waits for it."""

    def __init__(self):
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(10)
        with launch_as_mpiexec() as env:
            self.job = Job(["mpiexec", "-pmi_args", listener.getsockname()[1], "default_interface", "default_key", os.getpid()], env=env)
            self.connection = listener.accept()[0]
        listener.close()
        self.connection.settimeout(10)

    def says(self, words, answer):
        self.connection.sendall(words)
        got = self.connection.recv(1000)
        if not re.fullmatch(answer, got.decode()):
            fail(f"to {words} came {got}")

    def leaves(self, **expected):
        expect(self.job.wait(), **expected)
        self.connection.close()


SINGINIT = b"cmd=singinit pmi_version=1 pmi_subversion=1 stdio=yes authtype=none\n"
SERVED = "cmd=singinit authtype=none\ncmd=singinit_info versionok=yes stdio=no kvsname=\\S+\n"


@test
def who_calls_and_does_not_keep_to_the_protocol_is_left():
    for words, code, reason in ((b"cmd=init pmi_version=1 pmi_subversion=1\n", 70, "singinit was to come"),
                                (b"x" * 2000, 70, "too long"), (None, 70, "hung up"), (b"", 70, "in time"),
                                (SINGINIT + b"cmd=get_maxes\n", 76, "before init"),
                                (SINGINIT + b"cmd=init pmi_version=1 pmi_subversion=1\nrubbish\n", 76, "is not PMI-1")):
        caller = Caller()
        if words is None:
            caller.connection.shutdown(socket.SHUT_RDWR)
        else:
            caller.connection.sendall(words)
        caller.leaves(code=code, err_lines=1, err_contains=["launch: ", reason], out="")
    for words in (["1"], ["0", "a", "b", "1"], ["x", "a", "b", "1"], ["77", "a", "b", "y"]):
        expect(launch("-pmi_args", *words), code=2, err_lines=1, err_contains=["-pmi_args"])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    expect(launch("-pmi_args", port, "a", "b", "1"), code=70, err_contains=["Connection refused"])


@test
def a_terminals_signals_are_for_the_program():
    caller = Caller()
    caller.connection.sendall(SINGINIT)
    seen = ""
    while not re.fullmatch(SERVED, seen):
        seen += caller.connection.recv(1000).decode() or fail(f"{seen!r}")
    caller.job.signal(signal.SIGINT)
    caller.says(b"cmd=init pmi_version=1 pmi_subversion=1\n", ".* rc=0\n")
    caller.connection.close()
    caller.leaves(out="", err="")


# --- raw PMIx


@needs_cluster(HOSTS, timeout=90)
def every_card_arrives_over_pmix(cluster):
    for degree, mode in (("1", "collect"), ("2", "direct"), ("3", "collect"), ("32", "collect")):
        expect(job(cluster, "-k", degree, pmix("pmix_cards"), mode, "300", "2", "2"), out="cards of 16 ranks are right\n", err="")
    expect(job(cluster, "-k", "2", pmix("pmix_cards"), "collect", "20000", hosts=4), out="cards of 8 ranks are right\n", err="")
    for modex in ("gather", "ring", "bruck", "doubling"):
        for hosts in (2, 5, HOSTS):
            expect(job(cluster, "-k", "2", "--modex", modex, pmix("pmix_cards"), "collect", "300", "2", "2", hosts=hosts),
                   out=f"cards of {2 * hosts} ranks are right\n", err="")
    # More than a frame takes ends the job by a message, not by a broken link.
    expect(job(cluster, "-k", "2", pmix("pmix_cards"), "collect", "30000000", hosts=2), code=76, err_contains=["MiB together"])


def pmix_client(cluster, *words, hosts=3, **options):
    if not os.path.exists(helper("pmix_client")):
        raise Skip("pmix_client was not built (package libpmix-dev)")
    split = next((i for i, word in enumerate(words) if not word.startswith("-")), len(words))
    return job(cluster, "--pmi", "pmix", "-k", "1", *words[:split], helper("pmix_client"), *words[split:], hosts=hosts, **options)


@needs_cluster(HOSTS, timeout=90)
def pmix_events_reach_all_nodes_once(cluster):
    for what, ranks in (("global", range(1, 16)), ("local", [1]), ("custom", [1, 15])):
        expect(pmix_client(cluster, "event", what, hosts=8), err="",
               out_lines=[f"{rank}: heard " + ("-3007 from 0 hello" if rank in ranks else "nothing") for rank in range(1, 16)])
    expect(pmix_client(cluster, "large-event"), code=76,
           err_contains=[names(0, cluster.hosts[0]), "told the others an event of 2048 KiB"], err_lines=1)


@needs_cluster(HOSTS, timeout=90)
def pmix_ranks_are_told_who_died(cluster):
    expect(pmix_client(cluster, "--keep-going", "death"), code=134, out_lines=[f"{rank}: heard -7 from 0 of 0" for rank in range(1, 6)])


@needs_cluster(HOSTS, timeout=120)
def a_pmix_fence_does_not_wait_for_who_has_left(cluster):
    """Of all ranks or of some, whether it leaves before the others enter the fence or while they wait."""
    for what in ("lonely", "lonely-group"):
        for when in ("early", "late"):
            print("   ", what, when)
            expect(pmix_client(cluster, what, when), code=76, err_contains=[names(5, cluster.hosts[2]), "others wait for it"])
            expect(pmix_client(cluster, "--keep-going", what, when), out_lines=[f"{rank}: through" for rank in range(5)], err="")


@needs_cluster(HOSTS)
def pmix_programs_know_of_each_other(cluster):
    """What Open MPI 5 asks for at its start, beyond what Open MPI 4 does."""
    client, folder = helper("pmix_client"), os.getcwd()
    result = launch("--pmi", "pmix", "-hosts", f"{cluster.hosts[0]}:3", "-n", "1", client, "keys", ":", "-n", "2", client, "keys", "x")
    expect(result, err="")
    for line in result.lines:
        told = dict(word.split("=", 1) for word in line.split()[1:] if "=" in word)
        wanted = {"OMPI_APP_SIZES": "1 2", "OMPI_FIRST_RANKS": "0 1", "pmix.wdir": folder, "pmix.job.napps": "2",
                  "pmix.pdir": f"{told['pmix.nsdir']}/{line.split()[0]}"}
        for key, value in wanted.items():
            if f" {key}={value}" not in line:
                fail(f"{key} is not {value}: {line}")


PMI1_MOURNER = r"""
import os, sys, time
def ask(line):
    os.write(fd, line.encode() + b"\n")
    answer = b""
    while not answer.endswith(b"\n"):
        answer += os.read(fd, 1000)
    return answer.decode().strip()
fd, rank = int(os.environ["PMI_FD"]), int(os.environ["PMI_RANK"])
ask("cmd=init pmi_version=1 pmi_subversion=1")
name = ask("cmd=get_my_kvsname").split("kvsname=")[1]
dead = f"cmd=get kvsname={name} key=PMI_dead_processes"
if rank == 0:
    print(ask(dead), flush=True)
ask("cmd=barrier_in")
if rank in (1, 2, 5):
    os.kill(os.getpid(), 9) if rank != 5 else sys.exit(0)
while not ask(dead).endswith("value=1-2,5"):
    time.sleep(0.1)
print(rank, ask(dead))
ask("cmd=finalize")
"""


@needs_cluster(HOSTS)
def pmi_1_tells_who_died(cluster):
    result = job(cluster, "-k", "1", "--keep-going", "--pmi", "pmi1", "/usr/bin/python3", "-c", PMI1_MOURNER, hosts=3)
    expect(result, code=137, out_lines=["cmd=get_result rc=-1 msg=key_not_found"] +
           [f"{rank} cmd=get_result rc=0 msg=success value=1-2,5" for rank in (0, 3, 4)])


def lose_first_host(cluster, kill, degree, *words, last_words="0 died"):
    """The first host, which has others below it, is lost while ranks are in a fence, before it or after it."""
    lost = cluster.hosts[0]
    running = Job([LAUNCH, "--timeout", "40", "--on-host-loss", "continue", "-k", degree, "-hosts", cluster.fold(HOSTS), *words], env=NETWORK)
    running.until(f"(?m)^{HOSTS - 1}: under way")
    kill(lost)
    result = running.wait(30)
    expect(result, code=69, err_contains=[re.compile(rf"^launch: {lost}: run: .*; its ranks are lost, the others go on$", re.M)])
    said = sorted(line for line in result.lines if line.endswith(last_words.split()[-1]))
    if said != sorted(f"{rank}: {last_words}" for rank in range(1, HOSTS)):
        fail(f"not all of the living, or not of the dead one only\n{result}")


def kill_relay(cluster, host):
    worker = max(int(pid) for _, pid, command in cluster.pids(host) if "--relay" in command)
    os.kill(worker, signal.SIGKILL)


@needs_cluster(HOSTS, timeout=120)
def pmi_ranks_go_on_without_a_host_that_is_lost(cluster):
    mourner = [helper("pmi_cards"), "--mourn", "--fences", "30", "--delay", "60", "--read", "next"]
    for degree in DEGREES[:3]:
        for modex in ("gather", "on-demand"):
            print("   ", degree, modex)
            lose_first_host(cluster, functools.partial(kill_relay, cluster), degree, "--modex", modex, *mourner)


@needs_cluster(HOSTS, timeout=120)
def pmix_ranks_go_on_without_a_host_that_is_lost(cluster):
    for degree in DEGREES[:3]:
        for mode in ("collect", "direct"):
            print("   ", degree, mode)
            lose_first_host(cluster, functools.partial(kill_relay, cluster), degree, "--pmi", "pmix", pmix("pmix_cards"), mode, "200", "1",
                            "30", "mourn")
    for modex in ("ring", "bruck", "doubling"):
        print("   ", modex)
        lose_first_host(cluster, functools.partial(kill_relay, cluster), "2", "--pmi", "pmix", "--modex", modex, pmix("pmix_cards"),
                        "collect", "200", "1", "30", "mourn")


@needs_cluster(HOSTS, timeout=120)
def mpich_ranks_go_on_without_a_host_that_is_lost(cluster):
    """Those that have nothing to say to it. Who is in MPI_Init cannot be without any of the others, and says so."""
    for degree in DEGREES[:3]:
        lose_first_host(cluster, functools.partial(kill_relay, cluster), degree, mpi("mpich", "mpi_pause"), "2", last_words="through")
    late = f"test $LAUNCH_RANK = 0 && echo '{HOSTS - 1}: under way' && sleep 30; exec {mpi('mpich', 'mpi_pause')}"
    running = Job([LAUNCH, "--timeout", "40", "--on-host-loss", "continue", "-hosts", cluster.fold(HOSTS), "sh", "-c", late],
                  env=NETWORK)
    running.until("under way")
    kill_relay(cluster, cluster.hosts[0])
    expect(running.wait(30), code=69, err_contains=["PMI_KVS_Get returned -1"])


@needs_cluster(HOSTS, timeout=60)
def ranks_go_on_when_all_of_a_host_dies(cluster):
    lose_first_host(cluster, cluster.kill, "2", helper("pmi_cards"), "--mourn", "--fences", "60", "--delay", "200", "--read", "next")


@needs_cluster(HOSTS, timeout=120)
def back_to_back_fences_never_mix(cluster):
    """Each reads what its neighbour put before the fence, a thousand times over, and nobody waits for anybody else."""
    for degree in DEGREES[:3]:
        expect(job(cluster, "-k", degree, helper("pmi_cards"), "--size", "20", "--fences", "1000", "--delay", "2", "--read", "next", ppn=1),
               out=f"cards of {HOSTS} ranks are right\n", err="")


if __name__ == "__main__":
    main()
