#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays simulations by the thousand in a build that counts (preset coverage), and lists the functions of the simulated rooms that
none of them has entered. tests/unreached names the functions that may stay unreached. The check fails if another is unreached, or
if one of these is reached.

    tests/reached.py [--rewrite] [--folder build/coverage]

--rewrite writes tests/unreached anew, which is to get shorter."""
import argparse
import concurrent.futures
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ALLOWED = os.path.join(ROOT, "tests/unreached")
ROOMS = ("core/tree/", "core/link/", "core/run/", "core/head/", "core/session/")
SIMULATIONS = (  # what is played, and how often
    ("RandomJobs.end*", {"LAUNCH_RANDOM_JOBS": "6000"}),
    ("RandomSessions.*", {"LAUNCH_RANDOM_SESSIONS": "4000"}),
    ("RandomHealing.each*", {"LAUNCH_RANDOM_TREES": "2000"}),
    ("*SmallWorld*", {"LAUNCH_SMALL_WORLDS": "1000"}),
)


def play(folder):
    for found in glob.glob(os.path.join(folder, "**/*.gcda"), recursive=True):
        os.unlink(found)
    program = os.path.join(folder, "tests/unit_tests")
    runs = [subprocess.Popen([program, f"--gtest_filter={cases}"], cwd=ROOT, env={**os.environ, **counts},
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for cases, counts in SIMULATIONS]
    failed = [cases for (cases, _), run in zip(SIMULATIONS, runs) if run.wait() != 0]
    if failed:
        sys.exit(f"{', '.join(failed)}: failed; run it by itself")


def counted(data):
    """The path, line and name of each function in one file of counts, and how often it was entered."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["gcov", "--json-format", "--demangled-names", data], cwd=scratch, check=True, stdout=subprocess.DEVNULL)
        for report in glob.glob(os.path.join(scratch, "*.gz")):
            with gzip.open(report) as file:
                for source in json.load(file)["files"]:
                    path = os.path.relpath(os.path.join(ROOT, source["file"]), ROOT)
                    # Other rooms compile the functions of headers, too, without counts.
                    if path.startswith(ROOMS) and path.endswith(".cpp"):
                        yield from ((path, entry["start_line"], plain_name(entry["demangled_name"]), entry["execution_count"])
                                    for entry in source["functions"])


def plain_name(name):
    """A function's name as one reads it in the source; None: the compiler's own, or a function within another."""
    name = re.sub(r"\(anonymous namespace\)::", "", name).replace("launch::", "")
    name = re.sub(r"\[abi:\w+\]|\[clone [^]]*\]", "", name)
    if "{lambda" in name or "Frame*" in name or "<" in name.split("(")[0]:
        return None
    return name.split("(")[0].split()[-1]


def unreached(folder):
    """A function may be compiled into many files, and a coroutine into several functions of a line."""
    entered = {}
    files = glob.glob(os.path.join(folder, "**/*.gcda"), recursive=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(lambda file: list(counted(file)), files):
            for path, line, name, count in found:
                if name:
                    known = entered.setdefault((path, line), [name, 0])
                    known[1] += count
    if not entered:
        sys.exit(f"{folder} has no counts: build the preset coverage")
    return sorted({f"{path} {name}" for (path, _), (name, count) in entered.items() if count == 0})


def allowed():
    with open(ALLOWED) as file:
        return [line.strip() for line in file if line.strip() and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/coverage"))
    parser.add_argument("--rewrite", action="store_true")
    options = parser.parse_args()
    play(options.folder)
    found = unreached(options.folder)
    if options.rewrite:
        with open(ALLOWED, "w") as file:
            file.write("# Functions that no random simulation enters (tests/reached.py), by file.\n" + "".join(f"{line}\n" for line in found))
        return 0
    may = set(allowed())
    for line in found:
        if line not in may:
            print(f"no simulation enters {line}")
    for line in sorted(may - set(found)):
        print(f"a simulation enters {line}: take it out of tests/unreached")
    return 1 if may != set(found) else 0


if __name__ == "__main__":
    sys.exit(main())
