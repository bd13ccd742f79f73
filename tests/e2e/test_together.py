#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No rank starts before every host is up; with --start-early each does as soon as its own host is."""
import contextlib
import os
import re
import signal
import time

from dead_file_server import dead_file_server
from harness import *
from starts import PLACE, REFUSED, failed, held, held_up, listed, places, slow
from this_machine import PLAY

NONE_STARTED = "; no rank was started"
NONE = NONE_STARTED + "\n"


@contextlib.contextmanager
def marks():
    """A program whose ranks leave a file each, and what they left."""
    with scratch() as folder:
        def left():
            return sorted(os.listdir(folder))
        yield ["sh", "-c", f"touch {folder}/$LAUNCH_RANK; echo ran; cat"], left


def nothing_ran(left):
    if left():
        fail(f"ranks {left()} ran")


@needs_cluster(8, timeout=90, tier="gate")
def where_a_host_cannot_be_started_no_rank_starts(cluster):
    for degree in ("1", "2", "8"):
        with marks() as (program, left):
            expect(launch("-k", degree, "-hosts", listed(cluster, 6, [3]), *program), code=69, out="", err_lines=1,
                   err_contains=[failed(cluster.hosts[3], REFUSED), NONE])
            nothing_ran(left)
    with marks() as (program, left):
        expect(launch("-hosts", listed(cluster, 6, [3]), "--keep-going", *program), code=69, out="", err_contains=NONE)
        nothing_ran(left)


@needs_cluster(8)
def with_start_early_the_others_do(cluster):
    with held(cluster, cluster.hosts[2]) as let_go:
        job = Job([LAUNCH, "--start-early", "-k", "8", "-hosts", cluster.fold(3), *PLACE])
        first, second = (re.escape(line) for line in places(cluster.hosts[:3])[:2])
        job.until(f"(?s)({first}.*{second}|{second}.*{first})", timeout=10)
        let_go()
        expect(job.wait(15), out_lines=places(cluster.hosts[:3]), err="")
    result = launch("--start-early", "-k", "8", "-hosts", listed(cluster, 3, [2]), "sh", "-c", "echo ran; sleep 60")
    expect(result, code=69, out_contains="ran", err_contains=f"launch: {cluster.hosts[2]}: {REFUSED}", err_lacks=NONE_STARTED)


@test(timeout=60, tier="clock")
def a_file_server_that_is_down_is_named_and_no_host_lost_by_it():
    for words, out in (([], ""), (["--keep-going", "--start-early"], "ran\n")):
        with dead_file_server() as server:
            job = Job([LAUNCH, *PLAY, *words, "-hosts", "a,b", "--liveness", "1", "--start-timeout", "2", "-n", "1", "echo",
                       "ran", ":", "-n", "1", "-wdir", server.file, "echo", "never"])
            job.until(re.escape(f"launch: rank 1 on b: echo: cannot execute: no answer about {server.file} within 2 s (a file "
                                "server that is down?)"), stream="err", timeout=20)
            eventually(lambda: not job.pump(0.1) or not job.running, what="the end of the job")
        # Its thread that waits in the kernel keeps the relay there until the server is gone.
        expect(job.wait(10), code=126, out=out, err_lacks="lost")
    launch("-n", "1", "true")  # sees to the cgroups that could not be removed


@test
def start_early_goes_with_nothing_that_waits_for_all():
    for others in (["--allow-missing"], ["--spares", "1"], ["--on-host-loss", "continue"], ["--routing", "binomial"]):
        expect(launch("--start-early", *others, "-hosts", "a,b", "true"), code=2, err_lines=1,
               err_contains=f"launch: --start-early: not with {others[0]}")


@needs_cluster(8, timeout=120, grace=15)
def who_finds_its_parent_again_gets_the_word(cluster):
    """A link that breaks before all are up, with others below it or not, costs nothing."""
    for degree in ("8", "1"):
        for length in (3, 1.5):
            with slow(cluster, cluster.hosts[3], length):
                job = Job([LAUNCH, "-k", degree, "-hosts", cluster.fold(4), "sh", "-c", f"{PLACE[2]}; cat"], stdin="a line\n")
                eventually(lambda: launch_pids(cluster, cluster.hosts[1]) and held_up(cluster, cluster.hosts[3]))
                kill_sessions(cluster, cluster.hosts[1])
                expect(job.wait(20), out_lines=[*places(cluster.hosts[:4]), "a line"], err="")


@needs_cluster(8, timeout=90, grace=15, tier="clock")
def the_wait_can_be_ended(cluster):
    with slow(cluster, cluster.hosts[2], 8):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGQUIT, 131)):
            with marks() as (program, left):
                job = Job([LAUNCH, "-hosts", cluster.fold(3), *program])
                eventually(lambda: launch_pids(cluster, cluster.hosts[0]) and launch_pids(cluster, cluster.hosts[1]))
                time.sleep(0.3)
                begin = time.monotonic()
                job.signal(number)
                expect(job.wait(10), code=code, out="", err="")
                if time.monotonic() - begin > allowed(3):
                    fail(f"ended {time.monotonic() - begin:.1f} s after the signal")
                nothing_ran(left)
        with marks() as (program, left):
            expect(launch("--timeout", "1.5", "-hosts", cluster.fold(3), *program), code=124, out="", err_lines=1, within=6,
                   err_contains=[f"not done within --timeout 1.5 s; starting: 2 of 3 hosts up, waiting for {cluster.hosts[2]} (hello){NONE}"])
            nothing_ran(left)


@needs_cluster(8, grace=15, tier="clock")
def who_waits_ends_with_the_head(cluster):
    with held(cluster, cluster.hosts[2]) as let_go, marks() as (program, left):
        job = Job([LAUNCH, "-k", "1", "-hosts", cluster.fold(3), *program])
        eventually(lambda: launch_pids(cluster, cluster.hosts[1]) and held_up(cluster, cluster.hosts[2]))
        job.kill()
        let_go()
        nothing_left(cluster, cluster.hosts[:3], 10)
        job.wait(5)
        nothing_ran(left)


@needs_cluster(8)
def standard_input_waits_too(cluster):
    with slow(cluster, cluster.hosts[2], 1.5):
        for degree in ("1", "8"):
            words = ["-k", degree, "-hosts", cluster.fold(3), "-l", "cat"]
            expect(launch(*words, stdin="a\nb\n"), out="[0] a\n[0] b\n")
            expect(launch("--stdin", "all", *words, stdin="a\n"), out_lines=[f"[{rank}] a" for rank in range(3)])
            expect(launch("--start-early", "--stdin", "2", *words, stdin="a\n"), out="[2] a\n")


@needs_cluster(8)
def a_file_that_one_host_cannot_take_starts_nobody(cluster):
    """Ranks wait for the files of all hosts."""
    folders = [cluster.home_of(host) for host in cluster.hosts[:3]]
    for folder in folders[:2]:
        os.makedirs(f"{folder}/takes", exist_ok=True)
    try:
        with marks() as (program, left):
            expect(launch("-hosts", cluster.fold(3), "--stage", "/etc/services:/root/takes/", *program), code=73, out="",
                   err_contains=[f"launch: {cluster.hosts[2]}: ", NONE])
            nothing_ran(left)
        os.makedirs(f"{folders[2]}/takes")
        expect(launch("-hosts", cluster.fold(3), "--stage", "/etc/services:/root/takes/", "cmp", "/etc/services", "/root/takes/services"), err="")
    finally:
        for folder in folders:
            with contextlib.suppress(FileNotFoundError):
                os.rmdir(f"{folder}/takes")


@needs_cluster(8, tier="gate")
def a_program_that_some_hosts_lack_starts_nobody(cluster):
    """All hosts are told in one message, and what is wrong with it where."""
    here = [cluster.home, *(cluster.home_of(host) for host in cluster.hosts[:5])]
    scripts = ["#!/bin/sh\necho ran\n"] * 3 + [None, "#!/no/such/interpreter\n", None]
    for home, script in zip(here, scripts):
        if script:
            with open(f"{home}/some-have-it", "w") as file:
                file.write(script)
            os.chmod(f"{home}/some-have-it", 0o755)
    try:
        for degree in ("1", "8"):
            lacking = f"{cluster.hosts[2][:-3]}[003,005]"
            expect(launch("-k", degree, "-ppn", "2", "-hosts", cluster.fold(5), "/root/some-have-it"), code=127, out="", err_lines=[
                f"launch: ranks 4,5,8,9 on {lacking}: /root/some-have-it: cannot execute: No such file or directory "
                "(is it on that host? --stage-program copies it there)",
                f"launch: ranks 6,7 on {cluster.hosts[3]}: /root/some-have-it: cannot execute: its interpreter "
                f"/no/such/interpreter: No such file or directory{NONE_STARTED}"])
        # Who is to go on does, on the others.
        expect(launch("--keep-going", "-hosts", cluster.fold(5), "/root/some-have-it"), code=(126, 127), out="ran\nran\n", err_lacks=NONE_STARTED)
        # Of hosts that are dealt ranks late, too.
        expect(launch("--allow-missing", "-hosts", listed(cluster, 4, [0]), "/root/some-have-it"), code=(126, 127), out="", err_contains=NONE_STARTED)
        expect(launch("--allow-missing", "-n", "1", "-hosts", listed(cluster, 5, [0]), "/root/some-have-it"), out="ran\n")
    finally:
        for home in here:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{home}/some-have-it")


@needs_cluster(8)
def a_folder_that_some_hosts_lack_starts_nobody(cluster):
    """Ranks do not run somewhere else than the others; where no host has it all start at home, as they always did."""
    homes = [cluster.home_of(host) for host in cluster.hosts[:4]]
    for home in (cluster.home, homes[0], homes[2]):
        os.makedirs(f"{home}/some-have-it", exist_ok=True)
    lacking = f"{cluster.hosts[1][:-3]}[002,004]"

    def there(*words):
        return run(["sh", "-c", 'cd /root/some-have-it && exec "$0" "$@"', LAUNCH, *words])
    try:
        missing = "cannot enter the working directory: No such file or directory"
        for options in (["-k", "1"], ["-k", "8"], ["--allow-missing"], ["--on-host-loss", "continue"]):
            expect(there(*options, "-hosts", cluster.fold(4), "pwd"), code=126, out="", err_lines=[
                f"launch: ranks 1,3 on {lacking}: /root/some-have-it: {missing} (other hosts have this folder, so ranks do not start in their home folders; name another with -wdir){NONE_STARTED}"])
        expect(there("-hosts", cluster.fold(4), "-wdir", "/root/some-have-it", "pwd"), code=126, out="", err_lines=[
            f"launch: ranks 1,3 on {lacking}: /root/some-have-it: {missing}{NONE_STARTED}"])
        expect(there("--keep-going", "-hosts", cluster.fold(4), "pwd"), code=126, out="/root/some-have-it\n" * 2, err_lines=[
            f"launch: ranks 1,3 on {lacking}: /root/some-have-it: {missing} (other hosts have this folder, so ranks do not start in their home folders; name another with -wdir)"])
        # Who starts early may have started, and is ended; the others do not.
        expect(there("--start-early", "-hosts", cluster.fold(4), "pwd"), code=126, err_contains=[
            f"ranks 1,3 on {lacking}: /root/some-have-it: {missing}"], err_lacks=NONE_STARTED)
        for options in ([], ["--allow-missing"], ["--start-early"]):
            expect(there(*options, "-hosts", ",".join(cluster.hosts[1:4:2]), "pwd"), out="/root\n" * 2, err_lines=[
                f"launch: note: {lacking}: there is no folder /root/some-have-it; ranks start in /root"])
    finally:
        for home in (cluster.home, homes[0], homes[2]):
            os.rmdir(f"{home}/some-have-it")


if __name__ == "__main__":
    main()
