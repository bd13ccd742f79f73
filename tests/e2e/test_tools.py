#!/usr/bin/env python3
"""What runs tests must itself be believed: tests/run tells failures apart, tests/lane leaves nothing for ever."""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import sys
from unittest import mock

from harness import *


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


@test
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


@test
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


def checked(check, results, code):
    """A check with these results, whose tests all end with this code where they are run again; and the names of those that were."""
    again = []

    def step(name, words):
        again.append(words[words.index("-R") + 1])
        return mock.Mock(code=code, wall=0, cpu=0)

    done = check.Check(mock.Mock(allow_skips=False, lanes=3))
    done.results = [check.Result(name, status, 1, text) for name, status, text in results]
    said = io.StringIO()
    with mock.patch.object(check, "Step", step), contextlib.redirect_stdout(said):
        done.run_again_alone()
        done.sum_up()
    return said.getvalue().splitlines()[-1], again, said.getvalue()


@test
def what_fails_only_beside_others_is_listed_and_all_else_fails():
    check = load("check")
    failed = [("local:a", "failed", "late"), ("local:b", "passed", ""), ("asan-ubsan/pmi:c", "failed", "slow")]
    for code, last in (0, "3 passed, 0 failed, 0 skipped"), (8, "1 passed, 2 failed, 0 skipped"):
        line, again, text = checked(check, failed, code)
        if line != last or again != ["^local:a$", "^pmi:c$"] or ("passed twice alone\nlocal:a\nlate" in text) != (code == 0):
            fail(text)
    for name, text in (("unit:A.b", "wrong"), ("lint:format", "wrong"), ("local:a", "ERROR: AddressSanitizer: heap-use-after-free")):
        line, again, _ = checked(check, [(name, "failed", text)], 0)
        if line != "0 passed, 1 failed, 0 skipped" or again:
            fail(line)
    line, again, _ = checked(check, [(f"local:{i}", "failed", "") for i in range(check.RUN_AGAIN + 1)], 0)
    if line != f"0 passed, {check.RUN_AGAIN + 1} failed, 0 skipped" or again:
        fail(line)


@test
def a_failed_run_of_tests_is_a_fault_only_where_no_test_says_so():
    check = load("check")
    report = '<testsuite><testcase name="local:a"><failure/></testcase><testcase name="local:b"/></testsuite>'
    for text, faults in ((report, 0), (report.replace("<failure/>", ""), 1), ("", 1)):
        def step(name, words, text=text):
            with open(words[words.index("--output-junit") + 1], "w") as file:
                file.write(text)
            return mock.Mock(code=8, wall=0, cpu=0)

        with scratch() as folder, mock.patch.object(check, "Step", step), mock.patch.object(check, "tests_in", return_value=[]), \
                mock.patch.object(check, "BUILD", folder):
            done = check.Check(mock.Mock(lanes=3))
            done.test("ci", folder)
        if len(done.faults) != faults:
            fail(f"{done.faults}")


@test
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
