#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks under debuggers: `launch debug`."""
import os
import shutil
import signal

from harness import *
from programs import NETWORK

HOSTS = 3
PI = r"""
#include "finish.h"
#include <stdio.h>

int main(int argc, char** argv) {
    int rank, size;
    double x = 0, sum = 0, pi = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = rank; i < 100; i += size) {
        x = (i + 0.5) / 100;
        sum += 0.04 / (1 + x * x);
    }
    MPI_Reduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("pi is %.4f\n", pi);
    return finish();
}
"""


def need_gdb():
    if not shutil.which("gdb"):
        raise Skip("gdb is missing (package gdb)")


def compiled(folder, text, compiler="cc"):
    source, program = os.path.join(folder, "program.c"), os.path.join(folder, "program")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    expect(run([compiler, "-g", "-O0", "-I", os.path.join(SOURCE_DIR, "tests", "mpi"), "-o", program, source]))
    return program


@needs_cluster(HOSTS, timeout=120, tier="gate")
def one_console_leads_the_debuggers_of_all_ranks(cluster):
    """The session of the slides on MPD's parallel debugger."""
    need_gdb()
    lines = ["b 12", "r", "n", "z 0", "n", "z", "p x", "d", "c", "q"]
    with scratch() as folder:
        program = compiled(folder, PI, "mpicc.mpich")
        done = launch("debug", "-hosts", cluster.fold(HOSTS), "-n", "3", program, env=NETWORK,
                      stdin="\n".join(lines) + "\n")
    expect(done, err="", out_contains=["(gdb 0-2) b 12\n[0-2] Breakpoint 1 at ", "hit Breakpoint 1, main (", "\n(gdb 0) n\n[0] ",
                                       "\n(gdb 0-2) p x\n[0] $1 = 0.005", "\n[1] $1 = 0.014", "\n[2] $1 = 0.025",
                                       "\n0: pi is 3.1416\n", "\n[0-2] [Inferior 1 (process *) exited normally]\n(gdb 0-2) q\n"])


@test(tier="gate")
def a_debugger_at_a_terminal_is_asked_again_while_ranks_run():
    need_gdb()
    job = Job([LAUNCH, "debug", "-n", "3", "sleep", "600"], pty=True)
    job.until(r"\(gdb 0-2\) ")
    job.write("r\n")
    job.until(r"\(gdb 0-2 run\) ")
    job.write("z 1\n")
    job.until(r"\(gdb 1 runs\) ")
    job.write("\x03")
    job.until(r"\[1\] Program received signal SIGINT")
    job.until(r"\(gdb 1\) ")
    job.write("z\n")
    job.until(r"\(gdb 1, 0,2 run\) ")
    job.write("p 6*7\n")
    job.until(r"\[1\] \$1 = 42")
    job.write("q\n")
    expect(job.wait(), code=0)


@test(tier="gate")
def a_rank_that_cannot_be_debugged_is_told():
    need_gdb()
    rows = [([], "./nosuch", 127, r"[0,1] ./nosuch: cannot execute: No such file or directory"),
            (["--debugger", "nodebugger"], "true", 127, "[0,1] true: cannot execute: nodebugger is not installed; install it there, "
             "or name another debugger with --debugger"),
            (["--debugger", "false"], "true", 1, "[0,1] false ended with exit code 1")]
    for more, program, code, line in rows:
        expect(launch("debug", *more, "-n", "2", program, stdin=""), code=code, out_contains=line + "\n", err_contains="ranks 0,1 on localhost")
    for more in (["--gather"], ["--stdin", "0"], ["-l"], ["--pty"]):
        expect(launch("debug", *more, "true", stdin=""), code=2, out="", err_contains="not with a debugger")


@test(tier="gate")
def a_debugger_that_is_killed_leaves_the_others():
    need_gdb()
    job = Job([LAUNCH, "debug", "-n", "2", "sleep", "600"], pty=True)
    job.until(r"\(gdb 0,1\) ")
    debuggers = [pid for pid in descendants_of(job.pid) if proc(pid, "comm") == "gdb\n"]
    os.kill(debuggers[0], signal.SIGKILL)
    job.until(r"gdb ended with signal 9 \(Killed\)")
    job.until(r" ended\) ")
    job.write("q\n")
    expect(job.wait(), code=137)


@test(tier="gate")
def python_ranks_are_debugged_with_pdb():
    with scratch() as folder:
        program = os.path.join(folder, "program.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write("import os\nrank = int(os.environ['LAUNCH_RANK'])\nprint('at', rank)\n")
        done = launch("debug", "--debugger", "pdb", "-n", "3", "python3", program, stdin="n\nn\np rank + 1\nq\n")
        expect(done, err="", out_contains=["[0-2] -> import os\n", "(pdb 0-2) p rank + 1\n[0] 1\n[1] 2\n[2] 3\n"])


@test(tier="gate")
def debuggers_are_attached_to_a_job_that_runs():
    need_gdb()
    job = Job([LAUNCH, "-n", "3", helper("stands_still")])
    for _ in range(3):
        job.until("stands\n")
    done = launch("debug", "--attach", str(job.pid), stdin="bt\nq\n")
    expect(done, err="", out_contains=["(gdb 0-2) bt\n[0-2] #0 ", " in main (", "\n(gdb 0-2) q\n"])
    console = Job([LAUNCH, "debug", "--attach", str(job.pid)], pty=True)
    console.until(r"\(gdb 0-2\) ")
    console.write("b load\nc\n")
    console.until(r"\(gdb 0-2 run\) ")
    console.signal(signal.SIGTERM)
    expect(console.wait(), code=143)
    states = [line.split()[3] for line in expect(launch("ps", str(job.pid)), err="").lines[1:]]
    if states != ["S", "S", "S"]:
        fail(f"ranks that were debugged are in the states {states}")
    expect(launch("debug", "--attach", str(job.pid), "true"), code=2, out="", err_lines=1, err_contains="has its programs already: true")
    expect(launch("debug", "--attach", str(job.pid), "--debugger", "pdb"), code=2, out="", err_contains="only gdb and lldb")
    expect(launch("signal", str(job.pid), "KILL"), err="")
    expect(job.wait(), code=137)
    expect(launch("debug", "--attach", str(job.pid)), code=2, out="", err_lines=1, err_contains="no job")


SEE_RANKS = """
set pagination off
set breakpoint pending on
break main
run
set var MPIR_being_debugged = 1
delete
break MPIR_Breakpoint
continue
print MPIR_debug_state
print MPIR_proctable_size
print MPIR_proctable[0]
print MPIR_proctable[2]
eval "shell cat /proc/%d/status", MPIR_proctable[2].pid
continue
"""


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_debugger_of_parallel_programs_finds_held_ranks(cluster):
    """gdb as its client: what it shows of the interface MPIR, at the place where debuggers read it."""
    need_gdb()
    with scratch() as folder:
        script = os.path.join(folder, "client.gdb")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SEE_RANKS)
        for hosts in ([], ["-hosts", cluster.fold(HOSTS)]):
            done = run(["gdb", "-q", "-nx", "-batch", "-x", script, "--args", LAUNCH, *hosts, "-n", "3", "sh", "-c", "echo ran"])
            name = cluster.hosts[0] if hosts else "localhost"
            expect(done, out_contains=["$1 = 1\n", "$2 = 3\n", f'"{name}", executable_name = ', '"sh", pid = ', "exited normally",
                                       *(["Name:\tsh\n", "State:\tT (stopped)\n"] if not hosts else [])])
            if done.lines.count("ran") != 3 or done.text.find("\nran\n") < done.text.find("$4 = "):
                fail(done)


@test(tier="gate")
def a_debugger_is_attached_with_tools():
    need_gdb()
    job = Job([LAUNCH, "--tools", "-n", "3", helper("stands_still")])
    for _ in range(3):
        job.until("stands\n")
    ask = ["gdb", "-q", "-nx", "-batch", "-ex", "print MPIR_proctable_size", "-ex", "print MPIR_proctable[2]", "-p", str(job.pid)]
    eventually(lambda: "$1 = 3\n" in run(ask).text, what="the table of ranks")
    expect(run(ask), out_contains=['executable_name = ', "stands_still", "pid = "])
    expect(launch("signal", str(job.pid), "KILL"), err="")
    expect(job.wait(), code=137)


if __name__ == "__main__":
    main()
