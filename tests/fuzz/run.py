#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the fuzzers: each searches by coverage, from what its corpus has. They are built by
`cmake --preset fuzz && cmake --build --preset fuzz`.

    tests/fuzz/run.py                              # all, some seconds each, a fresh seed, which is printed
    tests/fuzz/run.py --seconds 3600 relay frames  # these two, an hour each
    tests/fuzz/run.py --executions 100000000       # rounds over all, until they have had so many together
    tests/fuzz/run.py --make                       # builds them first
    tests/fuzz/run.py --merge                      # puts what was found worth keeping into tests/fuzz/corpus

An input that fails is kept in the build folder as findings/TARGET-KIND-HASH; exit code 1.
"""
import argparse
import concurrent.futures
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CORPUS = os.path.join(ROOT, "tests/fuzz/corpus")
# Most of what they read is short; these hold files or several frames.
LONGER = {"detect": 8192, "client": 16384}
# Without a bound on time a hang is none. Generous: at idle priority a fuzzer may have to wait for long.
LIMITS = ["-timeout=240", "-rss_limit_mb=3072", "-malloc_limit_mb=1024"]
# Leaks are a fault; what OpenSSL keeps for the process is none (it is still reachable).
ENV = {**os.environ, "ASAN_OPTIONS": "abort_on_error=1:allocator_may_return_null=0",
       "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
# Found by a fuzzer, as libFuzzer names it; what has a name of its own was put there by hand, and stays.
FOUND = re.compile(r"[0-9a-f]{40}")


def targets_of(build):
    return sorted(name[len("fuzz_"):] for name in os.listdir(build)
                  if name.startswith("fuzz_") and os.access(os.path.join(build, name), os.X_OK))


def take_what_is_left():
    """Whatever else runs on this machine comes first."""
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def make():
    if not shutil.which("clang++-19"):
        print("SKIP: no clang++-19 (apt-get install clang-19 libclang-rt-19-dev)")
        sys.exit(77)
    for command in (["cmake", "--preset", "fuzz"], ["cmake", "--build", "--preset", "fuzz"]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}\n{' '.join(command)}: exit code {done.returncode}")


class Fuzzer:
    def __init__(self, build, target):
        self.target = target
        self.binary = os.path.join(build, "fuzz_" + target)
        self.seeds = os.path.join(CORPUS, target)
        self.grown = os.path.join(build, "corpus", target)
        self.findings = os.path.join(build, "findings")
        for folder in (self.grown, self.findings):
            os.makedirs(folder, exist_ok=True)

    def limits(self):
        return [*LIMITS, f"-max_len={LONGER.get(self.target, 4096)}"]

    def search(self, seed, seconds):
        """(executions, what it said of a fault or "")"""
        command = [self.binary, f"-seed={seed}", f"-max_total_time={seconds}",
                   f"-artifact_prefix={self.findings}/{self.target}-", "-print_final_stats=1", *self.limits(), self.grown, self.seeds]
        done = subprocess.run(command, env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        count = re.search(r"stat::number_of_executed_units: (\d+)", done.stdout)
        if done.returncode == 0:
            return int(count[1]), ""
        said = done.stdout.splitlines()
        first = next((i for i, line in enumerate(said) if "ERROR: " in line or "runtime error" in line or "what():" in line), 0)
        kept = re.search(r"Test unit written to (\S+)", done.stdout)
        again = f"the same again: {self.binary} {kept[1]}" if kept else "no input was kept: " + " ".join(command)
        return int(count[1]) if count else 0, "\n".join([*said[first:first + 60], *said[-5:], again])

    def merge(self):
        """The least of all inputs that reaches the same code, beside those with names."""
        with tempfile.TemporaryDirectory() as folder:
            kept = {name for name in os.listdir(self.seeds) if not FOUND.fullmatch(name)}
            for name in kept:
                shutil.copy(os.path.join(self.seeds, name), folder)
            # By code, not by how often it runs: that is for a search, and makes ten times as many.
            subprocess.run([self.binary, "-merge=1", "-use_counters=0", *self.limits(), folder, self.seeds, self.grown],
                           env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            for name in set(os.listdir(self.seeds)) - kept:
                os.unlink(os.path.join(self.seeds, name))
            for name in set(os.listdir(folder)) - kept:
                shutil.copy(os.path.join(folder, name), self.seeds)
        files = [os.path.join(self.seeds, name) for name in os.listdir(self.seeds)]
        return len(files), sum(map(os.path.getsize, files))


def round_of(fuzzers, pool, seed, seconds):
    """Of each target how often it ran; and the faults."""
    runs = {pool.submit(fuzzer.search, seed, seconds): fuzzer.target for fuzzer in fuzzers}
    counts, faults = {}, []
    for run in concurrent.futures.as_completed(runs):
        target = runs[run]
        counts[target], fault = run.result()
        print(f"{target:14} {counts[target]:>12} executions{'  FAULT' if fault else ''}", flush=True)
        if fault:
            faults.append(f"\n== {target}, seed {seed}\n{fault}")
    return counts, faults


def search(fuzzers, options, pool):
    totals, faults, number = dict.fromkeys((fuzzer.target for fuzzer in fuzzers), 0), [], 0
    while not faults:
        seed = (options.seed + number) % 2**32 or 1
        print(f"seed {seed}, {options.seconds} s each", flush=True)
        counts, faults = round_of(fuzzers, pool, seed, options.seconds)
        for target, count in counts.items():
            totals[target] += count
        number += 1
        print(f"{sum(totals.values())} executions in {number} round{'s' if number > 1 else ''}: "
              + ", ".join(f"{target} {count}" for target, count in totals.items()), flush=True)
        if sum(totals.values()) >= options.executions:
            break
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="all, if none is named")
    parser.add_argument("--seconds", type=int, default=10, help="for each target, in each round")
    parser.add_argument("--executions", type=int, default=0, help="as many rounds as it takes for so many of all targets together")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1, 2**32), help="of the first round; the next has the next")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="so many at a time")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/fuzz"), help="where they were built")
    parser.add_argument("--make", action="store_true", help="build them first; exit code 77 where there is no clang")
    parser.add_argument("--merge", action="store_true", help="do not search: make the corpus anew of all that was found")
    options = parser.parse_args()
    take_what_is_left()
    if options.make:
        make()
    there = targets_of(options.build) if os.path.isdir(options.build) else []
    unknown = sorted(set(options.targets) - set(there))
    if not there or unknown:
        sys.exit(f"no fuzzer {', '.join(unknown) or 'at all'} in {options.build}: cmake --preset fuzz && cmake --build --preset fuzz")
    fuzzers = [Fuzzer(options.build, target) for target in options.targets or there]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if not options.merge:
            return search(fuzzers, options, pool)
        for fuzzer, (files, size) in zip(fuzzers, pool.map(Fuzzer.merge, fuzzers)):
            print(f"{fuzzer.target:14} {files:>5} files, {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
