# SPDX-License-Identifier: MIT
"""The gate: what each change has to pass. It compiles first and tests then, and no test of it depends on how fast the machine is."""
import time

from checking.cases import known, run_cases
from checking.touched import checked_commit, touched_scripts

UNIT = "asan-ubsan"  # the build in which unit tests run
LONGEST = 15 * 60  # s that the gate is to take; what it compiles without a cache comes out of the last step
TOUCHED_SECONDS = 180  # of these at most, in which tests of what the change touches begin


def check(report, options):
    if not (report.build("ci") and report.build(UNIT, "unit_tests")):
        return
    cases = known("ci")
    units = [case for case in known(UNIT) if case.tier == "gate"]
    report.known = {"ci": {case.name for case in cases}}
    gate = [case for case in cases if case.tier == "gate"]
    report.cases("unit tests", lambda: run_cases(units, options.lanes))
    report.cases("end to end", lambda: run_cases(sorted(gate, key=by_hosts), options.lanes))
    run_touched(report, options, cases)
    report.run_again(cases)


def by_hosts(case):
    """Cases of a script together, since they want the same hosts."""
    return case.script, case.name


def run_touched(report, options, cases):
    scripts = touched_scripts()
    if scripts is None:
        report.notes.append(f"the commit of tests/checked, {checked_commit()}, is not in this clone: no more than the gate's own tests were run")
        return
    wanted = [case for case in cases if case.tier == "long" and case.in_lane and case.script in scripts and not case.name.startswith("session:")]
    if not wanted:
        return
    print(f"== of what has changed since {checked_commit()}: {' '.join(scripts)}", flush=True)
    seconds = max(0, min(TOUCHED_SECONDS, LONGEST - sum(step.wall for step in report.steps)))
    results = report.cases("touched", lambda: run_cases(wanted, options.lanes, time.monotonic() + seconds))
    if len(results) < len(wanted):
        report.notes.append(f"{len(wanted) - len(results)} of {len(wanted)} tests of what has changed did not begin within "
                            f"{seconds:.0f} s: tests/run --touched runs them all")
