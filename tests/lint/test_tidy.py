#!/usr/bin/env python3
"""clang-tidy finds nothing. Needs the compile commands of the build that runs the tests.

A file takes 10 s of CPU, so what was clean is noted in the build tree, by all that the verdict rests on: clang-tidy and its
configuration, the command, and the content of the file and of everything that it includes, as the build has noted it.
"""
import contextlib
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ.get("HELPERS", os.path.join(ROOT, "build/ci/tests")))
CLEAN = os.path.join(BUILD, "tidy-clean")


def output_of(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout if done.returncode == 0 else ""


@functools.lru_cache(maxsize=None)
def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def included():
    """Of each object file that is up to date for ninja, what it was made of."""
    files = {}
    for part in output_of("ninja", "-C", BUILD, "-t", "deps").split("\n\n"):
        head, *paths = part.splitlines() or [""]
        found = re.fullmatch(r"(.*): #deps \d+, .* \(VALID\)", head)
        if found:
            files[found[1]] = [os.path.normpath(os.path.join(BUILD, path.strip())) for path in paths]
    return files


def key_of(entry, included, tool):
    """Empty where it is not known what the file is made of now."""
    made = re.search(r" -o (\S+) ", entry["command"])
    paths = included.get(made[1]) if made else None
    if not paths or entry["file"] not in paths:
        return ""
    try:
        if max(os.stat(path).st_mtime for path in paths) > os.stat(os.path.join(BUILD, made[1])).st_mtime:
            return ""
        facts = [tool, entry["command"], *(f"{path} {digest(path)}" for path in sorted(paths))]
    except OSError:
        return ""
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


def check(path, key):
    """What there is to say of it, nothing when it is clean: that is noted at once, as the run may be ended."""
    done = subprocess.run(["clang-tidy", "-p", BUILD, "--quiet", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 0:
        if key:
            open(os.path.join(CLEAN, key), "w").close()
        return ""
    return done.stdout or done.stderr


def main():
    with contextlib.suppress(OSError):  # the tests that run beside it come first
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if not shutil.which("clang-tidy"):
        print("SKIP: clang-tidy is not installed")
        sys.exit(77)
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        entries = {entry["file"]: entry for entry in json.load(file)}
    sources = sorted(path for path in entries if not os.path.relpath(path, ROOT).startswith(("tests", "..")))
    assert sources, "no sources in compile_commands.json"
    tool = output_of("clang-tidy", "--version") + digest(os.path.join(ROOT, ".clang-tidy"))
    made_of = included()
    keys = {path: key_of(entries[path], made_of, tool) for path in sources}
    os.makedirs(CLEAN, exist_ok=True)
    known = set(os.listdir(CLEAN))
    todo = [path for path in sources if keys[path] not in known]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        bad = [output for output in pool.map(check, todo, [keys[path] for path in todo]) if output]
    for output in bad:
        print(output)
    for key in known - set(keys.values()):
        os.unlink(os.path.join(CLEAN, key))
    print(f"{len(sources)} files, {len(sources) - len(todo)} known to be clean, {len(bad)} with findings")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
