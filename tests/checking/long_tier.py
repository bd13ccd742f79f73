# SPDX-License-Identifier: MIT
"""The long tier: all end-to-end tests, sanitizers, fuzzers, clang-tidy, random faults, in random order, so that a part of it and a
budget of time make sense. It writes one page."""
import os
import random
import sys
import time

from checking.cases import known, run_cases
from checking.paths import BUILD, REPORTS, ROOT

PAGE = os.path.join(REPORTS, "long.md")
BUILDS = ("ci", "asan-ubsan", "tsan")  # whose tests it runs


def check(report, options):
    print(f"== --seed {options.seed}", flush=True)
    order = random.Random(options.seed)
    configured = [preset for preset in BUILDS if report.configure(preset)]
    names = {case.name: preset for preset in configured for case in known(preset)}
    number, count = options.part
    chosen = [name for name in sorted([*names, *STEPS]) if options.only in name][number - 1::count]
    order.shuffle(chosen)
    done = []
    for preset in configured:
        done += run_tests(report, options, preset, [name for name in chosen if names.get(name) == preset])
    for name in chosen:
        if name in STEPS and not is_over(options):
            STEPS[name](report, options)
            done.append(name)
    write_page(report, options, done, [name for name in chosen if name not in set(done)], len(names) + len(STEPS))


def is_over(options):
    return options.until is not None and time.monotonic() > options.until


def run_tests(report, options, preset, names):
    """In this order; the names of those that were run."""
    is_unit = any(name.split(":")[0].endswith("unit") for name in names)
    if not names or is_over(options) or not report.compile(preset, "all", *(["unit_tests"] if is_unit else [])):
        return []
    cases = {case.name: case for case in known(preset)}
    report.known[preset] = set(cases)
    results = report.cases(f"tests of {preset}", lambda: run_cases([cases[name] for name in names], options.lanes, options.until))
    return [result.name for result in results]


def random_faults(report, options, name, *words):
    report.step(name, "tests/lane", "run", "/usr/bin/python3", "tests/faults.py", *words, "--minutes", "20", "--seed", str(options.seed),
                environment={"LAUNCH": os.path.join(ROOT, "launch"), "HELPERS": os.path.join(BUILD, "release/tests"), "SOURCE_DIR": ROOT})


def fuzz(report, options):
    if report.build("fuzz"):
        report.step("fuzz", sys.executable, "tests/fuzz/run.py", "--executions", "100000000")


def reached(report, options):
    if report.build("coverage"):
        report.step("functions that simulations reach", sys.executable, "tests/reached.py")


# What is no test of a build.
STEPS = {
    "clang": lambda report, options: report.build("clang"),
    "fuzz": fuzz,
    "random-faults": lambda report, options: random_faults(report, options, "random faults"),
    "random-faults-in-a-session": lambda report, options: random_faults(report, options, "random faults in a session", "--sessions"),
    "reached": reached,
    "tidy": lambda report, options: report.step("clang-tidy on all files", sys.executable, "tests/lint/test_tidy.py", "--all"),
}


def write_page(report, options, done, left_out, of_all):
    os.makedirs(REPORTS, exist_ok=True)
    failed = [result for result in report.results if result.status == "failed"]
    with open(PAGE, "w") as page:
        page.write(f"# The long tier\n\nSeed {options.seed}, part {options.part[0]} of {options.part[1]}, "
                   f"{len(done)} of {of_all} tests and steps were run, {len(left_out)} of this part were left out for want of time.\n\n")
        page.write("## What is wrong\n\n" + "".join(f"- {name}\n" for name in [result.name for result in failed] + report.faults) + "\n")
        page.write("## What was run\n\n| test or step | result | seconds |\n| --- | --- | --- |\n")
        results = {result.name: result for result in report.results}
        for name in sorted(done):
            result = results.get(name)
            page.write(f"| {name} | {result.status if result else 'see the steps'} | {f'{result.seconds:.1f}' if result else ''} |\n")
        page.write("\n## What was left out\n\n" + "".join(f"- {name}\n" for name in sorted(left_out)))
    report.notes.append(f"{len(done)} tests and steps were run, {len(left_out)} left out: {os.path.relpath(PAGE, ROOT)}")
