# SPDX-License-Identifier: MIT
"""Runs the tests of a script, each bounded and judged."""
import collections
import contextlib
import ctypes
import functools
import inspect
import os
import signal
import subprocess
import sys
import time
import traceback

from harness import current
from harness.basics import CLUSTER, HELPERS, LAUNCH, Failed, Skip, TimedOut
from harness.hosts import cluster
from harness.leftovers import Snapshot, leftovers
from harness import pace
from harness.pace import allowed
from harness.processes import processes

# Orphans become our children, so that whatever a test started on this machine is found, marked or not.
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER

HERE = os.path.dirname(__file__)

Test = collections.namedtuple("Test", "function timeout hosts grace tier")

TIERS = ("gate", "long", "clock")
tests = []


def test(function=None, *, timeout=60, hosts=0, grace=5.0, tier="long"):
    """Marks a test; timeout bounds it, grace is how long after it processes may take to end.

    Each change has to pass the tests of the tier `gate` (tests/check). Those, and `long` ones, wait for events and end by
    their result or by a watchdog, on a machine of any speed. A test of the tier `clock` measures wall-clock time, sleeps, or
    sets a short time limit of launch, so that a busy machine may make it fail."""
    if function is None:
        return functools.partial(test, timeout=timeout, hosts=hosts, grace=grace, tier=tier)
    assert tier in TIERS, tier
    tests.append(Test(function, timeout, hosts, grace, tier))
    return function


def needs_cluster(hosts, timeout=60, grace=5.0, tier="long"):
    """Marks a test that runs with at least so many hosts; it is given the cluster if it takes an argument."""
    return functools.partial(test, timeout=timeout, hosts=hosts, grace=grace, tier=tier)


def watchdog(*_):
    raise TimedOut(f"the test hangs\n{processes()}")


def run_one(function, timeout, hosts, grace, tier):
    """None, or why it failed. Skip passes through, unless the test left something."""
    pace.patient = tier != "clock"
    if pace.patient:  # a case that wants another limit gives launch the option, which wins over the environment
        os.environ["LAUNCH_OPT_LIVENESS"] = str(pace.LIVENESS)
    reasons, skip = [], None
    with contextlib.ExitStack() as stack:
        fleet = stack.enter_context(cluster(hosts)) if hosts else None
        before = Snapshot()
        signal.signal(signal.SIGALRM, watchdog)
        signal.setitimer(signal.ITIMER_REAL, pace.watchdog(timeout))
        try:
            function(*([fleet] if fleet and inspect.signature(function).parameters else []))
        except Skip as why:
            skip = why
        except Failed as error:
            where = traceback.extract_tb(error.__traceback__)
            frame = next((f for f in reversed(where) if os.path.dirname(f.filename) != HERE), where[-1])
            reasons.append(f"{os.path.basename(frame.filename)}:{frame.lineno}: {frame.line}\n{error}")
        except Exception:
            reasons.append(traceback.format_exc())
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            unfinished = [job for job in current.jobs if job.running]
            if unfinished and not reasons:
                reasons.append("still running at the end of the test: " + "; ".join(" ".join(j.argv) for j in unfinished))
            for job in list(current.jobs):
                job.discard()
            current.jobs.clear()
            left = leftovers(before, grace)
            if left:
                reasons.append("left behind:\n  " + "\n  ".join(left[:40]))
    if skip and not reasons:
        raise skip
    return "\n".join(reasons) or None


def chosen_tests(words):
    """Those whose names contain a word, or with --case the one of that name; all without a word. Exits with 2 where a word
    names none: what is not run must not pass for tested."""
    if not words:
        return tests
    exact = words[0] == "--case"
    chosen = []
    for word in words[1:] if exact else words:
        found = [entry for entry in tests if (word == entry.function.__name__ if exact else word in entry.function.__name__)]
        if not found:
            print(f"no test of the name {word} in {os.path.basename(sys.argv[0])}", file=sys.stderr)
            sys.exit(2)
        chosen += [entry for entry in found if entry not in chosen]
    return chosen


def list_tests():
    """A line for each: its name, the seconds until the watchdog ends it on any machine, how many hosts it needs, and its tier."""
    for entry in tests:
        print(entry.function.__name__, int(pace.longest_watchdog(entry.timeout) + entry.grace), entry.hosts, entry.tier)


def main():
    """Runs the module's tests: all, or those that the words choose. Exits with 0, 1 if one failed, 77 if none failed but some
    could not run, 2 for a name that there is not."""
    if sys.argv[1:] == ["--list"]:
        list_tests()
        sys.exit(0)
    for number in signal.SIGINT, signal.SIGQUIT:  # a shell's background commands ignore them, and launch leaves that to its ranks
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    chosen = chosen_tests(sys.argv[1:])
    if not (os.access(LAUNCH, os.X_OK) and os.path.isdir(HELPERS)):
        print("LAUNCH and HELPERS must name a build's executable and its folder `tests`; tests/run does that", file=sys.stderr)
        sys.exit(2)
    failed, skipped = [], []
    for function, timeout, hosts, grace, tier in chosen:
        begin = time.monotonic()
        try:
            reason = run_one(function, timeout, hosts, grace, tier)
        except Skip as why:
            skipped.append(str(why))
            print(f"skip  {function.__name__}: {why}", flush=True)
            continue
        print(f"{'FAIL' if reason else 'ok  '}  {function.__name__} ({time.monotonic() - begin:.2f} s)", flush=True)
        if reason:
            if not pace.patient:
                print(f"      bounds of time are multiplied by {allowed(1):.1f} here", flush=True)
            failed.append(function.__name__)
            print("      " + reason.replace("\n", "\n      "), flush=True)
    if current.brought_up and os.environ.get("LAUNCH_CLUSTER_KEEP") == "0":
        subprocess.run([CLUSTER, "down"], check=True)
    print(f"{len(chosen) - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped")
    if failed:
        print("failed: " + " ".join(failed))
        sys.exit(1)
    if skipped:
        print(f"SKIP: {skipped[0]}")
        sys.exit(77)
    sys.exit(0)
