#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MPI programs started by hand, which call launch by the name of mpiexec."""
import contextlib
import os
import re
import signal
import socket

from harness import *
from programs import mpi


@contextlib.contextmanager
def launch_as_mpiexec():
    """The environment of a user who has made the symlink of the README."""
    with scratch() as folder:
        os.symlink(LAUNCH, os.path.join(folder, "mpiexec"))
        yield {"PATH": folder + ":" + os.environ["PATH"]}


@test(tier="gate")
def a_program_started_by_hand_is_served():
    program = mpi("mpich", "mpi_singleton")
    says = "1 alone, universe of 1, found my:port\n"
    with launch_as_mpiexec() as env:
        expect(run([program], env=env), out=says, err="")
        expect(run([program, "reader"], env=env), out=says + "read to the end\n", err="")
        traced = run([program], env={**env, "LAUNCH_LOG": "pmi:trace"})
        expect(traced, out=says, err_contains=["rank 0 -> cmd=lookup_name service=a name of mine"])


@test(grace=1.0, tier="clock")
def its_server_leaves_with_it():
    program = mpi("mpich", "mpi_singleton")
    with launch_as_mpiexec() as env:
        expect(run([program, "die"], env=env), code=-signal.SIGKILL, err="", within=5)


class Caller:
    """A program that has called mpiexec and waits for it."""

    def __init__(self):
        listener = socket.create_server(("127.0.0.1", 0))
        listener.settimeout(10)
        with launch_as_mpiexec() as env:
            self.job = Job(["mpiexec", "-pmi_args", listener.getsockname()[1], "default_interface", "default_key", os.getpid()], env=env)
            self.connection = listener.accept()[0]
        listener.close()
        self.connection.settimeout(10)

    def says(self, words, answer):
        self.connection.sendall(words)
        got = self.connection.recv(1000)
        if not re.fullmatch(answer, got.decode()):
            fail(f"to {words} came {got}")

    def leaves(self, **expected):
        expect(self.job.wait(), **expected)
        self.connection.close()


SINGINIT = b"cmd=singinit pmi_version=1 pmi_subversion=1 stdio=yes authtype=none\n"
SERVED = "cmd=singinit authtype=none\ncmd=singinit_info versionok=yes stdio=no kvsname=\\S+\n"


@test
def who_calls_and_does_not_keep_to_the_protocol_is_left():
    for words, code, reason in ((b"cmd=init pmi_version=1 pmi_subversion=1\n", 70, "instead of singinit"),
                                (b"x" * 2000, 70, "too long"), (None, 70, "closed the connection"), (b"", 70, "in time"),
                                (SINGINIT + b"cmd=get_maxes\n", 76, "before init"),
                                (SINGINIT + b"cmd=init pmi_version=1 pmi_subversion=1\nrubbish\n", 76, "is not PMI-1")):
        caller = Caller()
        if words is None:
            caller.connection.shutdown(socket.SHUT_RDWR)
        else:
            caller.connection.sendall(words)
        caller.leaves(code=code, err_lines=1, err_contains=["launch: ", reason], out="")
    for words in (["1"], ["0", "a", "b", "1"], ["x", "a", "b", "1"], ["77", "a", "b", "y"]):
        expect(launch("-pmi_args", *words), code=2, err_lines=1, err_contains=["-pmi_args"])
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    expect(launch("-pmi_args", port, "a", "b", "1"), code=70, err_contains=["Connection refused"])


@test
def a_terminals_signals_are_for_the_program():
    caller = Caller()
    caller.connection.sendall(SINGINIT)
    seen = ""
    while not re.fullmatch(SERVED, seen):
        seen += caller.connection.recv(1000).decode() or fail(f"{seen!r}")
    caller.job.signal(signal.SIGINT)
    caller.says(b"cmd=init pmi_version=1 pmi_subversion=1\n", ".* rc=0\n")
    caller.connection.close()
    caller.leaves(out="", err="")


if __name__ == "__main__":
    main()
