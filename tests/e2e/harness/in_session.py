# SPDX-License-Identifier: MIT
"""The same tests with their jobs in sessions: with LAUNCH_TESTS_IN_SESSION=1 each job that has a tree gets a session of its own,
which is started before it, with the tree's options, and stopped after it. A job of the session has all other words."""
import itertools
import os
import subprocess

from harness.basics import LAUNCH, fail

# Of the options that tests use: what is said of a tree, and so when a session is started, and what a job may have besides.
OF_TREE = {"-hosts", "--hosts", "-host", "-f", "-hostfile", "--hostfile", "--exclude", "-k", "--topology", "--routing", "--transport",
           "--links", "--link-ports", "--liveness", "--connect-timeout", "--start-limit", "--ssh-config", "--push"}
FLAGS = {"-l", "--label", "-q", "--quiet", "-v", "--verbose", "--keep-going", "--stage-keep", "--start-early", "-genvall", "-genvnone",
         "-print-rank-map", "--display-map"}
PAIRS = {"-genv", "-env"}
SUBCOMMANDS = {"run", "config", "completion", "session", "ps", "attach", "signal", "doctor", "report", "help", "version"}
STAYS = {"--dry-run", "--help", "--version", "--session", "--job", "--stats", "--spares", "--allow-missing"}  # as they are

numbers = itertools.count(1)


def is_wanted():
    return os.environ.get("LAUNCH_TESTS_IN_SESSION") == "1"


def split(words):
    """Options of the tree, and the words of the job. Nothing: it is no job, or one that no session has."""
    tree, job, at = [], [], 0
    while at < len(words) and words[at].startswith("-"):
        word, _, joined = words[at].partition("=")
        length = 1 if joined or word in FLAGS else 3 if word in PAIRS and "=" not in words[at + 1] else 2
        if word in STAYS:
            return None
        (tree if word in OF_TREE else job).extend(words[at:at + length])
        at += length
    if at == len(words) or words[at] in SUBCOMMANDS or words[at].endswith(".toml"):
        return None  # no program, or a job file, which may have a tree's settings
    others = words[words.index(":", at):] if ":" in words[at:] else []
    if any(word in OF_TREE for word in others):
        return None  # programs with hosts of their own, which the session of the first would lack
    return tree, job + words[at:]  # without hosts it is this machine's


def begin(argv, prefix, environment, cwd):
    """The job's words in a session that has just been started, and how to stop that; where it is to have none: as they were."""
    parts = split(argv[1:]) if is_wanted() and argv[0] == LAUNCH else None
    if not parts:
        return argv, None
    tree, job = parts
    name = f"t{os.getpid()}-{next(numbers)}"
    words = [*prefix, LAUNCH, "session", "start", "--quiet", "--name", name, *tree]
    started = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, cwd=cwd)
    if started.returncode:
        fail(f"no session: {' '.join(words)}: {started.returncode}: {started.stdout.decode(errors='replace')}")

    def stop():
        subprocess.run([*prefix, LAUNCH, "session", "stop", name], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env=environment, cwd=cwd)

    return [LAUNCH, "--session", name, *job], stop
