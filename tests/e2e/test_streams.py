#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output and input of ranks on this machine: bytes, lines, and readers that are slow, late or gone."""
import contextlib
import os
import re
import signal
import time

from harness import *
from harness.promises import RELAY_MIB, most_kib
from this_machine import PLAY, launches_here


@test(tier="gate")
def output_streams_stay_apart_and_lines_whole():
    script = "i=0; while [ $i -lt 300 ]; do echo out-$LAUNCH_RANK-$i-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; " \
             "echo err-$LAUNCH_RANK-$i >&2; i=$((i+1)); done; printf last-$LAUNCH_RANK"
    result = launch(*PLAY, "-hosts", "n[1-6]:2", "-k", "2", "sh", "-c", script)
    if result.code != 0:
        fail(str(result))
    for rank in range(12):
        mine = re.findall(rf"out-{rank}-\d+-x+\n", result.text)
        if mine != [f"out-{rank}-{i}-" + "x" * 43 + "\n" for i in range(300)]:
            fail(f"rank {rank}: {len(mine)} good lines of 300")
        if f"last-{rank}" not in result.text:
            fail(f"the unfinished line of rank {rank} is lost")
    errors = [line for line in result.err_lines if line.startswith("err-")]
    if len(errors) != 12 * 300 or len(result.err_lines) != len(errors):
        fail(f"{len(errors)} lines of standard error, expected 3600")


@test(tier="gate")
def labels():
    expect(launch(*PLAY, "-hosts", "n[1-3]", "-l", "sh", "-c", "printf 'a\\nb'; echo e >&2"),
           out_contains=["[0] a\n", "[1] a\n", "[2] a\n", "[0] b\n", "[1] b\n", "[2] b\n"],
           err_lines=["[0] e", "[1] e", "[2] e"])
    expect(launch("-n", "2", "--label", "sh", "-c", "echo $LAUNCH_RANK"), out_lines=["[0] 0", "[1] 1"])


@test
def labels_by_a_pattern():
    pattern = "%h %p %R %l/%{size} %{program} %{stream} %%: "
    lines = [f"n{node} {node - 1} {rank} {rank % 2}/4 {rank // 2} {{}} %: " for rank, node in ((0, 1), (1, 1), (2, 2), (3, 2))]
    expect(launch(*PLAY, "-hosts", "n[1-2]:2", "-prepend-pattern", pattern, "-n", "2", "sh", "-c", "echo a; echo b >&2",
                  ":", "-n", "2", "sh", "-c", "echo a; echo b >&2"),
           out_lines=[line.format("out") + "a" for line in lines], err_lines=[line.format("err") + "b" for line in lines])
    result = launch("-n", "2", "--label-pattern", "%{date} %{time} ", "echo", "x")
    for line in result.text.splitlines():
        if not re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} x", line):
            fail(f"no time in {line!r}")
    expect(launch("--label-pattern", "%q", "true"), code=2, err_contains=["--label-pattern", "%q is not a field"])


@test
def labels_are_colored_on_a_terminal_only():
    colored = "\x1b[36m[0] \x1b[0mx"
    expect(launch("-l", "-n", "1", "echo", "x"), out="[0] x\n")
    expect(launch("-l", "--color", "always", "-n", "1", "echo", "x"), out=colored + "\n")
    job = Job([LAUNCH, "-l", "-n", "1", "echo", "x"], pty=True)
    job.until(re.escape(colored))
    expect(job.wait(10))
    for words, env in ((["--color", "never"], {}), ([], {"NO_COLOR": "1"})):
        job = Job([LAUNCH, "-l", *words, "-n", "1", "echo", "x"], pty=True, env={**os.environ, **env})
        job.until(r"\[0\] x")
        result = expect(job.wait(10))
        if "\x1b[36m" in result.text:
            fail(f"{words} {env}: colored: {result.text!r}")


@test(tier="gate")
def bytes_come_through_as_they_are():
    blob = os.urandom(20_000_000)
    for words in (["-n", "1"], [*PLAY, "-hosts", "n[1-4]", "-n", "1"], [*PLAY, "-hosts", "n[1-4]", "-k", "1", "--stdin", "3"]):
        program = ["sh", "-c", "if [ $LAUNCH_RANK = $((LAUNCH_SIZE - 1)) ]; then cat; fi"]
        result = launch(*words, *program, stdin=blob)
        if result.out != blob:
            fail(f"{words}: {len(result.out)} bytes came back, first differing from what was sent\n{result.err_text}")


@test(tier="gate")
def standard_input_goes_to_whom_it_is_for():
    script = "echo $LAUNCH_RANK: $(cat)"
    hosts = [*PLAY, "-hosts", "n[1-3]:2", "-k", "1"]
    nobody = [f"{rank}: " for rank in range(6)]
    rows = [([], ["0: hello"] + nobody[1:]), (["--stdin", "all"], [f"{rank}: hello" for rank in range(6)]),
            (["--stdin", "none"], nobody), (["--stdin", "4"], nobody[:4] + ["4: hello"] + nobody[5:])]
    for words, wanted in rows:
        print("   ", words)
        lines = [line.rstrip() for line in wanted]
        result = launch(*hosts, *words, "sh", "-c", script, stdin=b"hello")
        result.out = b"\n".join(line.rstrip() for line in result.out.splitlines()) + b"\n"
        expect(result, out_lines=lines)


@test
def input_that_nobody_reads_is_left_to_the_next_command():
    for words in (["-n", "2"], [*PLAY, "-hosts", "n[1-2]"]):
        script = f'while read line; do "{LAUNCH}" {" ".join(words)} sleep 0.05; echo $line; done'
        expect(run(["bash", "-c", script], stdin=b"a\nb\nc\n"), out="a\nb\nc\n")


@test
def a_rank_that_reads_one_line_gets_it_at_a_terminal():
    job = Job([LAUNCH, "-n", "2", "sh", "-c", "if [ $LAUNCH_RANK = 0 ]; then read x; echo got $x; fi"], pty=True)
    job.write("hello\n")
    job.until("got hello")
    expect(job.wait(10))


@test
def a_background_job_is_not_stopped_by_the_terminal():
    script = f'set -m; "{LAUNCH}" -n 1 sh -c "cat & sleep 0.6; kill \\$!; echo done" & sleep 1; jobs; wait; echo end'
    job = Job(["bash", "-c", script], pty=True)
    job.until("end", timeout=15)
    if b"Stopped" in job.out or b"done" not in job.out:
        fail(str(job.result()))
    job.wait(5)


@test(tier="clock")
def a_slow_reader_stops_the_ranks_and_memory_stays_flat():
    job = Job([LAUNCH, *PLAY, "-hosts", "n[1-6]", "-k", "2", "yes", "0123456789" * 7])
    for _ in range(15):
        time.sleep(0.1)
    most, limit = max(map(private_kib, launches_here())), most_kib(RELAY_MIB)
    print(f"    {most} KiB of {limit}")
    if most > limit and not sanitized():  # which has memory of its own
        fail(f"{most} KiB of its own with a stalled reader, not {limit}")
    job.close_stdout()
    result = job.wait(10)
    expect(result, code=141, err="")


@test(tier="gate")
def a_late_reader_loses_nothing():
    """Output waits in the tree when its last rank has ended: longer than any relay may take to leave."""
    for tree in (["--topology", "chain"], ["-k", "1"]):
        command = f'"{LAUNCH}" --transport local -hosts n[1-3] {" ".join(tree)} sh -c "test \\$LAUNCH_RANK != 2 || ' \
                  'head -c 1900000 /dev/zero" | (sleep 7; wc -c); echo ${PIPESTATUS[0]}'
        expect(run(["bash", "-c", command]), out_lines=["1900000", "0"], err="")


@test
def output_in_a_pipe_is_nobodys_who_is_late():
    """Also where the tree takes no more of it for now: the last of it is still in the rank's own pipe."""
    for size in range(1_600_000, 2_000_000, 50_000):
        command = f'"{LAUNCH}" --transport local -hosts n1 head -c {size} /dev/zero | (sleep 0.7; wc -c)'
        expect(run(["bash", "-c", command]), out=f"{size}\n", err="")


@contextlib.contextmanager
def a_job_whose_last_output_nobody_reads():
    """All its ranks have ended."""
    with scratch() as folder:
        written = os.path.join(folder, "written")
        job = Job([LAUNCH, "-n", "1", "sh", "-c", f"head -c 900000 /dev/zero; exec touch {written}"])
        eventually(lambda: os.path.exists(written), what="the end of the rank's output")
    eventually(lambda: not [pid for pid in descendants_of(job.pid) if proc(pid, "comm") in ("sh\n", "touch\n")])
    time.sleep(0.5)
    yield job


@test(tier="clock")
def only_signals_to_end_give_up_output_that_is_not_read_yet():
    with a_job_whose_last_output_nobody_reads() as job:
        for number in (signal.SIGUSR1, signal.SIGCONT, signal.SIGTSTP, signal.SIGCONT):
            job.signal(number)
            time.sleep(0.2)
        if not job.running:
            fail("a signal that ends nothing ended it")
        result = job.wait(10)
        expect(result)
        if len(result.out) != 900_000:
            fail(f"{len(result.out)} bytes of 900000")
    with a_job_whose_last_output_nobody_reads() as job:
        job.signal(signal.SIGTERM)
        eventually(lambda: not job.running, 5, "the end of launch")
        expect(job.wait(5), code=143)


@test
def closed_standard_streams_are_nobody_elses():
    expect(run(["bash", "-c", f'"{LAUNCH}" -n 1 sh -c "cat; echo over" <&-']), out="over\n", err="")
    expect(run(["bash", "-c", f'"{LAUNCH}" -n 2 echo hello >&-']), code=74, out="",
           err="launch: write standard output: the stream is closed\n")


@test
def a_job_that_writes_can_be_stopped_for_long():
    script = f'set -m; "{LAUNCH}" --transport local -hosts n[1-3] -k 1 yes > /dev/null & ' \
             'sleep 0.7; kill -TSTP %1; sleep 7; jobs; kill -CONT %1; sleep 0.5; jobs; kill -TERM %1; wait %1; echo code $?'
    result = run(["bash", "-c", script])
    if "Stopped" not in result.text or "Running" not in result.text or "code 143" not in result.text:
        fail(str(result))


@test(tier="gate")
def a_reader_that_goes_away_ends_the_job():
    result = run(["bash", "-c", f'"{LAUNCH}" --transport local -hosts n[1-4] yes | head -1; echo ${{PIPESTATUS[0]}}'])
    expect(result, out_lines=["y", "141"], err="")


@test
def a_full_disk_is_said():
    result = run(["bash", "-c", f'"{LAUNCH}" -n 2 echo hello > /dev/full'])
    expect(result, code=74, err_lines=["launch: write standard output: No space left on device"])


@test
def output_that_has_no_place_to_go_is_said():
    """Standard output is closed, or its file may not grow; a job that writes nothing does not care."""
    for words in ("-n 1 echo hello", "--help", "--dry-run true", "--gather -n 1 echo hello"):
        expect(run(["sh", "-c", f'"{LAUNCH}" {words} >&-']), code=74, out="", err="launch: write standard output: the stream is closed\n")
        with scratch() as folder:
            limited = f'ulimit -f 0; "{LAUNCH}" {words} > {folder}/out'
            expect(run(["bash", "-c", limited]), code=74, err="launch: write standard output: File too large\n")
    expect(run(["sh", "-c", f'"{LAUNCH}" -n 1 true >&-']), out="", err="")
    with scratch() as folder:
        rank_writes = f'ulimit -f 0; "{LAUNCH}" -n 1 sh -c "echo > {folder}/grows"'
        expect(run(["bash", "-c", rank_writes]), code=153, out="", err_contains="signal 25")


@test
def output_of_a_short_lived_background_process_is_not_lost():
    expect(launch("-n", "1", "sh", "-c", "(sleep 0.3; echo late) & echo early"), out="early\nlate\n")


if __name__ == "__main__":
    main()
