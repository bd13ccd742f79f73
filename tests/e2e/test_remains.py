#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is left on this machine of a job that ends, however it ends: nothing."""
import contextlib
import os
import re
import signal
import time

from dead_file_server import dead_file_server
from harness import *
from harness.processes import parent_of
from harness.promises import end_without_stuck
from this_machine import PLAY, kill_at_once, launches_here, no_cgroups


@test(grace=5, tier="clock")
def nothing_survives_a_kill():
    """SIGKILL of the process a user sees, of the one behind it, of relays: the check after the test looks for what is left."""
    program = ["sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"]
    for words, ranks in ((["-n", "2"], 2), ([*PLAY, "-hosts", "n[1-5]", "-k", "1"], 5)):
        for victim in range(0, 7 if "-k" in words else 3):
            job = Job([LAUNCH, *words, *program])
            for _ in range(ranks):
                job.until("ready")
            pids = sorted(map(int, launches_here()))
            os.kill(pids[victim], signal.SIGKILL)
            result = job.wait(8)
            if result.code == 0:
                fail(f"success after a kill of process {victim}\n{result}")
            eventually(lambda: not launches_here(), 5, "all of launch to be gone")


def left_in_memory():
    return [name for name in os.listdir("/dev/shm") if name.startswith("launch-")]


@test(grace=1, tier="clock")
def a_kill_of_the_process_group_leaves_nothing():
    daemons_and_memory = "setsid sleep 1007 >/dev/null 2>&1 & ls /dev/shm | grep -c '^launch-.*pmix$'; echo ready; sleep 1000"
    for words in (["-n", "2"], [*PLAY, "-hosts", "n[1-2]", "-k", "1"]):
        for pmi, folders in (("none", 0), ("pmix", 1)):
            job = Job(no_cgroups(LAUNCH, *words, "--pmi", pmi, "sh", "-c", daemons_and_memory))
            job.until("ready")
            job.until("ready")
            if folders and b"\n0\n" in b"\n" + job.out:
                raise Skip("no PMIx server here")
            job.signal_group(signal.SIGKILL)
            result = job.wait(8)
            expect(result, code=-signal.SIGKILL)
            eventually(lambda: not launches_here() and not daemons() and not left_in_memory(), 8, "all of it to be gone")


@test(grace=1, tier="clock")
def the_files_of_a_job_all_of_whose_processes_were_killed_are_removed_by_the_next_launch():
    with scratch() as folder:
        dest = os.path.join(folder, "services")
        words = ["--stage", "/etc/services:data/", "--stage", f"/etc/services:{dest}"]
        script = 'echo "ready $LAUNCH_STAGE_DIR"; exec sleep 1000'
        alive = Job(no_cgroups(LAUNCH, "-n", "1", *words[:2], "sh", "-c", script))
        alive.until("ready")
        dead = Job(no_cgroups(LAUNCH, "-n", "1", *words, "sh", "-c", script))
        place = dead.until("ready (.*)\n").group(1).decode()
        kill_at_once({dead.pid, *map(int, launches_here())} - {alive.pid, *descendants_of(alive.pid)})
        dead.wait(5)
        if not (os.path.exists(dest) and os.path.exists(f"{place}/data/services")):
            fail("the files are gone already: nothing to test")
        before = left_in_memory()
        expect(launch("-n", "1", "true"), err="")
        if os.path.exists(dest) or os.path.exists(place):
            fail("the files are still there")
        if len(before) != 2 or len(left_in_memory()) != 1:
            fail(f"{before} became {left_in_memory()}")
        expect(run(["cat", f"/proc/{alive.pid}/comm"]), out="launch\n")
        alive.signal(signal.SIGTERM)
        expect(alive.wait(5), code=143)


@test(grace=1, tier="clock")
def a_later_launch_spares_what_its_user_has_made_of_the_files_of_such_a_job():
    with scratch() as folder:
        edited, anew, untouched = (os.path.join(folder, name) for name in ("edited", "anew", "untouched"))
        stages = [word for path in (edited, anew, untouched) for word in ("--stage", f"/etc/services:{path}")]
        dead = Job(no_cgroups(LAUNCH, "-n", "1", *stages, "sh", "-c", "echo ready; exec sleep 1000"))
        dead.until("ready")
        kill_at_once({dead.pid, *map(int, launches_here())})
        dead.wait(5)
        with open(edited, "a") as file:
            file.write("mine\n")
        inode = os.stat(anew).st_ino
        os.remove(anew)
        with open(anew, "w") as file:
            file.write("mine too\n")
        print("    the same inode" if os.stat(anew).st_ino == inode else "    another inode")
        expect(launch("-n", "1", "true"), err="")
        if sorted(os.listdir(folder)) != ["anew", "edited"]:
            fail(f"{os.listdir(folder)} is left")


@contextlib.contextmanager
def own_cgroup(name):
    """A new cgroup v2 below ours, next to others of this test and to nobody else's."""
    own = [line[3:].rstrip("/") for line in proc("self", "cgroup").splitlines() if line.startswith("0::/")]
    above = [f"{at}{own[0]}" for at in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
             if own and os.access(f"{at}{own[0]}/cgroup.procs", os.W_OK)]
    if not above:
        raise Skip("no writable cgroup v2 here")
    folder = f"{above[0]}/test-{os.getpid()}/{name}"
    os.makedirs(folder)
    try:
        yield folder
    finally:
        for pid in daemons():
            os.kill(int(pid), signal.SIGKILL)
        eventually(lambda: not open(f"{folder}/cgroup.procs").read(), 2, "an empty cgroup")
        os.rmdir(folder)
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(folder))


DAEMONS = ["sh", "-c", "setsid sleep 1007 >/dev/null 2>&1 & echo ready; sleep 1000"]


def daemons():
    return [pid for pid in filter(str.isdigit, os.listdir("/proc")) if proc(pid, "cmdline") == "sleep\x001007\0"]


@test(grace=1, tier="clock")
def what_a_kill_of_all_processes_spares_is_ended_by_the_next_launch():
    with own_cgroup("a") as first, own_cgroup("b") as second:
        inside = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
        for session in (first, second):
            job = Job(["sh", "-c", inside, first, LAUNCH, "-n", "2", *DAEMONS])
            job.until("ready")
            job.until("ready")
            alive = Job(["sh", "-c", inside, first, LAUNCH, "-n", "1", "sh", "-c", "echo here; sleep 2; echo there"])
            alive.until("here")
            kill_at_once({int(pid) for pid in launches_here()} - {alive.pid, *descendants_of(alive.pid)})
            job.wait(5)
            if len(daemons()) != 2:
                fail(f"{len(daemons())} daemons are left: nothing to test")
            expect(run(["sh", "-c", inside, session, LAUNCH, "-n", "1", "true"]), err="")
            eventually(lambda: not daemons(), 2, "the daemons to be gone")
            expect(alive.wait(5), out_contains=["there"])


@test(tier="gate")
def the_file_of_a_relays_guard_that_is_slow_at_the_end_is_removed():
    words = [LAUNCH, *PLAY, "-hosts", "n1", "sh", "-c", "echo ready $PPID; cat"]
    for argv in (words, no_cgroups(*words)):
        job = Job(argv)
        relay = int(job.until(r"ready (\d+)\n").group(1))
        os.kill(parent_of(relay), signal.SIGSTOP)
        job.close_stdin()
        expect(job.wait(30), err="")
        if left_in_memory():
            fail(f"{left_in_memory()} are left")


@test(tier="gate")
def without_a_writable_cgroup_nothing_is_different():
    count = f'"{LAUNCH}" -n 2 sh -c "grep 0:: /proc/self/cgroup || true" | grep -c /launch-'
    with own_cgroup("a") as folder:
        expect(run(["sh", "-c", f'echo $$ > "{folder}/cgroup.procs"; {count}']), out="2\n", err="")
    expect(run(no_cgroups("sh", "-c", f'{count}; "{LAUNCH}" -n 1 echo over')), out="0\nover\n", err="")


@test(timeout=90, tier="clock")
def a_rank_that_not_even_a_kill_ends_is_reported_and_left():
    for words, host, above in (([], "localhost", 2), ([*PLAY, "-hosts", "n[1-2]:2", "-k", "1"], "n2", 6)):
        with dead_file_server() as server:
            # Printed, as launch looks itself what sort of program is behind the words and variables of a shell's command.
            script = 'echo ready $$; test $LAUNCH_RANK != 3 || exec cat "$(printenv DEAD)"; exec sleep 1000'
            job = Job([LAUNCH, *words, "-n", "4", "--kill-grace", "0.3", "-l", "sh", "-c", script], env={"DEAD": server.file})
            eventually(lambda: not job.pump(0.1) or job.out.count(b"ready") == 4, what="four ranks")
            pid = re.search(rb"\[3\] ready (\d+)", job.out)[1].decode()
            if not server.is_asked.wait(10):
                fail("the rank has not asked for the file")
            begin = time.monotonic()
            job.signal(signal.SIGTERM)
            result = job.wait(15)
            expect(result, code=143, err_lines=1, err_contains=[
                f"launch: rank 3 (pid {pid}) on {host} does not end after SIGKILL: in uninterruptible sleep (state D, wchan "])
            if time.monotonic() - begin > allowed(end_without_stuck(0.3, above)):
                fail(f"took {time.monotonic() - begin:.1f} s")
            if proc(pid, "comm") != "cat\n":
                fail("the rank has ended: nothing was tested")
        os.waitpid(int(pid), 0)  # it ends with the server; orphans are the harness's
    launch("-n", "1", "true")  # sees to the cgroups that could not be removed


@test(grace=1, tier="clock")
def processes_that_ranks_leave_behind_are_ended_with_the_job():
    expect(launch("-n", "2", "sh", "-c", "(setsid sleep 1000 >/dev/null 2>&1 &); echo done"), out_lines=["done"] * 2,
           within=5)
    expect(launch("-n", "1", "--kill-grace", "0.3", "sh", "-c", "sleep 1000 & echo done"), out_lines=["done"], within=3,
           err_contains=["rank 0 left processes that kept its output open"])


@needs_cluster(2, grace=1)
def host_is_waited_for_while_it_ends_what_ranks_left(cluster):
    """For --kill-grace, and no longer if the host that started it waits for such processes, too."""
    script = "trap '' TERM; sleep 1000 >/dev/null 2>&1 </dev/null & echo $LAUNCH_HOST"
    expect(launch("--kill-grace", "6", "-k", "1", "-hosts", cluster.fold(2), "sh", "-c", script), out_lines=cluster.hosts[:2], err="")
    nothing_left(cluster, cluster.hosts[:2], 1)


@test(grace=1, tier="clock")
def what_ranks_leave_behind_is_no_news_when_the_job_is_being_ended():
    # It is ready when its parent, which a signal that comes while it is still a shell may not end, is what it is to be.
    stubborn = "sh -c \"trap '' INT TERM; while grep -q sh /proc/\\$PPID/comm; do sleep 0.01; done; echo ready; " \
               "sleep 1000; sleep 1000\" & "
    script = f"if [ $LAUNCH_RANK = 1 ]; then sleep 0.4; exit 3; fi; {stubborn}exec sleep 1000"
    expect(launch("-n", "2", "--kill-grace", "0.3", "sh", "-c", script), code=3, within=3, err_lines=[
        "launch: rank 1 on localhost: ended with exit code 3; 1 other rank was ended"])
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        # A shell that has children catches the signal in them too, until they run the program: none but what is stubborn.
        job = Job([LAUNCH, "-n", "1", "--kill-grace", "0.3", "sh", "-c", stubborn + "exec sleep 1000"])
        job.until("ready")
        job.signal(number)
        expect(job.wait(5), code=code, err_lacks=["left processes"])


if __name__ == "__main__":
    main()
