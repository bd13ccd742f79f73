#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--pty: a rank that has the user's terminal, or one of its own for its file."""
import contextlib
import fcntl
import os
import re
import shlex
import shutil
import signal
import struct
import termios
import time

from harness import *
from this_machine import PLAY

HERE = [["-n", "1"], [*PLAY, "-hosts", "n[1-3]", "-k", "1", "-n", "1"]]


def set_window(job, rows, columns):
    fcntl.ioctl(job.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def modes(job):
    return termios.tcgetattr(job.terminal)


def is_raw(job):
    return not modes(job)[3] & (termios.ICANON | termios.ECHO | termios.ISIG)


def at_terminal(*words, rows=30, columns=90):
    """launch in the foreground of a shell with job control, as users have it. What the modes are is said at the end."""
    line = " ".join(map(shlex.quote, words))
    job = Job(["sh", "-c", f"stty rows {rows} cols {columns}; {LAUNCH} {line}; echo code=$?; stty -a | tr ';' '\\n' | grep -c -- ' icanon'"],
              pty=True)
    return job


def expect_end(job, code):
    """The exit code, and a terminal as it was before."""
    job.until(rf"code={code}\r?\n")
    job.until(r"1\r?\n")
    expect(job.wait(20))


@test(tier="gate")
def a_rank_has_the_terminal():
    for words in HERE:
        print("   ", words)
        job = at_terminal(*words, "--pty", "bash", "--norc", "-c", "test -t 0 && test -t 1 && test -t 2 && stty size; tty; read x; echo got $x; exit 3")
        job.until(r"30 90\r\n/dev/pts/\d+\r\n")
        job.write("hello\r")
        job.until(r"hello\r\ngot hello\r\n")
        expect_end(job, 3)


@test(tier="clock")
def a_shell_has_job_control():
    for words in HERE:
        job = at_terminal(*words, "--pty", "bash", "--norc", "--noprofile", "-i")
        job.write("PS1=ready-; PS2=; echo up-$((40+2))\r")
        job.until("up-42")
        job.write("sleep 100\r")
        time.sleep(0.5)
        job.write("\x1a")  # ^Z stops it, and not launch
        job.until("Stopped")
        job.write("jobs; fg\r")
        job.until("sleep 100")
        time.sleep(0.5)
        job.write("\x03")  # ^C ends it, and nothing else
        job.write("echo still-$((40+2))\r")
        job.until("still-42")
        job.write("\x04")
        expect_end(job, 0)


@test
def the_window_has_the_size_of_the_users():
    for words in HERE:
        program = "trap 'stty size' WINCH; trap 'exit 130' INT; echo ready; while :; do sleep 0.1; done"
        job = at_terminal(*words, "--pty", "bash", "--norc", "-c", program)
        job.until("ready")
        if not is_raw(job):
            fail("the terminal is not raw")
        set_window(job, 41, 101)
        job.until(r"41 101\r\n")
        job.write("\x03")
        expect_end(job, 130)


@test(tier="clock")
def the_terminal_is_as_before_whatever_ends_launch():
    for number in (signal.SIGTERM, signal.SIGKILL):
        for who in ("started", "worker", "both"):
            job = Job([LAUNCH, "-n", "1", "--pty", "sh", "-c", "echo ready; sleep 100"], pty=True)
            before = modes(job)
            job.until("ready")
            deadline = time.monotonic() + 5
            while not is_raw(job) and time.monotonic() < deadline:
                time.sleep(0.02)
            worker = os.tcgetpgrp(job.terminal)
            if not is_raw(job):
                fail("the terminal is not raw")
            if who == "both":
                os.killpg(worker, number)
            else:
                pids = [job.pid] if who == "started" else workers_of(job.pid)
                for pid in pids:
                    os.kill(pid, number)
            deadline = time.monotonic() + 10
            while modes(job) != before and time.monotonic() < deadline:
                time.sleep(0.02)
            if modes(job) != before:
                fail(f"{number.name} of {who}: the terminal is still raw")
            job.wait(20)


@test
def a_full_screen_program_is_drawn_right():
    """In a terminal emulator, which draws what it is told and can be asked for its screen."""
    if not shutil.which("tmux"):
        raise Skip("needs tmux")
    for words in HERE:
        with scratch() as folder, emulator(folder, [LAUNCH, *words, "--pty", "less", "numbers"]) as tmux:
            with open(os.path.join(folder, "numbers"), "w", encoding="ascii") as file:
                file.writelines(f"line {number}\n" for number in range(1, 1001))
            tmux("send-keys", "-t", "0", "run", "Enter")
            until_screen(tmux, [f"line {number}" for number in range(1, 12)] + ["numbers"])
            tmux("send-keys", "-t", "0", "G")
            until_screen(tmux, [f"line {number}" for number in range(990, 1001)] + ["(END)"])
            tmux("resize-window", "-t", "0", "-x", "40", "-y", "6")  # it draws its screen anew, and of that size
            until_screen(tmux, [f"line {number}" for number in range(990, 995)] + [":"])
            tmux("send-keys", "-t", "0", "q")
            until_screen(tmux, ["ended with 0"], "what was there before is back")


@contextlib.contextmanager
def emulator(folder, argv):
    """Of 12 lines and 60 columns, with a shell in which `run` runs that in the folder; how to talk with it."""
    def tmux(*words):
        return run(["tmux", "-S", os.path.join(folder, "socket"), "-f", "/dev/null", *words]).text

    start = os.path.join(folder, "run")
    with open(start, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\nclear; {shlex.join(argv)}; echo ended with $?; exec cat\n")
    os.chmod(start, 0o755)
    tmux("new-session", "-d", "-x", "60", "-y", "12", "-c", folder, f"PATH={folder}:$PATH PS1= LESS= exec sh")
    try:
        yield tmux
    finally:
        tmux("kill-server")


def until_screen(tmux, lines, what="the screen"):
    def seen():
        return [line.rstrip() for line in tmux("capture-pane", "-p", "-t", "0").rstrip("\n").split("\n")]

    try:
        eventually(lambda: [line for line in seen() if line] == lines, what=what)
    finally:
        print("\n".join("    |" + line for line in seen()))


def workers_of(pid):
    """Processes of launch in the process group of that one, but itself."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != pid:
            try:
                if os.getpgid(int(entry)) == pid:
                    found.append(int(entry))
            except ProcessLookupError:
                pass
    return found


@test(tier="gate")
def other_ranks_lines_begin_at_the_left():
    job = at_terminal("-n", "2", "--pty", "-l", "sh", "-c", "if [ $LAUNCH_RANK = 0 ]; then read x; else echo a; echo b; fi")
    job.until(r"\[1\] .*a\r\n.*\[1\] .*b\r\n")
    job.write("\r")
    expect_end(job, 0)


@test
def keys_are_signals_again_once_the_rank_with_the_terminal_has_ended():
    for words in (["-n", "2"], [*PLAY, "-hosts", "n[1-2]", "-k", "1", "-n", "2"]):
        for key, code in (("\x03", 130), ("\x1c", 131)):
            program = "if [ $LAUNCH_RANK = 0 ]; then echo up; read x; else exec sleep 1000; fi"
            job = Job([LAUNCH, *words, "--pty", "sh", "-c", program], pty=True)
            job.until("up")
            eventually(lambda: is_raw(job), what="the terminal is raw")
            job.write("\r")
            eventually(lambda: not is_raw(job), what="the terminal is as it was")
            job.write(key)
            expect(job.wait(20), code=code)


@test
def a_question_is_seen_before_its_answer():
    """Whatever other ranks do; and no rank goes on in the line of another."""
    for words in (["-n", "2"], [*PLAY, "-hosts", "n[1-3]", "-k", "1", "-n", "2", "--stdin", "1", "-l"]):
        asks = 1 if "--stdin" in words else 0
        with scratch() as folder:
            go = os.path.join(folder, "go")
            os.mkfifo(go)
            script = f"if [ $LAUNCH_RANK = {asks} ]; then printf 'Enter: '; read x; echo got $x; else read y <{go}; echo other; fi"
            job = Job([LAUNCH, *words, "sh", "-c", script], pty=True)
            job.until(r"Enter: $")
            with open(go, "w") as file:
                file.write("y\n")
            job.until(r"^\r?\n(.*\[0\].* )?\S*other\r?\n")
            job.write("word\n")
            job.until(r"got word\r?\n")
            expect(job.wait(20))


@test
def without_a_terminal_it_is_an_error():
    expect(launch("--pty", "true"), code=2, err_contains=["--pty: standard input is not a terminal", "--output-dir"])
    expect(launch("--pty", "--gather", "true"), code=2, err_contains=["--gather: not with --pty"])
    expect(launch("--pty", "--stdin", "all", "true"), code=2, err_contains=["name it with --stdin RANK"])


@test
def every_rank_has_a_terminal_for_its_file():
    with scratch() as folder:
        script = "test -t 1 && test -t 2 && stty size; echo x >&2"
        expect(launch(*PLAY, "-hosts", "n[1-2]", "--pty", "--output-dir", folder, "--output-pattern", "%r", "sh", "-c", script), out="")
        for rank in range(2):
            with open(f"{folder}/{rank}", "rb") as file:
                text = file.read()
            if not re.fullmatch(rb"\d+ \d+\r\nx\r\n", text):
                fail(repr(text))


@needs_cluster(4, timeout=90, tier="clock")
def on_a_host_and_in_a_session(cluster):
    host = cluster.hosts[2]
    job = Job([LAUNCH, "-hosts", cluster.fold(4), "-k", "1", "-n", "3", "--stdin", "2", "--pty", "sh", "-c",
               "[ $LAUNCH_RANK != 2 ] || { test -t 0 && read x && echo $x by $(hostname); }"], pty=True)
    set_window(job, 25, 81)
    time.sleep(1)
    job.write("typed\r")
    job.until(rf"typed by {host}")
    expect(job.wait(20))
    job = Job([LAUNCH, "-hosts", host, "--pty", "top"], pty=True, env={"TERM": "xterm"})
    job.until(r"load average")
    job.until(r"\x1b\[[0-9;]*H")  # it moves the cursor about
    job.write("q")
    expect(job.wait(20))
    expect(launch("session", "start", "--name", "p1", "-hosts", cluster.fold(4)))
    try:
        job = Job([LAUNCH, "--session", "p1", "-n", "1", "--pty", "bash", "--norc", "-c",
                   "stty size; trap 'stty size' WINCH; read x; read y; echo $y by $(hostname)"], pty=True)
        job.until(r"\d+ \d+\r\n")
        set_window(job, 33, 99)
        time.sleep(0.5)
        job.write("a\r")
        job.until("33 99")
        job.write("b\r")
        job.until(rf"b by {cluster.hosts[0]}")
        expect(job.wait(20))
        if is_raw(job):
            fail("the terminal is still raw")
    finally:
        launch("session", "stop", "p1")


if __name__ == "__main__":
    main()
