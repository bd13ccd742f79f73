#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Raw clients of PMI-1, good and bad, over real hosts and trees of all degrees."""
import os
import re

from harness import *
from programs import DEGREES, HOSTS, NETWORK, PORT, job, mpi, names


@needs_cluster(HOSTS, timeout=90, tier="gate")
def every_card_of_every_rank_arrives(cluster):
    for degree in DEGREES:
        for modex in ("auto", "gather", "on-demand"):
            expect(job(cluster, "-k", degree, "--modex", modex, helper("pmi_cards"), "--cards", "2", "--fences", "3", "--missing",
                       "--limits", "--publish", "--delay", "10", ppn=3), out="cards of 24 ranks are right\n", err="")
    expect(job(cluster, "-k", "2", helper("pmi_cards"), "--size", "860", "--cards", "20", "--read", "next", ppn=8),
           out="cards of 64 ranks are right\n", err="")


@needs_cluster(HOSTS, timeout=120, tier="gate")
def back_to_back_fences_never_mix(cluster):
    """Each reads what its neighbour put before the fence, a thousand times over, and nobody waits for anybody else."""
    for degree in DEGREES[:3]:
        expect(job(cluster, "-k", degree, helper("pmi_cards"), "--size", "20", "--fences", "1000", "--delay", "2", "--read", "next", ppn=1),
               out=f"cards of {HOSTS} ranks are right\n", err="")


@needs_cluster(HOSTS, tier="gate")
def the_mapping_is_told(cluster):
    for words, vector in ((["-ppn", "2"], "(vector,(0,8,2))"), (["-n", "1"], "(vector,(0,1,1))"),
                          (["-n", "16", "-map-by", "cyclic"], "(vector,(0,8,1))")):
        expect(launch("-hosts", cluster.fold(HOSTS), *words, helper("pmi_cards"), "--mapping"), out_contains=[f"mapping {vector}\n"])


# What sudo and many a wrapper do: the program has its standard streams, and nothing else of ours.
PYTHON = "/usr/bin/python3"
CLOSES_FDS = [PYTHON, "-c", "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"]


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


@needs_cluster(HOSTS, timeout=90, tier="gate")
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
           err_contains=[re.compile(r"^launch: .*node\S*: refused 7 connections to the PMI port", re.M)])


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


@needs_cluster(HOSTS, timeout=90, tier="clock")
def rubbish_ends_the_job_with_one_message(cluster):
    for mode in ("rubbish", "bare_words", "put_first", "endless", "long_line", "no_key", "unknown"):
        print("   ", mode)
        wrong(cluster, mode, keys=["PMI-1" if mode in ("rubbish", "bare_words", "endless", "unknown") else "sent"])


@needs_cluster(HOSTS, timeout=90, tier="clock")
def greed_ends_the_job_with_one_message(cluster):
    wrong(cluster, "many_keys", keys=["put more than"])
    wrong(cluster, "flood", keys=[re.compile("put more than|without waiting for an answer")])


@needs_cluster(HOSTS, timeout=90, tier="clock")
def closing_ends_the_job_with_one_message(cluster):
    wrong(cluster, "close", keys=["without finalize"])
    # Whether the others were in their fence already decides what is said.
    wrong(cluster, "half_line_exit", keys=[re.compile("finalize|exited")])
    wrong(cluster, "vanish", keys=[re.compile("finalize|exited")])
    wrong(cluster, "vanish", "4", code=4)
    wrong(cluster, "leave", keys=["exited"])


@needs_cluster(HOSTS, timeout=90, tier="clock")
def dying_ends_the_job_with_one_message(cluster):
    wrong(cluster, "die_in_fence", code=137, keys=["signal 9"])
    wrong(cluster, "crash", code=139, keys=["signal 11"])


@needs_cluster(HOSTS, tier="clock")
def abort_carries_code_and_message(cluster):
    wrong(cluster, "abort", "42", code=42, keys=["abort", "42", "out of coffee"])


@test()
def killed_rank_is_named_though_another_aborted_before():
    """Ranks of MPI abort when they lose another, and the abort may be reported first; here rank 1 is killed because of it."""
    script = """
if [ $LAUNCH_RANK = 1 ]; then trap 'kill -KILL $$' TERM; : > ready; while :; do sleep 0.05; done; fi
until [ -e ready ]; do sleep 0.05; done
printf 'cmd=init pmi_version=1 pmi_subversion=1\\n' >&$PMI_FD; read -r -u $PMI_FD reply
printf 'cmd=abort exitcode=7\\n' >&$PMI_FD; sleep 1000
"""
    with scratch() as folder:
        result = launch("-n", "2", "--pmi", "pmi1", "-wdir", folder, "bash", "-c", script)
        expect(result, code=137, err_contains=["rank 1 on localhost: ended by signal 9", "rank 0 on localhost: aborted the job"])


@needs_cluster(HOSTS, timeout=90, tier="clock")
def silence_lasts_until_the_time_is_over(cluster):
    """Nothing is wrong yet: the rank may still come. Nothing is left either."""
    for mode in ("silent", "half_line", "deaf"):
        expect(launch("--timeout", "2", "-hosts", cluster.fold(4), "-k", "2", helper("pmi_hostile"), mode, "3"), code=124, out="")


@needs_cluster(HOSTS, tier="clock")
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


MOURNER = r"""
import os, sys, time
fd, rank = int(os.environ["PMI_FD"]), int(os.environ["PMI_RANK"])
def answer_to(words):
    os.write(fd, words)
    answer = b""
    while not answer.endswith((b"\n", b";")):
        answer += os.read(fd, 1000)
    return answer.decode().rstrip()
def ask_1(line):
    return answer_to(line.encode() + b"\n")
def ask_2(body):
    return answer_to(b"%6d" % len(body) + body.encode())[6:]
if sys.argv[1] == "1":
    ask_1("cmd=init pmi_version=1 pmi_subversion=1")
    name = ask_1("cmd=get_my_kvsname").split("kvsname=")[1]
    ask, dead, fence = ask_1, f"cmd=get kvsname={name} key=PMI_dead_processes", "cmd=barrier_in"
else:
    ask_1("cmd=init pmi_version=2 pmi_subversion=0")
    ask_2("cmd=fullinit;")
    ask, dead, fence = ask_2, "cmd=kvs-get;srcid=-1;key=PMI_dead_processes;", "cmd=kvs-fence;"
if rank == 0:
    print(ask(dead), flush=True)
ask(fence)
if rank in (1, 2, 5):
    os.kill(os.getpid(), 9) if rank != 5 else sys.exit(0)
while not ask(dead).strip(";").endswith("value=1-2,5"):
    time.sleep(0.1)
print(rank, ask(dead))
ask("cmd=finalize" + ("" if sys.argv[1] == "1" else ";"))
"""


@needs_cluster(HOSTS)
def pmi_1_and_pmi_2_tell_who_died(cluster):
    answers = {"1": ("cmd=get_result rc=-1 msg=key_not_found", "cmd=get_result rc=0 msg=success value=1-2,5"),
               "2": ("cmd=kvs-get-response;rc=0;found=FALSE;", "cmd=kvs-get-response;rc=0;found=TRUE;value=1-2,5;")}
    for version, (nobody, dead) in answers.items():
        result = job(cluster, "-k", "1", "--keep-going", "--pmi", "pmi" + version, "/usr/bin/python3", "-c", MOURNER, version, hosts=3)
        expect(result, code=137, out_lines=[nobody] + [f"{rank} {dead}" for rank in (0, 3, 4)])


if __name__ == "__main__":
    main()
