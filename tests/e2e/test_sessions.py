#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sessions: a tree that stays, and jobs that come and go on it."""
import contextlib
import fcntl
import functools
import json
import os
import re
import signal
import sys
import termios
import time

from documented import expect_schema, same_keys
from harness import *
from held_exec import held_exec
from programs import NETWORK, PACKAGES, mpi
from sessions import names_listed, on, session, state

HOSTS = 8
OTHER_USER = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


def holder(name):
    """The process that holds it; its guard is its parent."""
    return state(name)["pid"]


def guard_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


@needs_cluster(HOSTS, timeout=90, tier="clock")
def a_job_runs_as_without_a_session(cluster):
    hosts = cluster.hosts[:4]
    with session(cluster.fold(4), "-k", "2") as name:
        expect(on(name, "hostname"), out_lines=hosts, err="")
        expect(on(name, "-n", "2", "-l", "sh", "-c", "echo $LAUNCH_HOST $LAUNCH_NODE of $LAUNCH_NODES"),
               out_lines=[f"[{rank}] {hosts[rank]} {rank} of 2" for rank in range(2)], err="")
        expect(on(name, "-n", "3", "cat", stdin="to the first\n"), out="to the first\n", err="")
        expect(on(name, "-n", "2", "--stdin", "all", "cat", stdin="to all\n"), out="to all\nto all\n", err="")
        expect(on(name, "-n", "4", "sh", "-c", "exit $((LAUNCH_RANK == 2 ? 7 : 0))"), code=7,
               err_contains=f"rank 2 on {hosts[2]}: ended with exit code 7")
        expect(on(name, "-n", "1", "-genv", "A", "b c", "-wdir", "/usr", "sh", "-c", "echo $A; pwd"), out="b c\n/usr\n", err="")
        expect(on(name, "-n", "2", "hostname", ":", "-n", "1", "echo", "another"), out_lines=[*hosts[:2], "another"], err="")
        expect(on(name, "--timeout", "1", "sleep", "100"), code=124, err_contains="--timeout")
        big = on(name, "-n", "4", "sh", "-c", "seq 200000")
        if sorted(big.lines) != sorted([str(i) for i in range(1, 200001)] * 4):
            fail("output is not what was written")


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_program_that_is_slow_to_execute_holds_up_no_other_job(cluster):
    """Neither a new job on its host nor the end of the streams of one that runs there."""
    with session(cluster.fold(1)) as name, held_exec("echo") as held:
        here = [LAUNCH, "--session", name, "--share", "-n", "1"]
        reader = Job([*here, "sh", "-c", "echo ready; cat"])
        reader.until("ready\n")
        slow = Job([*here, held.path, "ran"])
        held.wait_until_asked()
        expect(on(name, "--share", "-n", "1", "hostname"), out_lines=cluster.hosts[:1], err="")
        reader.write(b"to the end\n")
        reader.close_stdin()
        expect(reader.wait(), out="ready\nto the end\n", err="")
        held.let_go()
        expect(slow.wait(), out="ran\n", err="")


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_job_file_runs_in_a_session(cluster):
    """With the line's words before it and beside it, named by an option or as a word, and with the session in the file."""
    hosts = cluster.hosts[:3]
    text = """label = true
wdir = "sub"
[[program]]
command = "sh -c 'echo $LAUNCH_HOST $LAUNCH_RANK of $LAUNCH_SIZE $COLOUR; pwd'"
ranks = 2
env.COLOUR = "blue sky"
[[program]]
command = ["echo", "worker"]
ranks = 1
"""
    with session(cluster.fold(3), "-k", "1") as name, scratch() as folder:
        os.mkdir(f"{folder}/sub")
        path, named = f"{folder}/job.toml", f"{folder}/named.toml"
        for file, lines in ((path, text), (named, f'session = "{name}"\n{text}')):
            with open(file, "w") as out:
                out.write(lines)
        says = [line for rank in range(2) for line in (f"[{rank}] {hosts[rank]} {rank} of 3 blue sky", f"[{rank}] {folder}/sub")] + ["[2] worker"]
        for words in (["--session", name, path], ["--session", name, "--job", path], ["run", "--session", name, path], [named],
                      [path, "--session", name]):
            expect(launch(*words), out_lines=says, err="")
        expect(launch(path, env={"LAUNCH_SESSION": name}), out_lines=says, err="")
        expect(on(name, path, "--no-label", "-hosts", hosts[2], "--share", "-n", "1"), out_lines=[f"{hosts[2]} 0 of 2 blue sky", f"{folder}/sub", "worker"])
        with open(path, "a") as out:
            out.write('[[program]]\ncommand = "true"\nrank = 1\n')
        expect(on(name, path), code=2, out="", err_lines=1, err_contains=f"{path}:12:1: unknown key rank; did you mean ranks?")
        with open(path, "w") as out:
            out.write("degree = 2\n" + text)
        expect(on(name, path), code=2, out="", err_lines=1, err_contains=[f"{path}:1", "session"])


@test(tier="gate")
def this_machine_alone_is_a_session_too():
    expect(launch("session", "start", "--name", "here"), err="", out_contains="session here: 1 host")
    try:
        expect(on("here", "-n", "2", "cat", stdin="to the first\n"), out="to the first\n", err="")
        expect(on("here", "-n", "2", "sh", "-c", "exit 4"), code=4)
        expect(on("here", "-n", "1", "nosuch"), code=127, err_contains="nosuch: cannot execute")
        with scratch() as folder:
            expect(on("here", "-n", "1", "pwd", cwd=folder), out=folder + "\n", err="")
        many = str(len(os.sched_getaffinity(0)) + 1)
        expect(on("here", "--share", "-n", many, "true"), err="")  # nobody is told of slots that nobody named
    finally:
        expect(launch("session", "stop", "here"), out="", err="")


@needs_cluster(HOSTS, timeout=90)
def a_job_is_shown_on_the_tree_of_its_session(cluster):
    hosts = cluster.fold(2)
    with session(cluster.fold(4), "-k", "2", "--transport", "ssh") as name:
        expect(on(name, "--dry-run", "-n", "2", "true"), err="",
               out_contains=["kary:2 by ssh", f"session {name}", *(f"{host} (rank {rank})" for rank, host in enumerate(cluster.hosts[:2]))])
        shown = json.loads(expect(on(name, "--dry-run", "--format", "json", "-n", "2", "true"), err="").text)
        if [shown["session"], *(host["name"] for host in shown["hosts"])] != [name, *cluster.hosts[:2]] or "topology" in shown:
            fail(shown)
        told = on(name, "-v", "-n", "2", "true")
        expect(told, err_contains=[f"hosts: 2 hosts for 2 ranks: {hosts}", f"tree: that of session {name}, kary:2 by ssh",
                                   "up: all 2 hosts after", "end: none of 2 ranks failed"])


@test
def a_session_that_has_no_place_for_its_socket_says_so():
    done = launch("session", "start", "--name", "here", env={**os.environ, "LAUNCH_SESSION_DIR": "/proc/nowhere"})
    expect(done, code=70, out="", err_lines=1,
           err_contains=[f"/proc/nowhere/launch-{os.geteuid()}-here: No such file or directory", "LAUNCH_SESSION_DIR"])


@test
def a_session_whose_name_cannot_be_printed_is_an_error():
    with scratch() as folder:
        env = {**os.environ, "LAUNCH_SESSION_DIR": folder}
        start = f'"{LAUNCH}" session start --name one --transport local -hosts a >&-'
        expect(run(["sh", "-c", start], env=env), code=74, out="", err="launch: write standard output: the stream is closed (session one runs; `launch session stop one` ends it)\n")
        expect(launch("session", "stop", "one", env=env), out="", err="")


@test
def one_of_many_that_start_at_once_gets_the_name():
    """The others say so before they start a host, and the one that has it goes on; also where a killed one left its folder."""
    start = ["session", "start", "--name", "one", "--transport", "local", "-hosts", "a,b"]
    with scratch() as folder:
        env = {**os.environ, "LAUNCH_SESSION_DIR": folder}
        for dead in (False, True):
            if dead:
                os.mkdir(os.path.join(folder, f"launch-{os.geteuid()}-one"), 0o700)
            ended = [job.wait(30) for job in [Job([LAUNCH, *start], env=env) for _ in range(8)]]
            if sorted(result.code for result in ended) != [0] + [2] * 7:
                fail(str(ended))
            for result in ended:
                if result.code == 2:
                    expect(result, code=2, out="", err_contains="launch: --name one: there is a session of that name", err_lines=1)
            expect(launch("--session", "one", "sh", "-c", "echo $LAUNCH_HOST", env=env), out_lines=["a", "b"], err="")
            expect(launch("session", "stop", "one", env=env), out="", err="")
            if os.listdir(folder):
                fail(f"left: {os.listdir(folder)}")


@needs_cluster(HOSTS, timeout=90)
def a_session_is_named_by_option_by_environment_or_is_the_only_one(cluster):
    expect(on("any", "true"), code=2, err_contains="there is no session")
    expect(launch("--session", "-n", "1", "true"), code=2, err_contains="there is no session")
    none = "launch: there is no session named nosuch (`launch session list` shows all sessions)"
    expect(on("nosuch", "true"), code=2, err_contains=none)
    expect(launch("session", "stop", "nosuch"), code=2, err_lines=[none])
    with session(cluster.fold(2)) as first:
        for words in (["any"], ["-n", "2"], ["-ppn=1"], ["--"]):
            expect(launch("--session", *words, "hostname"), out_lines=cluster.hosts[:2], err="")
        expect(launch("hostname", env={"LAUNCH_SESSION": first}), out_lines=cluster.hosts[:2], err="")
        again = launch("session", "start", "--name", first, "-hosts", cluster.fold(2))
        expect(again, code=2, err_contains=f"--name {first}: there is a session of that name")
        with session(cluster.fold(2, 2), name="other") as second:
            for words in (["any"], ["--"]):
                expect(launch("--session", *words, "true"), code=2, err_contains=["more than one session", "other, s1"])
            expect(on(second, "hostname"), out_lines=cluster.hosts[2:4], err="")
            listed = expect(launch("session", "list"), err="").lines
            if [line.split()[:5] for line in listed[1:]] != [["other", "2", "2", "0", "0"], ["s1", "2", "2", "0", "0"]]:
                fail(f"listed is {listed}")
            expect(launch("session", "stop"), code=2, err_contains="more than one session")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def slots_are_counted(cluster):
    hosts = cluster.hosts[:4]
    slots = ",".join(f"{host}:2" for host in hosts)
    with session(slots) as name:
        holds = Job([LAUNCH, "--session", name, "-n", "5", "sh", "-c", "echo runs; cat"], stdin=None)
        for _ in range(5):
            holds.until("runs")
        used = [host["used"] for host in state(name)["hosts"]]
        if used != [2, 2, 1, 0]:
            fail(f"used are {used}")
        expect(on(name, "sh", "-c", "echo $LAUNCH_HOST"), out_lines=[hosts[2], hosts[3], hosts[3]], err="")
        full = on(name, "--no-wait", "-n", "4", "hostname")
        expect(full, code=69, out="", err_contains=["too few slots are free: 3 of 8", "job 1 (sh -c echo runs; cat) has 5 ranks",
                                                   "--wait", "--share"])
        expect(on(name, "--share", "-n", "8", "--bind", "none", "sh", "-c", "echo $LAUNCH_HOST"), out_lines=sorted(hosts * 2), err="")
        expect(on(name, "--no-wait", "-hosts", hosts[0], "hostname"), code=69, err_contains="too few slots are free")
        waits = Job([LAUNCH, "--session", name, "-n", "8", "hostname"])
        time.sleep(0.5)
        if not waits.running or waits.out:
            fail(f"it does not wait\n{waits.result()}")
        jobs = expect(launch("ps"), err="").lines
        if len(jobs) != 2 or jobs[1].split()[:3] != [name, "1", "5"]:
            fail(f"ps says {jobs}")
        holds.close_stdin()
        expect(holds.wait(), err="")
        expect(waits.wait(), out_lines=sorted(hosts * 2), err_lines=1, err_contains="waits for slots in session")
        # With nobody beside it a job may have more ranks than slots, as without a session.
        expect(on(name, "-n", "9", "true"), err_contains="note: 9 ranks on 8 slots")


@test(tier="gate")
def jobs_wait_for_slots_in_order_of_arrival():
    with session("n[1-4]:16", "--transport", "local") as name:
        def begin(*words):
            return Job([LAUNCH, "--session", name, *words], stdin=None)

        # All at once, on slots that are free: none is refused.
        for job in [begin("-n", "1", "true") for _ in range(12)]:
            expect(job.wait(), err="")
        holds = begin("-n", "63", "sh", "-c", "[ $LAUNCH_RANK = 0 ] && echo runs; cat")
        holds.until("runs")
        large = begin("-n", "64", "sh", "-c", "[ $LAUNCH_RANK != 0 ] || echo large")
        large.until(f"launch: waits for slots in session {name}: too few slots are free: 1 of 64; job 13 ", stream="err")
        small = begin("-n", "1", "echo", "small")
        small.until("; 1 job waiting .--no-wait ends it instead", stream="err")  # though a slot is free
        refused = on(name, "--no-wait", "-n", "1", "true")
        expect(refused, code=69, out="", err_contains=["too few slots are free: 0 of 64", "; 2 jobs waiting", "--wait"])
        expect(on(name, "--share", "-n", "1", "echo", "shares"), out="shares\n", err="")
        holds.close_stdin()
        expect(holds.wait(), err="")
        for job, says in ((large, "large\n"), (small, "small\n")):
            expect(job.wait(), out=says, err_lines=1)
        began = [line for line in launch("session", "log", name).lines if "begins" in line]
        if "echo large" not in began[-2] or "echo small" not in began[-1]:
            fail(f"they began as {began}")


# Writes until nobody has read for a second, says so, and writes the rest when somebody does.
WRITES_TO_WHO_STANDS_STILL = """
import os, select, sys
piece, left = b"x" * 65536, 64 << 20
os.set_blocking(1, False)
while left:
    if select.select([], [1], [], 1)[1]:
        left -= os.write(1, piece[:left])
    elif len(sys.argv) > 1:
        open(sys.argv.pop(), "w").close()
"""


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_slow_reader_of_one_job_holds_up_no_other(cluster):
    with session(cluster.fold(2)) as name, scratch() as folder:
        stands_still = os.path.join(folder, "stands still")
        words = ["--share", "-hosts", cluster.hosts[0], "-n", "1"]
        reads, writes = os.pipe()
        held = Job([LAUNCH, "--session", name, *words, sys.executable, "-c", WRITES_TO_WHO_STANDS_STILL, stands_still], stdout=writes)
        os.close(writes)
        eventually(lambda: os.path.exists(stands_still), 60, "the rank that sees that nobody reads")
        expect(on(name, *words, "echo", "read"), out="read\n", err="")
        expect(on(name, *words, "true"), out="", err="")
        expect(on(name, *words, "sh", "-c", "exit 3"), code=3, err_contains="exit code 3")
        large = on(name, *words, "head", "-c", str(8 << 20), "/dev/zero")
        expect(large, err="")
        if len(large.out) != 8 << 20:
            fail(f"{len(large.out)} bytes of the second job")
        with open(reads, "rb") as file:
            read = len(file.read())
        expect(held.wait(), err="")
        if read != 64 << 20:
            fail(f"{read} bytes of the first job")


@needs_cluster(HOSTS, timeout=90)
def a_job_leaves_hosts_of_its_session_out(cluster):
    first, second, third, fourth = cluster.hosts[:4]
    with session(cluster.fold(4)) as name:
        where = ["sh", "-c", "echo $LAUNCH_HOST"]
        expect(on(name, "--exclude", second, *where), out_lines=[first, third, fourth], err="")
        expect(on(name, "--max-hosts", "2", *where), out_lines=[first, second], err="")
        expect(on(name, "--exclude", first, "--max-hosts", "1", *where), out_lines=[second], err="")
        expect(on(name, "-hosts", cluster.fold(2), "--exclude", first, *where), out_lines=[second], err="")
        expect(on(name, "--exclude", f"{second},nosuch", *where), out_lines=[first, third, fourth],
               err_lines=[f"launch: note: --exclude: not among the hosts of session {name}: nosuch"])
        expect(on(name, "--exclude", cluster.fold(4), *where), code=2, out="",
               err_contains=f"--exclude leaves no host of session {name}")
        holds = Job([LAUNCH, "--session", name, "-n", "1", "sh", "-c", "echo runs; cat"], stdin=None)
        holds.until("runs")
        # The first of those that have a free slot.
        expect(on(name, "--max-hosts", "1", *where), out_lines=[second], err="")
        holds.close_stdin()
        expect(holds.wait(), err="")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def the_ranks_of_a_job_are_shown(cluster):
    hosts = cluster.hosts[:4]
    busy = "if [ $LAUNCH_RANK = 1 ]; then timeout 20 sh -c 'while :; do :; done'; else sleep 20; fi"
    with session(f"{cluster.fold(4)}", "-k", "2") as name:
        job = Job([LAUNCH, "--session", name, "-n", "4", "sh", "-c", f"echo $$; {busy}"])
        pids = sorted(int(job.until(r"(\d+)\n").group(1)) for _ in range(4))
        time.sleep(0.7)
        made = json.loads(expect(launch("ps", "1", "--session", name, "--format", "json"), err="").out)
        expect_schema("ranks", made)
        same_keys("ps", [made])
        ranks = made["ranks"]
        same_keys("ps rank", ranks)
        if [each["rank"] for each in ranks] != [0, 1, 2, 3] or [each["host"] for each in ranks] != hosts:
            fail(f"ranks are {ranks}")
        if sorted(each["pid"] for each in ranks) != pids or any(each["state"] != "S" for each in ranks):
            fail(f"ranks are {ranks}, their shells {pids}")
        # The shell of rank 1 sleeps; what it has started does not.
        if not ranks[1]["cpu_ms"] >= 100 > ranks[0]["cpu_ms"] or not 200 < ranks[0]["resident_kib"] < 20_000:
            fail(f"ranks are {ranks}")
        table = expect(launch("ps", "1"), err="").lines
        if table[0].split() != ["RANK", "HOST", "PID", "STATE", "CPU", "MEMORY"] or len(table) != 5:
            fail(f"ps says {table}")
        cluster.exec(hosts[2], "kill", "-9", str(ranks[2]["pid"]))
        expect(job.wait(), code=137)
        expect(launch("ps", "1"), code=2, out="", err_lines=1, err_contains="has no job 1")
        expect(launch("ps", "one"), code=2, out="", err_contains="ps: ")
        expect(launch("ps", "1", "2"), code=2, out="", err_contains="unexpected word 2")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def what_scripts_read_of_sessions_is_as_documented(cluster):
    """Of one that has a host that is down, one that is to leave, and a detached job."""
    busy, lost = cluster.hosts[0], cluster.hosts[2]
    try:
        with session(cluster.fold(3), "--liveness", "1") as name, scratch() as folder:
            expect(on(name, "--detach", "-q", "-hosts", busy, "sleep", "1000", cwd=folder), err="")
            expect(launch("session", "remove", "--session", name, "--when-idle", busy), err="")
            cluster.kill(lost)
            eventually(lambda: any("next_try" in host for host in state(name)["hosts"]), 15, "the loss to be told")
            for words in (["session", "show", name], ["session", "list"], ["ps"]):
                made = json.loads(expect(launch(*words, "--format", "json"), err="").text)
                expect_schema("sessions", made)
                same_keys("sessions", [made])
                same_keys("session", made["sessions"])
                hosts, jobs = made["sessions"][0]["hosts"], made["sessions"][0]["jobs"]
                same_keys("session host", hosts)
                same_keys("session job", jobs)
                if [(host["host"], host["up"], host.get("leaves")) for host in hosts] != [
                        (busy, True, True), (cluster.hosts[1], True, None), (lost, False, None)]:
                    fail(f"hosts are {hosts}")
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=90)
def what_cannot_run_is_said_as_without_a_session(cluster):
    with session(cluster.fold(4), "-k", "2") as name:
        expect(on(name, "nosuch"), code=127, out="", err_lines=1,
               err_contains=[f"ranks 0-3 on {cluster.fold(4)}: nosuch: cannot execute: No such file or directory", "no rank was started"])
        expect(on(name, "-hosts", "strange", "true"), code=2, err_contains="strange: choose hosts of session s1: not a host")
        expect(on(name, "-k", "3", "--transport", "ssh", "true"), code=2,
               err_lines=2, err_contains=["launch: -k: ", "launch: --transport: "])
        # Where a program is missing on one host, none of it starts.
        for host in cluster.hosts[:3]:
            with open(os.path.join(cluster.home_of(host), "program"), "w") as file:
                file.write("#!/bin/sh\necho runs\n")
            os.chmod(file.name, 0o755)
        result = on(name, "-wdir", "/root", "./program")
        expect(result, code=127, out="", err_lines=1, err_contains=[f"rank 3 on {cluster.hosts[3]}: ./program: ", "no rank was started"])
        expect(on(name, "-wdir", "/nosuchfolder", "true"), code=126, out="", err_contains="/nosuchfolder")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def signals_and_the_loss_of_a_client_end_its_job_only(cluster):
    hosts = cluster.hosts[:4]
    with session(cluster.fold(4), "-k", "2") as name:
        stays = Job([LAUNCH, "--session", name, "-n", "1", "sh", "-c", "echo runs; cat"])
        stays.until("runs")
        job = Job([LAUNCH, "--session", name, "sh", "-c", "echo runs; exec sleep 1000"])
        for _ in range(3):
            job.until("runs")
        job.signal(signal.SIGINT)
        expect(job.wait(), code=130)
        job = Job([LAUNCH, "--session", name, "sh", "-c", "trap 'echo got; exit 0' USR1; echo runs; while :; do sleep 0.1; done"])
        for _ in range(3):
            job.until("runs")
        job.signal(signal.SIGUSR1)
        expect(job.wait(), out_lines=["runs", "got"] * 3)
        job = Job([LAUNCH, "--session", name, "sh", "-c", "trap 'echo got; exit 0' USR2; echo runs; while :; do sleep 0.1; done"])
        for _ in range(3):
            job.until("runs")
        number = str(max(each["job"] for each in state(name)["jobs"]))
        expect(launch("signal", number, "USR2"), out="", err="")
        expect(job.wait(), out_lines=["runs", "got"] * 3)
        expect(launch("signal", "4711", "USR2"), code=2, err_contains="has no job 4711")
        job = Job([LAUNCH, "--session", name, "sh", "-c", "setsid sleep 1000 & echo runs; sleep 1000"])
        for _ in range(3):
            job.until("runs")
        job.kill()
        job.wait()
        eventually(lambda: len(state(name)["jobs"]) == 1, 10, "the job to end with its client")
        eventually(lambda: not [entry for entry in of_the_job(cluster, hosts) if "sleep 1000" in entry[2]], 10, "its ranks to end")
        if not stays.running:
            fail("the other job has ended")
        stays.close_stdin()
        expect(stays.wait(), err="")


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_signal_may_be_for_some_ranks(cluster):
    """Each with its process group, or by its terminal; a list with a rank that the job has not reaches nobody."""
    slots = ",".join(f"{host}:2" for host in cluster.hosts[:3])
    traps = "trap 'echo $LAUNCH_RANK got; exit 0' {}; echo runs; while :; do sleep 0.1; done"
    with session(slots, "-k", "1") as name:
        job = Job([LAUNCH, "--session", name, "-n", "6", "sh", "-c", traps.format("USR1")])
        for _ in range(6):
            job.until("runs")
        none = f"launch: signal: job 1 of session {name} has no rank 6; its ranks are 0-5"
        for words, said in (("6", none), ("0,4-9", none), ("3-1", "3-1 is not a list of ranks"), ("all", "all is not a list of ranks")):
            expect(launch("signal", "1", "USR1", words), code=2, out="", err_lines=1, err_contains=said)
        expect(launch("signal", "1", "USR1", "1,4-5"), out="", err="")
        for _ in range(3):
            job.until("got")

        def left():
            return [rank["rank"] for rank in json.loads(expect(launch("ps", "1", "--format", "json"), err="").out)["ranks"]]
        eventually(lambda: left() == [0, 2, 3], 5, "those three to end, and no other")
        expect(launch("signal", "1", "USR1", "1,3"), out="", err="")  # the first has ended
        job.until("3 got")
        expect(launch("signal", "1", "USR1"), out="", err="")
        expect(job.wait(), out_lines=["runs"] * 6 + [f"{rank} got" for rank in range(6)])
        job = Job([LAUNCH, "--session", name, "-n", "2", "--pty", "sh", "-c", traps.format("INT")], pty=True)
        for _ in range(2):
            job.until("runs")
        expect(launch("signal", "2", "INT", "0"), out="", err="")
        job.until("0 got")
        expect(launch("signal", "2", "KILL", "1"), out="", err="")
        expect(job.wait(), code=137, out_contains=f"rank 1 on {cluster.hosts[0]}: ended by signal 9")


@needs_cluster(HOSTS, timeout=90)
def what_a_job_leaves_behind_ends_with_it_and_nobody_elses(cluster):
    leaves = "setsid sh -c 'sleep 1001; sleep 1001' > /dev/null 2>&1 < /dev/null & echo runs; cat"

    def left():
        return sorted({entry[0] for entry in of_the_job(cluster, cluster.hosts[:3]) if "sleep 1001" in entry[2]})
    slots = ",".join(f"{host}:2" for host in cluster.hosts[:3])
    with session(slots) as name:
        first = Job([LAUNCH, "--session", name, "-n", "4", "sh", "-c", leaves])
        for _ in range(4):
            first.until("runs")
        second = Job([LAUNCH, "--session", name, "-n", "2", "sh", "-c", leaves])
        for _ in range(2):
            second.until("runs")
        eventually(lambda: left() == cluster.hosts[:3], 5, "all to have left something")
        first.close_stdin()
        expect(first.wait(), err="")
        eventually(lambda: left() == cluster.hosts[2:3], 10, f"the first job's processes to end: {left()}")
        second.close_stdin()
        expect(second.wait(), err="")
        eventually(lambda: not left(), 10, "the second job's processes to end")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_lost_host_costs_the_jobs_on_it_and_not_the_session(cluster):
    try:
        with session(cluster.fold(4), "-k", "2", "--liveness", "1") as name:
            lost = cluster.hosts[3]
            on_it = Job([LAUNCH, "--session", name, "-hosts", lost, "sh", "-c", "echo runs; exec sleep 1000"])
            beside = Job([LAUNCH, "--session", name, "-hosts", cluster.hosts[0], "sh", "-c", "echo runs; cat"])
            on_it.until("runs")
            beside.until("runs")
            cluster.kill(lost)
            expect(on_it.wait(), code=69, err_contains=lost)
            shown = expect(launch("session", "show", name), err="").text
            if "3 hosts of 4 up" not in shown or not any(f"{lost}: {how}" in shown for how in ("down", "is being started again")):
                fail(shown)
            expect(launch("session", "log", name), out_contains=lost, err="")
            beside.close_stdin()
            expect(beside.wait(), err="")
            expect(on(name, "hostname"), out_lines=cluster.hosts[:3], err="")
            expect(on(name, "-hosts", lost, "hostname"), code=69, err_contains=f"{lost}: choose hosts of session {name}: not up")
            expect(on(name, "-hosts", cluster.fold(4), "--allow-missing", "hostname"), out_lines=cluster.hosts[:3], err="")
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_job_goes_on_without_a_host_that_is_lost_where_it_is_to(cluster):
    """The ranks there are lost, and with them nothing else: those that live fence on, jobs beside it do not notice, and its slots
    are free afterwards. By the loss of the relay, and of all of the host."""
    hosts = cluster.hosts[:4]
    mourner = [helper("pmi_cards"), "--mourn", "--fences", "30", "--delay", "60", "--read", "next"]
    try:
        for lose in (lambda host: kill_relay(cluster, host), cluster.kill):
            with session(",".join(f"{host}:2" for host in hosts), "-k", "1", "--liveness", "1") as name:
                job = Job([LAUNCH, "--session", name, "--on-host-loss", "continue", "--map", "cyclic", "-n", "4", *mourner])
                beside = Job([LAUNCH, "--session", name, "-ppn", "1", "-hosts", f"{hosts[0]},{hosts[2]}", "sh", "-c", "echo runs; cat"])
                for _ in range(2):
                    beside.until("runs")
                job.until(r"(?m)^3: under way")
                lose(hosts[1])
                result = expect(job.wait(), code=69, err_contains=re.compile(rf"^launch: {hosts[1]}: run: .*; its ranks are lost, the others go on$", re.M))
                if sorted(line for line in result.lines if line.endswith("died")) != [f"{rank}: 1 died" for rank in (0, 2, 3)]:
                    fail(f"not all that live, or not of the dead one only\n{result}")
                used = {host["host"].partition(":")[0]: host["used"] for host in state(name)["hosts"]}
                if any(used[host] != (host in (hosts[0], hosts[2])) for host in hosts):
                    fail(f"used are {used}")
                beside.close_stdin()
                expect(beside.wait(), out_lines=["runs"] * 2, err="")
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_session_that_is_killed_leaves_nothing(cluster):
    hosts = cluster.hosts[:4]
    for stop in (lambda: os.kill(holder("s1"), signal.SIGKILL), lambda: os.kill(guard_of(holder("s1")), signal.SIGKILL)):
        with session(cluster.fold(4), "-k", "2") as name:
            job = Job([LAUNCH, "--session", name, "sh", "-c", "setsid sleep 1000 & echo runs; sleep 1000"])
            for _ in range(4):
                job.until("runs")
            stop()
            expect(job.wait(), code=69, err=f"launch: run: session {name} has ended\n")
            nothing_left(cluster, hosts, 10)
            expect(on(name, "true"), code=2, err_contains=f"no session named {name}")


@test(tier="clock")
def a_session_that_stands_still_can_be_ended():
    expect(launch("session", "start", "--name", "still"), err="", out_contains="session still: 1 host")
    os.kill(holder("still"), signal.SIGSTOP)
    expect(launch("session", "stop", "still"), out="", err="")
    if names_listed():
        fail("the session has not ended")


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_session_that_is_stopped_ends_its_jobs(cluster):
    with session(cluster.fold(4), "-k", "2") as name:
        job = Job([LAUNCH, "--session", name, "sh", "-c", "echo runs; exec sleep 1000"])
        for _ in range(4):
            job.until("runs")
        expect(launch("session", "stop", name), out="", err="")
        expect(job.wait(), code=69, err=f"launch: run: session {name} has ended\n")
        nothing_left(cluster, cluster.hosts[:4], 5)


@needs_cluster(HOSTS, timeout=90, tier="clock")
def hosts_that_do_not_come_up_end_the_start_or_are_done_without(cluster):
    missing = cluster.hosts[1]
    try:
        cluster.kill(missing)
        refused = launch("session", "start", "--connect-timeout", "2", "-hosts", cluster.fold(3))
        expect(refused, code=69, out="", err_contains=missing)
        nothing_left(cluster, [cluster.hosts[0], cluster.hosts[2]])
        started = launch("session", "start", "--name", "s1", "--allow-missing", "--connect-timeout", "2", "-hosts", cluster.fold(3))
        expect(started, out_contains="session s1: 2 hosts", err_contains=missing)
        expect(on("s1", "hostname"), out_lines=[cluster.hosts[0], cluster.hosts[2]], err="")
        expect(launch("session", "stop", "s1"), out="", err="")
    finally:
        cluster.reset()


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_detached_job_goes_on_and_can_be_seen(cluster):
    with session(cluster.fold(2), "-k", "2") as name, scratch() as folder:
        file = f"{folder}/launch-{name}-1.out"
        go = f"{folder}/go"
        waits = f"cat; echo begins; while [ ! -e {go}$LAUNCH_RANK ]; do sleep 0.05; done; echo ends; touch {go}1; exit $((3 * LAUNCH_RANK))"
        expect(on(name, "--detach", "-n", "2", "-l", "sh", "-c", waits, cwd=folder, stdin="not for it\n"), err="",
               out_lines=[f"job 1 of session {name}: output in {file}", f"  to see it: launch attach --session {name} 1",
                          f"  to end it: launch signal --session {name} 1 TERM"])
        if state(name)["jobs"][0]["output"] != file:
            fail(state(name))
        seen = Job([LAUNCH, "attach", "1"])
        for _ in range(2):
            seen.until("begins")
        open(go + "0", "w").close()  # rank 0, which lets rank 1 go on
        said = ["[0] begins", "[1] begins", "[0] ends", "[1] ends"]
        ended = seen.wait()
        expect(ended, code=3, err="", out_contains=["[0] ends", "[1] ends", "rank 1 on", "ended with exit code 3"])
        late = expect(launch("attach", "--session", name, "1"), code=3, err="", out_contains=[*said, "ended with exit code 3"])
        with open(file) as written:
            if written.read() != late.text:
                fail(late)


@needs_cluster(HOSTS, timeout=90, tier="clock")
def the_end_of_a_detached_job_is_told_as_it_was(cluster):
    with session(cluster.fold(2), "-k", "2") as name, scratch() as folder:
        def detached(*words):
            expect(on(name, "--detach", "-q", *words, cwd=folder), out="", err="")
        detached("-n", "1", "nosuch")
        expect(launch("attach", "1"), code=127, err="", out_contains="nosuch: cannot execute")
        open(f"{folder}/launch-{name}-2.out", "w").close()  # of a session before
        detached("-n", "1", "echo", "mine")
        expect(launch("attach", "2"), out="mine\n", err="")
        if sorted(os.listdir(folder)) != [f"launch-{name}-1.out", f"launch-{name}-2.2.out", f"launch-{name}-2.out"]:
            fail(os.listdir(folder))
        detached("-n", "2", "sleep", "1000")
        expect(launch("signal", "3", "TERM"), out="", err="")
        expect(launch("attach", "3"), code=143, err="", out_contains="ended by signal 15")
        detached("-n", "2", "sleep", "1000")
        seen = Job([LAUNCH, "attach", "4"])
        os.kill(state(name)["jobs"][0]["client"], signal.SIGKILL)
        expect(seen.wait(), code=70, err_lines=1, err_contains=["job 4", "was killed"])
        expect(launch("attach", "4"), code=70, err_contains="was killed")
        plain = Job([LAUNCH, "--session", name, "sh", "-c", "echo runs; exec sleep 1000"])
        plain.until("runs")
        expect(launch("attach", "5"), code=2, out="", err_lines=1, err_contains=f"job 5 of session {name} ")
        plain.signal(signal.SIGTERM)
        plain.wait()
        detached("-n", "1", "sh", "-c", "echo runs; exec sleep 1000")
        seen = Job([LAUNCH, "attach", "6"])
        seen.until("runs")
        expect(launch("session", "stop", name), out="", err="")
        expect(seen.wait(), code=69, err_contains=f"run job 6: session {name} has ended")


@test
def what_cannot_be_detached_says_so():
    expect(launch("--detach", "true"), code=2, out="", err_lines=1, err_contains="--detach: ")
    expect(launch("session", "start", "--name", "here"), err="", out_contains="session here: 1 host")
    try:
        expect(on("here", "--detach", "-n", "1", "true", cwd="/proc"), code=70, out="",
               err_contains=["make /proc/launch-here-1.out for the job's output"])
        expect(on("here", "--detach", "--dry-run", "-n", "1", "true"), err="", out_contains="session here")
        for words, said in ((["x"], "x is not a job number"), ([], "JOB is missing"), (["0"], "is not a job number"),
                            (["2"], "there is no job 2 of session here")):
            expect(launch("attach", *words), code=2, out="", err_contains=said)
    finally:
        expect(launch("session", "stop", "here"), out="", err="")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def a_command_holds_a_session(cluster):
    inside = f'{LAUNCH} -n 2 hostname; {LAUNCH} session list | tail -1 | cut -d" " -f1; exit 3'
    expect(launch("session", "start", "--name", "held", "-hosts", cluster.fold(2), "--", "sh", "-c", inside), code=3,
           out_lines=[*cluster.hosts[:2], "held"], err="")
    nothing_left(cluster, cluster.hosts[:2])
    expect(launch("session", "list"), out="SESSION  HOSTS  SLOTS  USED  JOBS  AGE\n", err="")
    # Whoever holds it may be killed.
    holds = Job([LAUNCH, "session", "start", "--name", "held", "-hosts", cluster.fold(2), "--", "sh", "-c", "echo runs; exec sleep 1000"])
    holds.until("runs")
    holds.kill()
    eventually(lambda: not names_listed(), 10, "the session to end")
    nothing_left(cluster, cluster.hosts[:2])
    holds.discard()


@test
def a_shell_at_a_terminal_holds_a_session():
    """It has the terminal, with job control, and jobs know their session."""
    shell = Job([LAUNCH, "session", "start", "--name", "held", "--", "sh", "-i"], pty=True, env={"PS1": "> "})
    shell.until("> ")
    shell.write("sleep 1000\n")
    eventually(lambda: [pid for pid in descendants_of(shell.pid) if proc(pid, "comm").strip() == "sleep"], 10, "a program of the shell")
    shell.write(b"\x03")
    shell.until("> ")
    shell.write(f"{LAUNCH} -n 2 true; echo in $LAUNCH_SESSION; {LAUNCH} session log\n")
    shell.until("in held")
    shell.until("job 1 begins: 2 ranks of true")
    shell.write("exit 5\n")
    expect(shell.wait(), code=5)
    if names_listed():
        fail("the session has not ended")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def a_start_that_is_interrupted_leaves_nothing(cluster):
    """Of hosts that do not answer, and of hosts that are up already."""
    silent = cluster.hosts[2]
    cluster.cut(silent)
    try:
        start = Job([LAUNCH, "session", "start", "--name", "never", "-hosts", cluster.fold(3)])
        eventually(lambda: of_the_job(cluster, cluster.hosts[:2]), 10, "the start to be under way")
        start.signal(signal.SIGINT)
        expect(start.wait(20), code=130, out="")
        nothing_left(cluster, cluster.hosts[:2])
        if names_listed():
            fail("there is a session")
    finally:
        cluster.heal(silent)
        cluster.reset()


@needs_cluster(HOSTS, timeout=90)
def an_idle_session_ends(cluster):
    expect(launch("session", "start", "--name", "short", "--idle", "1", "-hosts", cluster.fold(2)), err="", out_contains="session short")
    expect(on("short", "sleep", "1.5"), err="")
    expect(on("short", "hostname"), out_lines=cluster.hosts[:2], err="")
    eventually(lambda: not launch("session", "list").lines[1:], 10, "the session to end")
    nothing_left(cluster, cluster.hosts[:2])


@needs_cluster(HOSTS, timeout=90)
def another_build_is_told_that_the_session_is_not_its_own(cluster):
    with session(cluster.fold(2)) as name, scratch() as folder:
        other = os.path.join(folder, "launch")
        write_other_build(other)
        expect(run([other, "--session", name, "hostname"]), code=2,
               err_contains=[f"session {name}: process ", "another build of launch"])
        expect(run([other, "session", "stop", name]), out="", err="")


@needs_cluster(HOSTS, timeout=120)
def another_user_has_nothing_of_it(cluster):
    with session(cluster.fold(2)) as name:
        other = OTHER_USER
        expect(run([*other, LAUNCH, "session", "list"]), out="SESSION  HOSTS  SLOTS  USED  JOBS  AGE\n", err="")
        expect(run([*other, LAUNCH, "--session", name, "true"]), code=2, err_contains=f"there is no session named {name}")
        connect = ("import socket, sys; s = socket.socket(socket.AF_UNIX)\n"
                   f"try: s.connect('/tmp/launch-0-{name}/socket'); print('connected')\n"
                   "except PermissionError: print('refused')")
        expect(run([*other, "python3", "-c", connect]), out="refused\n", err="")


@test
def two_users_have_sessions_of_one_name_each_their_own():
    if os.geteuid() != 0:
        raise Skip("needs root, to be two other users")
    users = {4001: "4001-only", 4002: "4002-only"}
    with contextlib.ExitStack() as stack:
        def as_user(uid, *words, **options):
            become = ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups", "env", "HOME=/nowhere"]
            return run([*become, LAUNCH, *words], cwd="/", **options)
        for uid, own in users.items():
            for name in ("both", own):
                expect(as_user(uid, "session", "start", "--name", name), err="", out_contains=f"session {name}: 1 host")
                stack.callback(as_user, uid, "session", "stop", name)
        for uid, own in users.items():
            other, = (name for owner, name in users.items() if owner != uid)
            expect(as_user(uid, "--session", "both", "-n", "1", "id", "-u"), out=f"{uid}\n", err="")
            listed = expect(as_user(uid, "session", "list"), err="").lines[1:]
            if [line.split()[0] for line in listed] != sorted(["both", own]):
                fail(f"user {uid} sees {listed}")
            none = f"there is no session named {other}"
            for words in (["--session", other, "true"], ["session", "show", other], ["session", "log", other], ["session", "stop", other],
                          ["session", "add", "n1", "--session", other], ["ps", "--session", other, "1"],
                          ["signal", "--session", other, "1", "TERM"], ["attach", "--session", other, "1"]):
                expect(as_user(uid, *words), code=2, out="", err_contains=none)
        for uid, own in users.items():
            for name in ("both", own):
                expect(as_user(uid, "session", "stop", name), out="", err="")


@needs_cluster(HOSTS, timeout=90)
def another_user_is_refused_where_the_folder_lets_him_in(cluster):
    """Both look who is at the other end: a session at who connects, and who connects at the session."""
    ask = ("import socket, sys; s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])\n"
           "said = s.recv(100)\n"
           "print('greeted' if said else 'hung up')")
    with session(cluster.fold(2)) as name:
        folder = f"/tmp/launch-0-{name}"
        expect(run(["python3", "-c", ask, f"{folder}/socket"]), out="greeted\n", err="")
        os.chmod(folder, 0o711)
        os.chmod(f"{folder}/socket", 0o666)
        expect(run([*OTHER_USER, "python3", "-c", ask, f"{folder}/socket"]), out="hung up\n", err="")
        os.chmod(folder, 0o700)
        expect(on(name, "hostname"), out_lines=cluster.hosts[:2], err="")
    listen = ("import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1])\n"
              "os.setgid(65534); os.setuid(65534); s.listen()\n"
              "print('listens', flush=True); c = s.accept()[0]; print(f'heard {c.recv(100)}', flush=True)")
    os.mkdir("/tmp/launch-0-false", 0o700)
    try:
        false = Job(["python3", "-c", listen, "/tmp/launch-0-false/socket"])
        false.until("listens")
        expect(on("false", "true"), code=2, out="", err_contains="session false: the session belongs to another user")
        expect(false.wait(), out="listens\nheard b''\n")
    finally:
        os.unlink("/tmp/launch-0-false/socket")
        os.rmdir("/tmp/launch-0-false")


def of_each_library(function=None, tier="long"):
    if function is None:
        return functools.partial(of_each_library, tier=tier)
    for library in PACKAGES:
        def one(cluster, library=library):
            function(cluster, library)
        one.__name__ = f"{library}_{function.__name__}"
        needs_cluster(HOSTS, timeout=120, tier=tier)(one)
    return function


@of_each_library
def programs_run_one_after_another_and_side_by_side(cluster, library):
    slots = ",".join(f"{host}:4" for host in cluster.hosts[:4])
    with session(slots, "-k", "2") as name:
        for _ in range(3):
            expect(on(name, "-n", "8", mpi(library, "mpi_ring"), env=NETWORK), out="ring of 8: token 8\n", err="")
        several = [Job([LAUNCH, "--session", name, "-n", "4", "--map", "cyclic", mpi(library, "mpi_allreduce")], env=NETWORK)
                   for _ in range(3)]
        for job in several:
            expect(job.wait(60), out="allreduce of 4: 0 wrong\n", err="")


def unread_bytes(descriptor):
    return int.from_bytes(fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4)), sys.byteorder)


def stands_still(reader):
    before = unread_bytes(reader)
    time.sleep(0.5)
    return before == unread_bytes(reader) > 0


def has_direct_link(pid):
    """A connection of its own: on that host everything else is ssh's, or comes from its port."""
    with open(f"/proc/{pid}/net/tcp") as file:
        rows = [line.split() for line in file.readlines()[1:]]
    ssh_port, established = 22, "01"
    return any(row[3] == established and ssh_port not in [int(end.split(":")[1], 16) for end in row[1:3]] for row in rows)


@needs_cluster(HOSTS, timeout=90, tier="clock")
def links_of_a_session_leave_ssh_by_themselves(cluster):
    with session(cluster.fold(4), "-k", "2"):
        relays = [launch_pids(cluster, host)[-1] for host in cluster.hosts[:4]]
        deadline = time.monotonic() + 10
        while not all(has_direct_link(pid) for pid in relays):
            if time.monotonic() > deadline:
                fail("no direct links")
            time.sleep(0.05)
    with session(cluster.fold(2), "--links", "ssh"):
        time.sleep(0.5)
        if any(has_direct_link(launch_pids(cluster, host)[-1]) for host in cluster.hosts[:2]):
            fail("--links ssh, and a direct link")


@test
def who_reads_what_a_start_says_does_not_wait_for_the_sessions_end():
    with session("n[1-3]", "--transport", "local", "-k", "1") as name:  # reads to the end
        expect(on(name, "sh", "-c", "echo $LAUNCH_HOST"), out_lines=["n1", "n2", "n3"], err="")


@needs_cluster(HOSTS, timeout=60)
def a_job_that_has_ended_has_given_back_its_slots(cluster):
    with session(cluster.fold(8)) as name:
        again = f"for job in $(seq 60); do {LAUNCH} --session {name} -n 8 true || exit; done"
        expect(Job(["sh", "-c", again]).wait(), err="", out="")


@needs_cluster(HOSTS, timeout=60, tier="gate")
def files_of_a_job_go_with_it_and_nothing_of_others(cluster):
    with session(cluster.fold(2), "-k", "1") as name, scratch() as folder:
        path = os.path.join(folder, "file")
        with open(path, "w") as file:
            file.write("staged")
        staged = [LAUNCH, "--session", name, "--share", "-hosts", cluster.hosts[1], "-n", "1", "--stage", path, "sh", "-c"]
        first = Job([*staged, "echo runs; read go; cat $LAUNCH_STAGE_DIR/file"])
        first.until("runs")
        expect(Job([*staged, "cat $LAUNCH_STAGE_DIR/file"]).wait(), out="staged", err="")
        if state(name)["session"] != name:
            fail("the session has gone with the files")
        first.close_stdin()
        expect(first.wait(), out="runs\nstaged", err="")
        expect(Job([*staged, "echo $LAUNCH_STAGE_DIR"]).wait(), err="")
        left = [entry for host in cluster.hosts[:2] for entry in cluster.exec(host, "ls", "/tmp").text.split() if entry.startswith("launch-")]
        if left:
            fail(f"left on hosts: {left}")


@needs_cluster(HOSTS, timeout=60)
def hosts_that_cannot_have_a_jobs_files_stay_in_the_session(cluster):
    """At any place in the tree: the job fails there, with the words that it has without a session, and no other does."""
    with session(cluster.fold(HOSTS), "-k", "2") as name, scratch() as folder:
        path = os.path.join(folder, "file")
        with open(path, "w") as file:
            file.write("staged")
        other = Job([LAUNCH, "--session", name, "--share", "sh", "-c", "echo runs; cat"])
        other.until("(?s)" + ".*".join(["runs"] * HOSTS))
        expect(on(name, "--share", "--stage", f"{path}:/nowhere/x", "true"), code=73, err_lines=1,
               err_contains=f"launch: {cluster.fold(HOSTS)}: stage {path} to /nowhere/x: No such file or directory")
        if not all(host["up"] for host in state(name)["hosts"]):
            fail(f"hosts were lost: {state(name)}")
        other.close_stdin()
        expect(other.wait(), err="")


@needs_cluster(HOSTS, timeout=120)
def a_hundred_jobs_leave_memory_as_it_was(cluster):
    with session(cluster.fold(4), "-k", "2") as name:
        def private():
            relays = [pid for host in cluster.hosts[:4] for pid in launch_pids(cluster, host)[-1:]]
            return [private_kib(pid) for pid in [holder(name), *relays]]
        for _ in range(20):
            expect(on(name, "true"), err="", out="")
        before = private()
        for _ in range(100):
            expect(on(name, "true"), err="", out="")
        after = private()
        if any(late > early + 500 for early, late in zip(before, after)):
            fail(f"KiB before {before}, after {after}")


@needs_cluster(HOSTS, timeout=120)
def jobs_at_once_leave_memory_as_it_was(cluster):
    with session(cluster.fold(4), "-k", "2") as name:
        processes = [holder(name), *(pid for host in cluster.hosts[:4] for pid in launch_pids(cluster, host)[-1:])]
        begin = "for job in $(seq {}); do " + f"{LAUNCH} --session {name} --share true & done; wait"

        def at_once(jobs):
            expect(Job(["sh", "-c", begin.format(jobs)]).wait(60), err="", out="")
        at_once(4)
        before = [private_kib(pid) for pid in processes]
        at_once(60)
        after, rested = [private_kib(pid) for pid in processes], []

        def has_rested():
            rested[:] = [private_kib(pid) for pid in processes]
            return all(late <= early + 1200 for early, late in zip(before, rested))
        try:
            eventually(has_rested, 10)
        except Failed:
            fail(f"KiB before {before}, when they had ended {after}, and later {rested}")


@needs_cluster(4, timeout=60)
def a_report_in_a_session_has_no_start(cluster):
    with session(cluster.fold(4), "-k", "2") as name, scratch() as folder:
        path = os.path.join(folder, "report.json")
        expect(on(name, "--report", path, "-n", "4", "sleep", "0.2"), err="")
        with open(path) as file:
            made = json.load(file)
        if made["session"] != name or any("started_by" in host for host in made["hosts"]):
            fail(f"it is {made}")
        if len(made["ranks"]) != 4 or any(rank["end_us"] - rank["start_us"] < 190_000 for rank in made["ranks"]):
            fail(f"ranks are {made['ranks']}")


if __name__ == "__main__":
    main()
