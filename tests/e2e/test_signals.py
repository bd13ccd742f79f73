#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Signals and keys, from whoever runs launch to the ranks on this machine."""
import os
import signal
import time

from harness import *
from this_machine import PLAY, SIGNALS, every_process_group_gets, launches_here


@test(tier="gate")
def signals_reach_every_process_group():
    for words in (["-n", "3"], [*PLAY, "-hosts", "n[1-3]", "-k", "1"]):
        for number, code in {**SIGNALS, signal.SIGTSTP: 0}.items():
            print("   ", number.name, *words)
            every_process_group_gets(number, code, 3, *words)


@test(tier="clock")
def children_that_a_shell_had_before_it_became_us_are_left_alone():
    with scratch() as folder:
        out = os.path.join(folder, "out")
        # bash -c becomes its last command: launch inherits the reader as a child.
        result = run(["bash", "-c", f'exec "{LAUNCH}" -n 1 seq 1 200000 > >(while read line; do echo $line; done > "{out}")'])
        expect(result, out="", err="")
        eventually(lambda: open(out).read().endswith("\n200000\n"), 20)
        result = run(["bash", "-c", f'sleep 600 > /dev/null 2>&1 & echo $! > "{out}"; exec "{LAUNCH}" -n 1 sh -c "exit 7"'])
        expect(result, code=7, err_lines=1)
        child = int(open(out).read())
        os.kill(child, signal.SIGKILL)  # fails if it was gone
        os.waitpid(child, 0)  # orphans are the harness's


@test(tier="clock")
def what_ranks_say_when_interrupted_is_not_lost():
    job = Job([LAUNCH, "-n", "1", "sh", "-c", "trap 'head -c 3000000 /dev/zero; exit 0' INT; echo ready; while :; do sleep 0.05; done"])
    job.until("ready")
    job.signal(signal.SIGINT)
    time.sleep(1)  # a reader that takes its time
    result = job.wait(10)
    expect(result)
    if len(result.out) != 3_000_006:
        fail(f"{len(result.out)} bytes of 3000006")


WRITER = ["sh", "-c", """
case $LAUNCH_RANK in
    0) trap 'exit 3' INT QUIT USR1 HUP ;;
    *) trap 'sleep 1.5; echo written; exit 0' INT QUIT USR1 HUP; trap 'echo disturbed; exit 1' TERM ;;
esac
echo ready; while :; do sleep 0.05; done"""]


@test(tier="clock")
def a_rank_that_leaves_first_does_not_take_the_others_checkpoint_along():
    for words in (["-n", "2"], [*PLAY, "-hosts", "n[1-2]"]):
        for number, code in ((signal.SIGINT, 130), (signal.SIGQUIT, 3), (signal.SIGUSR1, 3), (signal.SIGHUP, 129)):
            job = Job([LAUNCH, *words, *(["--kill-grace", "0.3"] if number != signal.SIGHUP else []), *WRITER])
            job.until("ready")
            job.until("ready")
            job.signal(number)
            told = ["launch: rank 0 on", ": ended with exit code 3\n"] if number != signal.SIGHUP else []
            expect(job.wait(10), code=code, out="ready\nready\nwritten\n", err_contains=told, err_lacks=["were", "was"])


@test(tier="gate")
def a_quit_that_ends_nobody_is_not_why_a_rank_fails_later():
    script = "trap : QUIT; echo ready; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done; exit $((3 - 3 * LAUNCH_RANK))"
    job = Job([LAUNCH, "-n", "2", "--keep-going", "sh", "-c", script])
    job.until("ready")
    job.until("ready")
    job.signal(signal.SIGQUIT)
    expect(job.wait(10), code=3, err_contains="launch: rank 0 on localhost: ended with exit code 3")


@test
def a_crash_after_a_signal_that_need_not_end_a_job_ends_it():
    script = "trap 'test $LAUNCH_RANK = 1 || kill -SEGV $$' USR1; echo ready; while :; do sleep 0.05; done"
    job = Job([LAUNCH, "-n", "2", "sh", "-c", script])
    job.until("ready")
    job.until("ready")
    job.signal(signal.SIGUSR1)
    expect(job.wait(4), code=139, err_contains=[
        "launch: rank 0 on localhost: ended by signal 11 (Segmentation fault); 1 other rank was ended"])


@test(tier="clock")
def an_interrupt_at_a_terminal_says_who_runs_on_and_how_to_end_it():
    deaf = "trap 'test $LAUNCH_RANK != 0 || exit 1' INT; trap '' TERM; echo ready; while :; do sleep 0.05; done"
    job = Job([LAUNCH, "-n", "3", "sh", "-c", deaf], pty=True)
    for _ in range(3):
        job.until("ready")
    job.write("\x03")
    job.until("launch: ranks 1,2 on localhost still run after \\^C; a second \\^C kills them\n", timeout=5)
    time.sleep(6)  # longer than --kill-grace
    if not job.running:
        fail(f"ranks were killed\n{job.result()}")
    job.write("\x03")
    expect(job.wait(5), code=130)
    job = Job([LAUNCH, "-n", "2", "sh", "-c", "echo ready; exec sleep 60"], pty=True)
    job.until("ready")
    job.until("ready")
    job.write("\x03")
    result = job.wait(5)
    expect(result, code=130, out_contains=["launch: ranks 0,1 on localhost: ended by signal 2 (Interrupt)"])
    if b"still" in result.out:
        fail(f"said of a job that ended at once\n{result}")


@test(tier="clock")
def the_user_s_own_signal_to_end_reaches_ranks_once():
    # A handler may come between two writes of print().
    script = "import os, signal, time\n" \
             "def tell(number, _): os.write(1, b'got %d\\n' % number)\n" \
             "for number in signal.SIGTERM, signal.SIGHUP: signal.signal(number, tell)\n" \
             "os.write(1, b'ready\\n')\nwhile True: time.sleep(0.01)"
    for number in (signal.SIGTERM, signal.SIGHUP):
        job = Job([LAUNCH, "-n", "1", "--kill-grace", "0.5", "python3", "-c", script])
        job.until("ready")
        job.signal(number)
        expect(job.wait(5), code=128 + number, out=f"ready\ngot {int(number)}\n", err_lines=[
            "launch: rank 0 on localhost: killed after --kill-grace 0.5 s"])


@test(tier="gate")
def stop_and_continue_as_a_shell_does():
    for words in ("-n 2", "--transport local -hosts n[1-2] -n 2"):
        script = f'set -m; "{LAUNCH}" {words} sh -c "echo ready; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; echo over" & ' \
                 'sleep 0.4; kill -TSTP %1; sleep 6; jobs; echo ==; kill -CONT %1; wait %1; echo code $?'
        result = run(["bash", "-c", script], timeout=30)
        before, after = [part.splitlines() for part in result.text.split("==")]
        if not any("Stopped" in line for line in before) or "over" in before:
            fail(f"not stopped\n{result}")
        if after.count("over") != 2 or "code 0" not in after:  # lines
            fail(f"not continued\n{result}")


@test(tier="clock")
def keys_at_a_terminal():
    job = Job(["bash", "--norc", "-i"], pty=True, env={"PS1": "$ "})
    job.until(r"\$ ")
    job.write(f"'{LAUNCH}' -n 2 sleep 50\n")
    time.sleep(0.6)
    job.write("\x1a")
    job.until("Stopped", timeout=5)
    job.write("fg\n")
    time.sleep(0.4)
    job.write("\x03")
    time.sleep(0.5)
    job.write("echo code=$?\n")
    job.until("code=130", timeout=5)
    job.write("exit\n")
    job.wait(5)


@test(tier="gate")
def a_shell_sees_one_process_in_its_own_group():
    """What must outlive a kill of the group leaves it; what the shell started stays, and what uses the terminal."""
    job = Job(["bash", "--norc", "-i"], pty=True, env={"PS1": "$ "})
    job.until(r"\$ ")
    job.write(f"'{LAUNCH}' -n 1 cat | tail -n 1\n")
    pids = [int(pid) for pid in eventually(lambda: len(launches_here()) == 3 and launches_here())]
    eventually(lambda: len({os.getsid(pid) for pid in pids}) == 2)
    guard, = (pid for pid in pids if os.getpgid(pid) == pid and os.getsid(pid) == pid)
    group, = {os.getpgid(pid) for pid in pids if pid != guard}
    if os.tcgetpgrp(job.terminal) != group or {os.getsid(pid) for pid in pids if pid != guard} != {job.pid}:
        fail("not where the shell has put it")
    job.write("typed\n")  # the terminal is rank 0's to read, by launch
    job.write("\x1a")
    job.until("Stopped", timeout=5)
    job.write("fg\n")
    job.until(r"fg\n(.*\n)?.*tail -n 1\n", timeout=5)
    eventually(lambda: os.tcgetpgrp(job.terminal) == group)
    job.write("more\n\x04")
    job.until("more\nmore\n", timeout=5)
    job.write(f"'{LAUNCH}' -n 1 sh -c 'exit 7'; echo code=$?; exit\n")
    job.until("code=7", timeout=5)
    job.wait(5)


@test(tier="clock")
def a_rank_that_wants_the_terminal_is_told_of():
    ask = "test $LAUNCH_RANK = 0 && exec sleep 1000; read answer < /dev/tty; echo never"
    told = "launch: note: localhost: ranks 1,2 are stopped \\(SIGTTIN\\), .*--stdin RANK.*setsid -w PROGRAM"
    job = Job([LAUNCH, "-n", "3", "sh", "-c", ask], pty=True)
    job.until(told, timeout=5)
    job.write("\x03")  # which a stopped process would not see
    expect(job.wait(5), code=130)
    job = Job([LAUNCH, "-n", "1", "sh", "-c", "exec stty -echo < /dev/tty"], pty=True)
    job.until("rank 0 is stopped \\(SIGTTOU\\), ", timeout=5)
    job.write("\x03")
    expect(job.wait(5), code=130)
    # What the message says to try.
    result = run([LAUNCH, "-n", "1", "setsid", "-w", "sh", "-c", "read answer < /dev/tty"], pty=True, stdin=None)
    expect(result, code=2, out_contains=["/dev/tty: No such device or address"], within=5)


@test(tier="clock")
def a_rank_that_somebody_stops_is_nobody_else_s_business():
    job = Job([LAUNCH, "-n", "1", "sh", "-c", "echo $$; kill -STOP $$; echo on"])
    pid = int(job.until(r"(\d+)\n").group(1))
    time.sleep(0.5)
    os.kill(pid, signal.SIGCONT)
    expect(job.wait(5), out_contains=["on"], err="")


@test(tier="gate")
def what_the_parent_ignores_or_blocks_does_not_stop_launch():
    """Without SIGCHLD launch would wait for its rank for ever, and a blocked SIGTERM would not end it."""
    for signals in (["--ignore-signal=CHLD"], ["--block-signal=CHLD"], ["--block-signal"]):
        expect(run(["env", *signals, LAUNCH, "-n", "2", "sh", "-c", "sleep 0.1; echo done"]), out="done\n" * 2, err="")
        job = Job(["env", *signals, LAUNCH, "-n", "1", "sh", "-c", "echo runs; sleep 1000"])
        job.until("runs")
        job.signal(signal.SIGTERM)
        expect(job.wait(), code=143)
        # A rank has none of it.
        expect(run(["env", *signals, LAUNCH, "-n", "1", "grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]), out_lines=[
            "SigBlk:\t0000000000000000", "SigIgn:\t0000000000000000"])


@test(tier="gate")
def inherited_ignored_signals_stay_ignored():
    job = Job(["sh", "-c", f'trap "" HUP; exec "{LAUNCH}" -n 1 sh -c "echo ready; sleep 0.7; echo end"'])
    job.until("ready")
    job.signal(signal.SIGHUP)
    expect(job.wait(5), out_contains=["end"])


if __name__ == "__main__":
    main()
