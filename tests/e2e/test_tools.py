#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What runs tests must itself be believed: tests/run tells failures apart, tests/check excuses none, tests/lane leaves nothing for ever."""
import contextlib
import dataclasses
import importlib.machinery
import importlib.util
import io
import os
import sys
from unittest import mock

from harness import *

sys.path.insert(0, os.path.join(SOURCE_DIR, "tests"))
from checking import cases, ledger, report, steps, touched  # noqa: E402


def load(name):
    """A program of tests/ as a module."""
    path = os.path.join(SOURCE_DIR, "tests", name)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, path)))
    module.__spec__.loader.exec_module(module)
    return module


# A unit test's name is what becomes of it.
UNIT_TESTS = """#!/bin/sh
case $2 in *Nothing*) exit 0;; esac
if [ "$3" = --gtest_list_tests ]; then echo Suite.; echo "  test"; exit 0; fi
case $2 in *Passes*) exit 0;; *Fails*) exit 1;; *Skips*) exit 77;; *Crashes*) kill -SEGV $$;; *Once*) rm "$0.once" 2> /dev/null;; esac
"""


@contextlib.contextmanager
def fake_build(run):
    """A folder whose unit tests are a script, which needs no compiler."""
    with scratch() as folder:
        os.mkdir(os.path.join(folder, "tests"))
        path = os.path.join(folder, "tests/unit_tests")
        with open(path, "w") as file:
            file.write(UNIT_TESTS)
        os.chmod(path, 0o755)
        with open(path + ".once", "w"):
            pass
        with mock.patch.object(run.Build, "configure"), mock.patch.object(run.Build, "build"), \
                mock.patch.object(run.Build, "environment", return_value=dict(os.environ)):
            yield folder


def tests_run(run, *words):
    """Its exit code, or the message that it ends with, and its last line."""
    said = io.StringIO()
    with mock.patch.object(sys, "argv", ["tests/run", *words]), contextlib.redirect_stdout(said):
        try:
            code = run.main()
        except SystemExit as end:
            code = end.code
    return code, (said.getvalue().splitlines() or [""])[-1]


@test(tier="gate")
def tests_run_tells_how_tests_ended_and_how_to_run_them_again():
    run = load("run")
    with fake_build(run) as folder:
        for names, code, word in (
                (["unit:Passes.*"], 0, "passed"),
                (["unit:Fails.*"], 1, "failed"),
                (["unit:Skips.*"], 77, "skipped"),
                (["unit:Crashes.*"], 139, "failed"),
                (["unit:Skips.*", "unit:Passes.*"], 77, "skipped"),
                (["unit:Skips.*", "unit:Fails.*", "unit:Passes.*"], 1, "failed"),
                (["unit:Crashes.*", "unit:Skips.*"], 139, "failed")):
            quoted = " ".join(f"'{name}'" for name in names)
            got = tests_run(run, "--build", folder, *names)
            if got != (code, f"{word}; again: tests/run --build {folder} {quoted}"):
                fail(f"{names}: {got}")


@test
def tests_run_repeats_until_a_test_fails():
    run = load("run")
    with fake_build(run) as folder:
        for times, code in ((1, 0), (3, 1)):
            with open(os.path.join(folder, "tests/unit_tests.once"), "w"):
                pass
            got, _ = tests_run(run, "--build", folder, "--repeat", str(times), "unit:Once.*")
            if got != code:
                fail(f"{times} times: {got}")


@test(tier="gate")
def tests_run_refuses_names_that_no_test_has():
    run = load("run")
    with fake_build(run) as folder:
        for name, message in (("unit:Nothing.*", "tests/run: no unit test is called Nothing.*"),
                              ("nothing:x", "tests/run: no test is called nothing:x; tests/run --list names the kinds")):
            got, _ = tests_run(run, "--build", folder, name)
            if got != message:
                fail(f"{name}: {got}")
        got, _ = tests_run(run, "--build", folder, "lint:nothing")
        if not str(got).startswith("tests/run: no check is called nothing: there are "):
            fail(str(got))


def case_of(name, in_lane=True):
    return cases.Case(name, "gate", [], {}, "", 1, 77, in_lane)


def summed_up(results, passes_alone):
    """What a run of the gate with these results, (name, status, what it said), ends with, and the names that were run again."""
    again = []

    def run_case(case):
        again.append(case.name)
        return cases.Result(case.name, "passed" if passes_alone else "failed", 1, "")

    done = report.Report("gate", False)
    done.results = [cases.Result(name, status, 1, text) for name, status, text in results]
    said = io.StringIO()
    with scratch() as folder, mock.patch.object(report, "run_case", run_case), mock.patch.object(ledger, "LEDGER", os.path.join(folder, "ledger")), \
            mock.patch.object(steps, "TIMES", os.path.join(folder, "times")), contextlib.redirect_stdout(said):
        with open(ledger.LEDGER, "w") as file:
            file.write("[]")
        done.run_again([case_of(name, not name.startswith(("unit", "asan-ubsan/unit", "lint"))) for name, _, _ in results])
        done.sum_up()
        kept = [entry["case"] for entry in ledger.entries()]
    text = said.getvalue()
    return text.splitlines()[-1], again, kept, text


@test(tier="gate")
def an_end_to_end_test_that_fails_once_is_kept_in_the_ledger():
    results = [("local:a", "failed", "late"), ("local:b", "passed", "")]
    line, again, kept, text = summed_up(results, True)
    if (line, again, kept) != ("2 passed, 0 failed, 0 skipped", ["local:a"], ["local:a"]) or "local:a\nlate" not in text:
        fail(text)
    line, again, kept, text = summed_up(results, False)
    if (line, again, kept) != ("1 passed, 1 failed, 0 skipped", ["local:a"], []) or "== failed: local:a\nlate" not in text:
        fail(text)


@test(tier="gate")
def nothing_else_is_run_a_second_time():
    for name, text in (("asan-ubsan/unit:part-0", "wrong"), ("lint:format", "wrong"), ("local:a", "ERROR: AddressSanitizer: heap-use-after-free")):
        line, again, kept, said = summed_up([(name, "failed", text)], True)
        if (line, again, kept) != ("0 passed, 1 failed, 0 skipped", [], []) or f"== failed: {name}\n{text}\n" not in said:
            fail(said)
    many = [(f"local:{i}", "failed", "") for i in range(report.RUN_AGAIN + 1)]
    line, again, _, said = summed_up(many, True)
    if line != f"0 passed, {len(many)} failed, 0 skipped" or again:
        fail(said)


@test(tier="gate")
def three_entries_within_thirty_runs_are_a_fault():
    runs = [f"2026-01-{day:02}T00:00:00" for day in range(1, 31)] + ["2026-02-01T00:00:00"]
    def entries(*dates):
        return [{"case": "local:a", "date": date} for date in dates]
    rows = [(entries(*runs[1:4]), runs, ["local:a"]), (entries(*runs[:3]), runs, []), (entries(*runs[1:3]), runs, []),
            (entries(*runs[:3]), runs[:5], ["local:a"]), ([], runs, [])]
    for kept, dates, wanted in rows:
        if ledger.too_many(kept, dates) != wanted:
            fail(f"{kept}: {ledger.too_many(kept, dates)}")


@test(tier="gate")
def a_case_ends_by_its_result_or_by_its_limit():
    rows = [(["true"], "passed"), (["false"], "failed"), (["sh", "-c", "exit 77"], "skipped"), (["sh", "-c", "kill -9 $$"], "failed"),
            (["sh", "-c", "echo 'ERROR: AddressSanitizer: x'"], "failed")]
    for command, status in rows:
        case = dataclasses.replace(case_of("local:a"), command=command, folder="/", timeout=60)
        if cases.run_case(case).status != status:
            fail(f"{command}: {cases.run_case(case)}")
    hangs = dataclasses.replace(case_of("local:a"), command=["sleep", "1000"], folder="/", timeout=0.1)
    result = cases.run_case(hangs)
    if result.status != "failed" or "ended after 0 s" not in result.text:
        fail(str(result))


@test(tier="gate")
def a_change_finds_the_scripts_it_can_break():
    rows = touched.table()
    for path, scripts in (("core/session/slots.cpp", ["sessions", "session_hosts", "stacks"]), ("core/nothing/x.cpp", rows["core"]), ("topologies/kary.cpp", rows["topologies"]),
                          ("topologies/machine/x.cpp", ["binding"]), ("tests/e2e/test_pty.py", ["pty"]), ("LICENSE", [])):
        if touched.scripts_of(path, rows) != scripts:
            fail(f"{path}: {touched.scripts_of(path, rows)}")


@test(tier="gate")
def each_room_has_its_scripts():
    rows = touched.table()
    here = {name[5:-3] for name in os.listdir(os.path.join(SOURCE_DIR, "tests/e2e")) if name.startswith("test_")}
    for room, scripts in rows.items():
        if not os.path.exists(os.path.join(SOURCE_DIR, room)) or not scripts or set(scripts) - here:
            fail(f"tests/rooms: {room}: {scripts}")
    for room in ("cmd", "core", "modex", "topologies", "transports"):
        for name in os.listdir(os.path.join(SOURCE_DIR, room)):
            if os.path.isdir(os.path.join(SOURCE_DIR, room, name)) and f"{room}/{name}" not in rows:
                fail(f"tests/rooms has no row for {room}/{name}")


@test(tier="clock")
def a_lane_that_nobody_uses_ends():
    lane = os.path.join(SOURCE_DIR, "tests/lane")
    with scratch() as folder:
        state = os.path.join(folder, "lanes")
        expect(run([lane, "--state", state, "--idle", "1", "run", "sh", "-c", "sleep 2; echo used"],
                   env={"CTEST_RESOURCE_GROUP_0_LANES": ""}), out="used\n")
        if not os.path.exists(os.path.join(state, "0")):
            raise Skip("no lanes here")
        eventually(lambda: not any(pid.isdigit() and state in (proc(pid, "cmdline") or "") for pid in os.listdir("/proc")), 10,
                   "the end of the lane")
        if os.path.exists(os.path.join(state, "0/pid")):
            fail("it is still written down")


if __name__ == "__main__":
    main()
