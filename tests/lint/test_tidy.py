#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy finds nothing. Needs the compile commands of the build that runs the tests.

A file takes 10 s of CPU, so the check covers only the files that have changed since the commit in tidy_base, at which all were
clean, and the files that include them. --all checks every file, and --all --record then writes the new commit.
"""
import argparse
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ.get("HELPERS", os.path.join(ROOT, "build/release/tests")))
BASE = os.path.join(ROOT, "tests/lint/tidy_base")
ROOMS = ("cmd", "core", "transports", "topologies", "modex")


def git(*words):
    """Returns git's output, or None if git fails, as outside of a clone or for an unknown commit."""
    done = subprocess.run(["git", "-C", ROOT, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout if done.returncode == 0 else None


def changed_since(base):
    """Paths of files; None if that is not known."""
    changed, fresh = git("diff", "--name-only", base, "--"), git("ls-files", "--others", "--exclude-standard")
    return None if changed is None or fresh is None else set(changed.split()) | set(fresh.split())


def project_files():
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(ROOT, room)):
            yield from (os.path.relpath(os.path.join(folder, name), ROOT) for name in names if name.endswith((".hpp", ".cpp", ".h")))


def with_includers(changed):
    """The changed files and all that include one of them, also through others."""
    includes = {}
    for path in project_files():
        with open(os.path.join(ROOT, path)) as file:
            includes[path] = set(re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read(), re.M))
    found = set(changed)
    while True:
        more = {path for path, headers in includes.items() if headers & found} - found
        if not more:
            return found
        found |= more


def clean_commit():
    """The commit that is checked out, which --record can only vouch for if nothing here differs from it."""
    commit, changes = git("rev-parse", "HEAD"), git("status", "--porcelain")
    if commit is None:
        sys.exit("--record: no clone, so there is no commit to record")
    if changes:
        sys.exit("--record: the work tree differs from its commit:\n" + changes.rstrip())
    return commit


def to_check(sources, everything):
    if everything:
        return sources
    with open(BASE) as file:
        base = file.read().strip()
    changed = changed_since(base)
    if changed is None:
        print(f"commit {base} is not in this clone: all files are checked")
        return sources
    if ".clang-tidy" in changed:
        return sources
    affected = with_includers(changed)
    return [path for path in sources if os.path.relpath(path, ROOT) in affected]


def write_commands(entries, folder):
    """The compile commands without the precompiled header, which is g++'s own."""
    for entry in entries:
        entry["command"] = re.sub(r" -Winvalid-pch| -include \S*cmake_pch\.hxx", "", entry["command"])
    with open(os.path.join(folder, "compile_commands.json"), "w") as file:
        json.dump(entries, file)


def check(folder, path):
    """Returns clang-tidy's output, empty if the file is clean."""
    done = subprocess.run(["clang-tidy", "-p", folder, "--quiet", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return "" if done.returncode == 0 else done.stdout or done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if options.record and not options.all:
        parser.error("--record is for --all: what was not looked at is not known to be clean")
    with contextlib.suppress(OSError):  # the tests that run beside it come first
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    commit = clean_commit() if options.record else None
    if not shutil.which("clang-tidy"):
        print("SKIP: clang-tidy is not installed")
        sys.exit(77)
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        entries = json.load(file)
    sources = sorted({entry["file"] for entry in entries if os.path.relpath(entry["file"], ROOT).startswith(ROOMS)})
    assert sources, "no sources in compile_commands.json"
    todo = to_check(sources, options.all)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        write_commands(entries, folder)
        bad = [output for output in pool.map(lambda path: check(folder, path), todo) if output]
    for output in bad:
        print(output)
    print(f"{len(sources)} files, {len(todo)} looked at, {len(bad)} with findings")
    if commit and not bad:
        if clean_commit() != commit:
            sys.exit("--record: another commit was checked out meanwhile")
        with open(BASE, "w") as file:
            file.write(commit)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
