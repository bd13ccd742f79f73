#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Raw clients of PMIx over real hosts."""
import os
import shutil
import signal
import tempfile
import time

from harness import *
from harness.promises import HEAD_MIB, most_resident_kib
from programs import HOSTS, job, names, pmix


@needs_cluster(HOSTS, timeout=90, tier="gate")
def every_card_arrives_over_pmix(cluster):
    for degree, mode in (("1", "collect"), ("2", "direct"), ("3", "collect"), ("32", "collect")):
        expect(job(cluster, "-k", degree, pmix("pmix_cards"), mode, "300", "2", "2"), out="cards of 16 ranks are right\n", err="")
    expect(job(cluster, "-k", "2", pmix("pmix_cards"), "collect", "20000", hosts=4), out="cards of 8 ranks are right\n", err="")
    for modex in ("gather", "ring", "bruck", "doubling"):
        for hosts in (2, 5, HOSTS):
            expect(job(cluster, "-k", "2", "--modex", modex, pmix("pmix_cards"), "collect", "300", "2", "2", hosts=hosts),
                   out=f"cards of {2 * hosts} ranks are right\n", err="")


@needs_cluster(HOSTS, timeout=90)
def cards_that_no_frame_takes_arrive_over_pmix(cluster):
    """In pieces, among peers or along the tree."""
    for links in ((), ("--links", "ssh")):
        expect(job(cluster, "-k", "1", *links, pmix("pmix_cards"), "collect", "15000000", hosts=3),
               out="cards of 6 ranks are right\n", err="")


@test(timeout=40, tier="clock")
def a_libpmix_that_nobody_answers_for_is_told_of_and_can_be_left():
    with scratch() as folder:
        library = os.path.join(folder, "libpmix.so.2")
        os.mkfifo(library)  # to open it takes until somebody writes
        words, env = [LAUNCH, "-n", "1", "--pmi", "pmix", "--start-timeout"], {"LAUNCH_LIBPMIX": library}
        expect(run([*words, "1", "true"], env=env), code=70, err_contains="libpmix does not start within 1 s", within=5)
        job = Job([*words, "1000", "true"], env=env)
        time.sleep(1)
        job.signal(signal.SIGINT)
        expect(job.wait(5), code=130, err="launch: rank 0 on localhost: ended by signal 2 (Interrupt)\n")


def with_full(folders, script):
    """As where nothing can be made in these folders."""
    mounts = "; ".join(f"mount -t tmpfs -o nr_inodes=1 tmpfs {folder}" for folder in folders)
    return run(["unshare", "-m", "sh", "-c", f"{mounts}; {script}"], env={"LAUNCH": LAUNCH, "TMPDIR": ""})


@test
def ranks_start_only_with_the_pmix_that_they_were_promised():
    if os.geteuid() != 0:
        raise Skip("needs root for mounts")
    with scratch() as folder:
        where = "$LAUNCH --pmi pmix -n 1 sh -c 'echo ${PMIX_SERVER_TMPDIR%/*}'"
        expect(with_full(["/dev/shm"], where), out="/tmp\n", err="")
        expect(with_full(["/dev/shm"], f"TMPDIR={folder} {where}"), out=f"{folder}\n", err="")
        why = ("launch: rank 0 on localhost: offer PMIx: no folder can hold the files of the PMIx server: /dev/shm: No space left on device, "
               "/tmp: No space left on device (free space in one of them, set TMPDIR, or use another --pmi)\n")
        for words in ("-n 2 echo started", "--keep-going -n 1 echo started : -n 1 echo started"):
            expect(with_full(["/dev/shm", "/tmp"], f"$LAUNCH --pmi pmix {words}"), code=70, out="", err=why)
        expect(run([LAUNCH, "--pmi", "pmix", "-n", "2", "echo", "started"], env={"LAUNCH_LIBPMIX": "/no/such/libpmix.so"}), code=70, out="",
               err_contains="offer PMIx: libpmix cannot be loaded: /no/such/libpmix.so")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def what_ranks_publish_may_be_in_memory_that_they_share(cluster):
    """Where the user chooses so, on each host; nothing of it is left, whatever ends the job."""
    shared = {"PMIX_MCA_gds": "ds21,ds12,hash"}
    result = job(cluster, "--pmi", "pmix", "sh", "-c", "echo $PMIX_GDS_MODULE $PMIX_MCA_gds", hosts=2, env=shared)
    expect(result, out_lines=["ds21,ds12,hash ds21,ds12,hash"] * 4, err="")
    for mode in ("collect", "direct"):
        expect(job(cluster, pmix("pmix_cards"), mode, "300", "2", "2", hosts=3, env=shared), out="cards of 6 ranks are right\n", err="")
    expect(job(cluster, pmix("pmix_client"), "crash", hosts=2, env=shared), code=134)
    running = Job([LAUNCH, "-hosts", cluster.fold(2), "-ppn", "2", "--pmi", "pmix", "sh", "-c", "echo up; sleep 1000"], env=shared)
    running.until(r"(up\s+){4}")
    kill_relay(cluster, cluster.hosts[1])
    expect(running.wait(20), code=69)


def pmix_client(cluster, *words, hosts=3, **options):
    split = next((i for i, word in enumerate(words) if not word.startswith("-")), len(words))
    return job(cluster, "--pmi", "pmix", "-k", "1", *words[:split], pmix("pmix_client"), *words[split:], hosts=hosts, **options)


@needs_cluster(HOSTS, timeout=90)
def pmix_events_reach_all_nodes_once(cluster):
    for what, ranks in (("global", range(1, 16)), ("local", [1]), ("custom", [1, 15])):
        expect(pmix_client(cluster, "event", what, hosts=8), err="",
               out_lines=[f"{rank}: heard " + ("-3007 from 0 hello" if rank in ranks else "nothing") for rank in range(1, 16)])
    expect(pmix_client(cluster, "large-event"), code=76,
           err_contains=[names(0, cluster.hosts[0]), "sent an event of 2048 KiB"], err_lines=1)


@needs_cluster(HOSTS, timeout=90)
def what_is_published_for_one_reader_is_read_once(cluster):
    expect(pmix_client(cluster, "name-for-one"), err="", out_lines=["at a port of 0", *["NOT-FOUND"] * 5])


@needs_cluster(16, timeout=90)
def what_goes_to_all_is_there_once_however_many_are_told(cluster):
    """The head has what 16 hosts contribute, and for each that it tells some messages of it, not all."""
    contributed = 16 * 400_000
    result = launch("-hosts", cluster.fold(16), "-k", "16", "--links", "ssh", "--stats", "json", "--pmi", "pmix", pmix("pmix_cards"),
                    "collect", str(contributed // 16), "1", timeout=60)
    expect(result, out="cards of 16 ranks are right\n")
    head = [node for node in stats_of(result)["nodes"] if node["node"] == 0][0]
    most = most_resident_kib(HEAD_MIB) + (16 * 1.5 + 8) * 1024 + contributed * 4 / 1024
    if head["resident_kib"] > most and not sanitized():  # which has memory of its own
        fail(f"more than {most:.0f} KiB: {head}")


@needs_cluster(HOSTS, timeout=90)
def a_pmix_lookup_waits_if_it_is_to(cluster):
    """For all that it asks for or for some of it, not longer than it says."""
    answers = "NOT-FOUND, SUCCESS at a port, PARTIAL SUCCESS, TIMEOUT, PARTIAL SUCCESS"
    expect(pmix_client(cluster, "awaited-names", hosts=2), err="", out_lines=[f"{rank}: {answers}" for rank in range(1, 4)])
    alone = launch("-n", "4", "--pmi", "pmix", pmix("pmix_client"), "awaited-names")
    expect(alone, err="", out_lines=[f"{rank}: {answers}" for rank in range(1, 4)])


@needs_cluster(HOSTS, timeout=90)
def pmix_ranks_are_told_who_died(cluster):
    expect(pmix_client(cluster, "--keep-going", "death"), code=134, out_lines=[f"{rank}: heard -7 from 0 of 0" for rank in range(1, 6)])


@needs_cluster(HOSTS, timeout=120)
def a_pmix_fence_does_not_wait_for_who_has_left(cluster):
    """Of all ranks or of some, whether it leaves before the others enter the fence or while they wait."""
    for what in ("lonely", "lonely-group"):
        for when in ("early", "late"):
            print("   ", what, when)
            expect(pmix_client(cluster, what, when), code=76, err_contains=[names(5, cluster.hosts[2]), "in a fence"])
            expect(pmix_client(cluster, "--keep-going", what, when), out_lines=[f"{rank}: through" for rank in range(5)], err="")


@needs_cluster(HOSTS)
def a_pmix_fence_counts_each_rank_once(cluster):
    """However often a list names it. A rank that there is not is no reason to wait."""
    expect(pmix_client(cluster, "odd-groups", hosts=2), out_lines=["0: met", "2: met", "0: BAD-PARAM"], err="")


@needs_cluster(HOSTS)
def pmix_programs_know_of_each_other(cluster):
    """What Open MPI 5 asks for at its start, beyond what Open MPI 4 does."""
    client, folder = pmix("pmix_client"), os.getcwd()
    result = launch("--pmi", "pmix", "-hosts", f"{cluster.hosts[0]}:3", "-n", "1", client, "keys", ":", "-n", "2", client, "keys", "x")
    expect(result, err="")
    for line in result.lines:
        told = dict(word.split("=", 1) for word in line.split()[1:] if "=" in word)
        wanted = {"OMPI_APP_SIZES": "1 2", "OMPI_FIRST_RANKS": "0 1", "pmix.wdir": folder, "pmix.job.napps": "2",
                  "pmix.pdir": f"{told['pmix.nsdir']}/{line.split()[0]}"}
        for key, value in wanted.items():
            if f" {key}={value}" not in line:
                fail(f"{key} is not {value}: {line}")


@test(tier="gate")
def a_user_without_a_home_or_a_passwd_entry_is_no_fault():
    """As in containers that run with any number for a user: libpmix itself ends with SIGSEGV there."""
    if os.geteuid() != 0:
        raise Skip("only root can be any user")
    with tempfile.TemporaryDirectory() as folder:  # the build may lie where no other user can go
        os.chmod(folder, 0o755)
        copy = shutil.copy(LAUNCH, folder)
        words = ["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups", "env", "-u", "HOME", copy]
        expect(run([*words, "--pmi", "pmix", "-n", "2", "echo", "runs"], cwd="/"), out="runs\n" * 2, err="")


if __name__ == "__main__":
    main()
