#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Output of many ranks: in files, here or on their hosts, and gathered."""
import contextlib
import json
import os
import re
import signal
import time

from documented import expect_schema, same_keys
from harness import *
from this_machine import PLAY

WRITES = ["sh", "-c", "echo out $LAUNCH_RANK; echo err $LAUNCH_RANK >&2"]


class Folder:
    def __init__(self, path):
        self.path = path

    def __str__(self):
        return self.path

    def texts(self):
        """Of all files in it, by their names."""
        found = {}
        for base, _, names in os.walk(self.path):
            for name in names:
                path = os.path.join(base, name)
                with open(path, encoding="utf-8") as file:
                    found[os.path.relpath(path, self.path)] = file.read()
        return found

    def expect(self, wanted):
        if self.texts() != wanted:
            fail(f"{self.texts()}, expected {wanted}")


@contextlib.contextmanager
def new_folder():
    with scratch() as path:
        yield Folder(path)


def files_of(ranks):
    width = len(str(ranks - 1))
    return {f"{rank:0{width}}.{name}": f"{name} {rank}\n" for rank in range(ranks) for name in ("out", "err")}


@test(tier="gate")
def a_file_for_each_rank_and_stream():
    for words in ([], ["--output-there"]):
        with new_folder() as folder:
            expect(launch(*PLAY, "-hosts", "n[1-6]:2", "-k", "2", "--output-dir", folder, *words, *WRITES), out="", err="")
            folder.expect(files_of(12))


@test
def files_named_by_a_pattern():
    with new_folder() as folder:
        pattern = "run/%h/%{program}.%{stream}"
        expect(launch(*PLAY, "-hosts", "n[1-2]", "--output-dir", folder, "--output-pattern", pattern, *WRITES), out="", err="")
        folder.expect({f"run/n{rank + 1}/0.{name}": f"{name} {rank}\n" for rank in range(2) for name in ("out", "err")})
    with new_folder() as folder:  # as mpiexec has them, from the folder where it is called
        expect(launch("-n", "2", "-outfile-pattern", "o.%r", *WRITES, cwd=str(folder)), out="", err_lines=["err 0", "err 1"])
        folder.expect({"o.0": "out 0\n", "o.1": "out 1\n"})
    with new_folder() as folder:  # all of a host in one file, each line whole
        script = "for i in $(seq 200); do echo $LAUNCH_RANK line $i; done"
        expect(launch("-n", "4", "-l", "--output-dir", folder, "--output-pattern", "%h", "sh", "-c", script), out="")
        lines = folder.texts()["localhost"].splitlines()
        if sorted(lines) != sorted(f"[{rank}] {rank} line {i}" for rank in range(4) for i in range(1, 201)):
            fail(f"{len(lines)} lines, or not these")


@test
def files_and_the_screen():
    for words in ([], ["--output-there"]):
        with new_folder() as folder:
            expect(launch("-n", "2", "--output-copy", "--output-dir", folder, *words, *WRITES),
                   out_lines=["out 0", "out 1"], err_lines=["err 0", "err 1"])
            folder.expect(files_of(2))


@test
def nothing_is_written_over_unasked():
    with new_folder() as folder:
        words = ["-n", "2", "--output-dir", folder]
        expect(launch(*words, *WRITES))
        expect(launch(*words, "touch", f"{folder}/started"), code=2, out="",
               err_contains=["0.err, and 3 more output files exist already", "--output-replace"])
        folder.expect(files_of(2))
        expect(launch(*words, "--output-replace", "echo", "new"), err="")
        texts = folder.texts()
        if texts["0.out"] != "new\n" or texts["0.err"] != "err 0\n":
            fail(str(texts))
        for _ in range(2):
            expect(launch("-n", "1", "--output-dir", f"{folder}/%j", "echo", "x"), err="")
        if sum(text == "x\n" for text in folder.texts().values()) != 2:
            fail(str(folder.texts()))
        expect(launch("-n", "1", "--output-there", "--output-dir", folder, "echo", "x"), code=74,
               err_contains=["launch: localhost: make ", "0.out: File exists", "--output-replace"])


@test
def files_that_cannot_be_written_are_told():
    with new_folder() as folder:
        with open(f"{folder}/file", "w", encoding="utf-8"):
            pass
        expect(launch("-n", "1", "--output-dir", f"{folder}/file/x", "echo", "x"), code=2, err_contains=["is not a folder"])
    for words in ([], ["--output-there"]):
        expect(launch("-n", "2", *words, "-outfile-pattern", "/dev/full", "--output-replace", "echo", "x"), code=74,
               err_contains=["/dev/full", "No space left on device"])
    expect(launch("-n", "1", "--output-there", "echo", "x"), code=2, err_contains=["--output-there needs files"])
    expect(launch("-n", "1", "--output-dir", "x%{time}", "true"), code=2, err_contains=["has no time in it"])


@test
def many_files_of_much_output():
    with new_folder() as folder:
        script = "i=0; while [ $i -lt 2000 ]; do echo $LAUNCH_RANK $i; i=$((i+1)); done"
        expect(launch("-n", "100", "--output-dir", folder, "--output-pattern", "%r", "sh", "-c", script), out="", err="")
        folder.expect({str(rank): "".join(f"{rank} {i}\n" for i in range(2000)) for rank in range(100)})


RULE = "---------------\n"


@test(tier="gate")
def output_that_is_the_same_is_shown_once():
    script = "case $LAUNCH_RANK in 3) echo other;; *) echo same; echo lines;; esac; [ $LAUNCH_RANK != 5 ] || echo bad >&2"
    expect(launch(*PLAY, "-hosts", "n[1-6]", "-k", "2", "-l", "--gather", "sh", "-c", script),
           out=f"{RULE}n[1-3,5-6] (5)\n{RULE}same\nlines\n{RULE}n4\n{RULE}other\n", err=f"{RULE}n6\n{RULE}bad\n")
    expect(launch(*PLAY, "-hosts", "n[1-2]:2", "--gather", "sh", "-c", "echo $LAUNCH_LOCAL_RANK"),
           out=f"{RULE}ranks 0,2 (2) on n[1-2]\n{RULE}0\n{RULE}ranks 1,3 (2) on n[1-2]\n{RULE}1\n", err="")
    expect(launch("-n", "3", "--gather", "true"), out="", err="")


@test
def one_of_64_hosts_that_answers_differently_is_seen():
    script = "case $LAUNCH_HOST in n37) echo 6.1.0-12;; *) echo 6.1.0-13;; esac"
    expect(launch(*PLAY, "-hosts", "n[1-64]", "-k", "8", "--gather", "sh", "-c", script), err="",
           out=f"{RULE}n[1-36,38-64] (63)\n{RULE}6.1.0-13\n{RULE}n37\n{RULE}6.1.0-12\n")


@test
def gathered_output_says_how_ranks_ended():
    script = "echo x; [ $LAUNCH_RANK != 2 ] || exit 3; [ $LAUNCH_RANK != 1 ] || exit 4"
    expect(launch(*PLAY, "-hosts", "n[1-4]", "--keep-going", "--gather", "sh", "-c", script), code=(3, 4),
           out=f"{RULE}n[1,4] (2): exit code 0\n{RULE}x\n{RULE}n2: exit code 4\n{RULE}x\n{RULE}n3: exit code 3\n{RULE}x\n")


@test
def how_gathered_output_differs():
    script = "seq 20 | if [ $LAUNCH_RANK = 2 ]; then sed s/10/ten/; else cat; fi"
    head = "".join(f"{i}\n" for i in range(1, 21))
    expect(launch(*PLAY, "-hosts", "n[1-4]", "--diff", "sh", "-c", script), err="",
           out=f"{RULE}n[1-2,4] (3)\n{RULE}{head}--- n[1-2,4] (3)\n+++ n3\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n")
    result = expect(launch(*PLAY, "-hosts", "n[1-4]", "--gather", "--format", "json", "sh", "-c", script), err="")
    made = json.loads(result.text)
    expect_schema("gather", made)
    same_keys("gather", [made])
    if made["gather_version"] != made["version"]:
        fail(f"it is {made}")
    groups = made["groups"]
    same_keys("gather group", groups, but={"spawned"})
    if [(group["stream"], group["hosts"], group["ranks"], group["exit_code"]) for group in groups] != [
            ("out", "n[1-2,4]", [0, 1, 3], 0), ("out", "n3", [2], 0), ("err", "n[1-4]", [0, 1, 2, 3], 0)]:
        fail(str(groups))


@test(tier="gate")
def a_reader_who_has_left_ends_what_is_shown_at_the_end_without_a_word():
    """As a reader of ordinary output does; 141 is 128 + SIGPIPE."""
    for words in (["--gather"], ["--diff"], ["--gather", "--format", "json"], []):
        reader, writer = os.pipe()
        os.close(reader)
        expect(launch(*words, "-n", "2", "echo", "x", stdout=writer), code=141, err="")
        os.close(writer)


@test
def more_than_can_be_gathered_is_shown_as_it_comes():
    script = "seq 300000 | sed s/^/$LAUNCH_RANK-/; echo end"
    result = launch("-n", "2", "--gather", "sh", "-c", script)
    expect(result, err_contains=["more than 64 MiB of output differ"])
    wanted = [f"[{rank}] {line}" for rank in range(2) for line in [*(f"{rank}-{i}" for i in range(1, 300001)), "end"]]
    if sorted(result.lines) != sorted(wanted):
        fail(f"{len(result.lines)} lines, or not these")


@test(tier="clock")
def an_interrupted_job_shows_what_was_gathered():
    job = Job([LAUNCH, "-n", "2", "--gather", "sh", "-c", "echo x; echo ready >&2; sleep 100"])
    time.sleep(1)
    job.signal(signal.SIGTERM)
    expect(job.wait(20), code=143, out_contains=["ranks 0,1 (2) on localhost", "x\n"])


@needs_cluster(8, timeout=60, tier="gate")
def the_host_that_answers_differently_is_seen(cluster):
    """A setting of its kernel is another."""
    setting = "/proc/sys/net/ipv4/ip_default_ttl"
    usual = run(["cat", setting], host=cluster.hosts[0]).text
    odd = cluster.hosts[5]
    expect(run(["sh", "-c", f"echo 33 > {setting}"], host=odd))
    try:
        others = re.sub(r"\d+", "", cluster.hosts[0]) + "[001-005,007-008] (7)"
        expect(launch("-hosts", cluster.fold(8), "-k", "2", "--gather", "cat", setting), err="",
               out=f"{RULE}{others}\n{RULE}{usual}{RULE}{odd}\n{RULE}33\n")
        with new_folder() as folder:
            expect(launch("-hosts", cluster.fold(8), "-k", "2", "--output-there", "--output-dir", folder, "--output-pattern", "%h",
                          "cat", setting), out="", err="")
            folder.expect({host: "33\n" if host == odd else usual for host in cluster.hosts[:8]})
    finally:
        run(["sh", "-c", f"echo {usual.strip()} > {setting}"], host=odd)


@needs_cluster(4, timeout=60)
def files_that_are_to_be_there_are_on_their_hosts_alone(cluster):
    """Each host has a /tmp of its own, and this machine another."""
    folder = f"/tmp/output-there-{os.getpid()}"
    expect(launch("-hosts", cluster.fold(4), "-k", "1", "--output-there", "--output-dir", folder, *WRITES), out="", err="")
    for rank, host in enumerate(cluster.hosts[:4]):
        expect(run(["sh", "-c", f"cd {folder} && grep . * && rm -r {folder}"], host=host), err="",
               out=f"{rank}.err:err {rank}\n{rank}.out:out {rank}\n")
    if os.path.exists(folder):
        fail(f"{folder} is here, too: {os.listdir(folder)}")


@needs_cluster(4, timeout=60)
def output_of_jobs_in_a_session(cluster):
    expect(launch("session", "start", "--name", "o1", "-hosts", cluster.fold(4)))
    try:
        words = ["--session", "o1", "-n", "4"]
        expect(launch(*words, "--gather", "echo", "x"), out=f"{RULE}{cluster.fold(4)} (4)\n{RULE}x\n", err="")
        expect(launch(*words, "--label-pattern", "%h ", "echo", "x"), out_lines=[f"{host} x" for host in cluster.hosts[:4]])
        for more in ([], ["--output-there"]):
            with new_folder() as folder:
                expect(launch(*words, *more, "--output-dir", folder, *WRITES), out="", err="")
                folder.expect(files_of(4))
                if not more:
                    expect(launch(*words, "--output-dir", folder, "true"), code=2, err_contains=["exist already"])
    finally:
        launch("session", "stop", "o1")


if __name__ == "__main__":
    main()
