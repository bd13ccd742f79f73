#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where the ranks of a job are: `launch stacks`, and the stacks that are shown before ranks are killed."""
import ctypes
import json
import os
import resource
import tempfile
import time

from documented import expect_schema, same_keys
from harness import *
from sessions import session

HOSTS = 8
STILL = ["sh", "-c", f"exec {helper('stands_still')} $(test $LAUNCH_RANK = 5 && echo load)"]
SOLVE = r"pause <- wait_for_end <- solve <- main"
LOAD = r"pause <- wait_for_end <- load <- main"


def need_libdw():
    try:
        ctypes.CDLL("libdw.so.1")
    except OSError:
        raise Skip("libdw.so.1 is missing (package libdw1)")


def stand(job, ranks):
    for _ in range(ranks):
        job.until("stands\n")


@needs_cluster(HOSTS, timeout=90, tier="gate")
def ranks_at_the_same_place_are_one_group(cluster):
    need_libdw()
    with session(cluster.fold(HOSTS), "-k", "2") as name:
        job = Job([LAUNCH, "--session", name, "-n", "16", "--share", *STILL])
        stand(job, 16)
        expect(launch("stacks"), err="", out_lines=["16 ranks in 2 groups", f"[0-4,6-15] {SOLVE}", f"[5] {LOAD}"])
        expect(launch("signal", "1", "STOP", "3"), err="")
        eventually(lambda: f"[3] stopped: {SOLVE}" in launch("stacks", "1").lines)
        expect(launch("stacks", "1", "3-5"), err="",
               out_lines=["3 ranks in 3 groups", f"[3] stopped: {SOLVE}", f"[4] {SOLVE}", f"[5] {LOAD}"])
        made = json.loads(expect(launch("stacks", "1", "--format", "json"), err="").out)
        expect_schema("stacks", made)
        same_keys("stacks", [made])
        same_keys("stacks group", [group for group in made["groups"] if "note" in group])
        picture = expect(launch("stacks", "1", "--format", "svg"), err="").text
        if "pause &lt;- wait_for_end &lt;- load" not in picture or "16 ranks in 3 groups" not in picture:
            fail(picture)
        if made["groups"][0]["frames"] != SOLVE.split(" <- "):
            fail(f"groups are {made['groups']}")
        expect(launch("stacks", "1", "16"), code=2, out="", err_lines=1, err_contains="no rank 16; its ranks are 0-15")
        expect(launch("stacks", "2"), code=2, out="", err_lines=1, err_contains="has no job 2")
        expect(launch("signal", "1", "KILL"), err="")
        expect(job.wait(), code=137)
        expect(launch("stacks"), code=2, out="", err_lines=1, err_contains="no job runs")


@test(tier="clock")
def ranks_show_where_they_are_when_their_time_is_over():
    need_libdw()
    expect(launch("-n", "6", "--timeout", "1", *STILL), code=124,
           err_contains=["6 ranks in 2 groups\n", f"[0-4] {SOLVE}\n", f"[5] {LOAD}\n", "not done within --timeout 1 s"])


STOPPED = "test $LAUNCH_RANK = 3 && kill -STOP $$; " + STILL[2]


@test(tier="gate")
def a_job_that_hangs_is_ended():
    """Ranks are idle, one only polls in MPI, and one has been stopped."""
    need_libdw()
    expect(launch("-n", "6", "--hang", "1", "sh", "-c", STOPPED.replace("&& echo load", "&& echo poll")), code=124,
           err_contains=["[0-2,4] stands_still: ", "[3] sh: stopped", "[5] stands_still: use_cpu <- MPI_Barrier <- main\n",
                         "the job hangs: no output and no progress of 6 ranks within --hang 1 s; 1 only polls in MPI; rank 3 is stopped"])


@needs_cluster(4, timeout=90)
def a_job_that_hangs_in_a_session_is_ended(cluster):
    with session(cluster.fold(4), "-k", "2") as name:
        result = launch("--session", name, "-n", "4", "--hang", "1", "--stacks", "never", "sh", "-c", STOPPED)
        expect(result, code=124, err_lines=1, err_contains=["of 4 ranks within --hang 1 s", "rank 3 is stopped"])


@test(tier="clock")
def a_job_that_goes_on_does_not_hang():
    """A rank computes; ranks write; a rank waits for what its user types, and others for it."""
    need_libdw()
    compute = STILL[2].replace("&& echo load", "&& echo compute")
    expect(launch("-n", "6", "--hang", "1", "--timeout", "6", "sh", "-c", compute), code=124, err_contains="not done within --timeout 6 s")
    expect(launch("-n", "2", "--hang", "2", "sh", "-c", "for i in 1 2 3 4 5 6 7; do sleep 0.9; test $LAUNCH_RANK = 1 && echo $i; done; true"),
           err="", out_lines=[str(i) for i in range(1, 8)])
    job = Job([LAUNCH, "-n", "2", "--hang", "1", "sh", "-c", "test $LAUNCH_RANK = 1 && exec sleep 6; echo begins; read word; echo $word ends"], pty=True)
    job.until("begins")
    time.sleep(5)
    job.write("it\n")
    job.until("it ends")
    expect(job.wait())


@test(tier="gate")
def a_rank_that_fails_shows_where_the_others_are():
    need_libdw()
    script = f"test $LAUNCH_RANK = 0 || exec {helper('stands_still')}; read word; exit 3"
    for words, shown in ((["--stacks", "failure"], [f"[1-5] {SOLVE}\n"]), ([], []), (["--stacks", "never"], [])):
        job = Job([LAUNCH, *words, "-n", "6", "sh", "-c", script])
        stand(job, 5)
        job.write("go\n")
        expect(job.wait(), code=3, err_contains=["rank 0 on localhost", *shown], err_lacks=[] if shown else ["pause"])


def need_core_files():
    need_libdw()
    with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
        pattern = file.read()
    if pattern.startswith(("|", "/")) or resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        raise Skip(f"core files are not made in the folder of a rank: kernel.core_pattern is {pattern}")


def crashing(folder, ranks):
    """A rank in each of so many folders, so that their core files do not replace each other."""
    words = []
    for rank in range(ranks):
        os.mkdir(f"{folder}/{rank}")
        words += [*([":"] if words else []), "-n", "1", "-wdir", f"{folder}/{rank}", helper("stands_still"), "crash"]
    return words


def cores_in(folder):
    return sorted(name.partition(".")[2] for name in os.listdir(folder))


@test(tier="gate")
def ranks_that_crash_leave_cores_and_show_where():
    need_core_files()
    with scratch() as folder:
        words = crashing(folder, 3)
        expect(launch("--core-dir", f"{folder}/cores", "--keep-going", *words), code=139, err_contains=[
            f"3 ranks in 1 group crashed; their hosts have core files {folder}/cores/core.RANK.HOST\n",
            "[0-2] died of signal 11 (Segmentation fault): crash <- main\n"])
        if cores_in(f"{folder}/cores") != [f"{rank}.localhost" for rank in range(3)]:
            fail(f"cores are {cores_in(f'{folder}/cores')}")
        with tempfile.TemporaryDirectory(dir="/dev/shm") as other:  # another file system
            expect(launch("--core-dir", other, *words[:6]), code=139,
                   err_contains=["1 rank in 1 group crashed; ", "[0] died of signal 11 (Segmentation fault): crash <- main\n"])
            if cores_in(other) != ["0.localhost"] or os.listdir(f"{folder}/0"):
                fail(f"cores are {cores_in(other)}, in the rank's folder {os.listdir(f'{folder}/0')}")
        expect(run(["sh", "-c", 'ulimit -H -c 0; exec "$@"', "sh", LAUNCH, "--core-dir", f"{folder}/none", "--keep-going", *words]), code=139,
               err_contains=["3 ranks in 1 group crashed\n", "[0-2] died of signal 11 (Segmentation fault), no core: its hard limit is 0"])


@needs_cluster(4, timeout=90)
def cores_of_many_hosts_are_one_group(cluster):
    need_core_files()
    with scratch() as folder, session(cluster.fold(4), "-k", "2") as name:
        for number, words in enumerate((["-hosts", cluster.fold(4), "-k", "2"], ["--session", name])):
            os.mkdir(f"{folder}/{number}")
            cores = f"{folder}/{number}/cores"
            expect(launch(*words, "--core-dir", cores, "--keep-going", *crashing(f"{folder}/{number}", 4)), code=139,
                   err_contains=["4 ranks in 1 group crashed; ", "[0-3] died of signal 11 (Segmentation fault): crash <- main\n"])
            if cores_in(cores) != [f"{rank}.{host}" for rank, host in enumerate(cluster.hosts[:4])]:
                fail(f"cores are {cores_in(cores)}")


@test(tier="gate")
def a_job_outside_of_sessions_answers_by_its_process():
    need_libdw()
    job = Job([LAUNCH, "-n", "6", *STILL])
    stand(job, 6)
    number = str(job.pid)
    expect(launch("stacks", number), err="", out_lines=["6 ranks in 2 groups", f"[0-4] {SOLVE}", f"[5] {LOAD}"])
    expect(launch("stacks"), err="", out_contains="6 ranks in 2 groups\n")
    row = [line.split() for line in expect(launch("ps"), err="").lines if f" {number} " in line]
    if len(row) != 1 or row[0][:4] != ["-", number, "6", "localhost"] or number not in row[0][5:7]:
        fail(f"ps says {row}")
    expect_schema("sessions", json.loads(expect(launch("ps", "--format", "json"), err="").out))
    ranks = json.loads(expect(launch("ps", number, "--format", "json"), err="").out)
    expect_schema("ranks", ranks)
    if [each["rank"] for each in ranks["ranks"]] != [0, 1, 2, 3, 4, 5]:
        fail(f"ranks are {ranks}")
    expect(launch("stacks", number, "6"), code=2, out="", err_lines=1, err_contains=f"job {number} has no rank 6; its ranks are 0-5")
    expect(launch("signal", number, "KILL", "6"), code=2, out="", err_lines=1, err_contains="no rank 6")
    expect(launch("attach", number), code=2, out="", err_lines=1)
    expect(launch("signal", number, "KILL", "2"), err="")
    expect(job.wait(), code=137, err_contains="rank 2 on localhost: ended by signal 9")
    expect(launch("stacks", number), code=2, out="", err_lines=1, err_contains=f"no job {number} runs")


@test(tier="gate")
def a_second_interrupt_shows_where_ranks_are():
    need_libdw()
    job = Job([LAUNCH, "-n", "6", "sh", "-c", "trap '' INT; " + STILL[2]], pty=True)
    for _ in range(6):
        job.until("stands")
    job.write("\x03")
    job.until("a second \\^C kills them")
    job.write("\x03")
    job.until(f"\\[5\\] {LOAD}")
    expect(job.wait(), code=130)


if __name__ == "__main__":
    main()
