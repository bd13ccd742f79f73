# SPDX-License-Identifier: MIT
"""What the check has found, and how it says so."""
import os

from checking import ledger, steps
from checking.cases import prefix_of, run_case
from checking.paths import ROOT

SLOWEST = 10
RUN_AGAIN = 8  # at most: more failures than these are no accident
LAST_LINES = 40  # of what a failed test has said: its verdict is at the end


class Report:
    def __init__(self, tier, allow_skips):
        self.tier, self.allow_skips = tier, allow_skips
        self.steps, self.results, self.faults, self.notes = [], [], [], []
        self.known = {}  # by preset, the names of all its tests
        self.load = os.getloadavg()[0]

    def step(self, name, *words, **more):
        """Runs a command; False where it failed."""
        done = steps.run(name, list(words), **more)
        self.steps.append(done)
        if done.code:
            self.faults.append(f"{name}: exit code {done.code}")
        self.faults += [f"{name}: {line.strip()}" for line in done.warnings]
        return done.code == 0

    def build(self, preset, *targets):
        """Configures and builds the targets, or all."""
        return self.configure(preset) and self.compile(preset, *targets)

    def configure(self, preset):
        return self.step(f"configure {preset}", "cmake", "--preset", preset)

    def compile(self, preset, *targets):
        """Builds the targets, or all, of a build that is configured."""
        return self.step(f"build {preset}", "cmake", "--build", "--preset", preset, *(["--target", *targets] if targets else []))

    def cases(self, name, run):
        """Runs tests as a step; `run` gives their results."""
        with steps.measured(name) as step:
            results = run()
        self.steps.append(step)
        self.results += results
        return results

    def run_again(self, cases):
        """Once and alone, the end-to-end tests that failed. What passes then is in the ledger."""
        failed = [result for result in self.results if result.status == "failed"]
        by_name = {case.name: case for case in cases}
        if len(failed) > RUN_AGAIN:
            return
        for result in failed:
            case = by_name.get(result.name)
            if case and case.in_lane and "Sanitizer" not in result.text and run_case(case).status == "passed":
                result.status = "retried"
                ledger.add(result, os.getloadavg()[0])

    def sum_up(self):
        """The plain closing line is the last."""
        print("\n== what it took\n" + "\n".join(f"{step.wall:7.0f} s wall {step.cpu:7.0f} s CPU  {step.name}" for step in self.steps))
        slowest = sorted(self.results, key=lambda result: -result.seconds)[:SLOWEST]
        print(f"\n== the {SLOWEST} slowest tests\n" + "\n".join(f"{result.seconds:7.1f} s  {result.name}" for result in slowest))
        skipped = [result for result in self.results if result.status == "skipped"]
        self.judge_skips(skipped)
        if self.tier == "gate":
            self.faults += [f"{case}: three entries in tests/flaky.json within thirty runs: mend it, or set it aside with a reason"
                            for case in ledger.cases_to_mend()]
        failures = [result for result in self.results if result.status == "failed"]
        for result in failures[:RUN_AGAIN]:  # said here once more: the log of all that runs is long
            print(f"\n== failed: {result.name}\n" + "\n".join(result.text.strip().splitlines()[-LAST_LINES:]))
        for note in self.notes:
            print(f"\n== {note}")
        retried = [result for result in self.results if result.status == "retried"]
        if retried:
            print("\n== failed once, and passed when they were run again alone; they are in tests/flaky.json")
        for result in retried:
            print(f"{result.name}\n" + "\n".join(result.text.strip().splitlines()[-LAST_LINES:]))
        wrong = [result.name for result in failures] + self.faults
        if wrong:
            print("\n== what is wrong\n" + "\n".join(wrong))
        steps.write_times(self.tier, "failed" if wrong else "passed", self.load, self.steps)
        passed = sum(result.status in ("passed", "retried") for result in self.results)
        print(f"\n{passed} passed, {max(len(failures), 1 if wrong else 0)} failed, {len(skipped)} skipped", flush=True)
        return 1 if wrong else 0

    def judge_skips(self, skipped):
        allowed = allowed_skips()
        if skipped:
            print("\n== skipped")
        for result in skipped:
            why = next((line for line in result.text.splitlines() if "SKIP" in line), "").strip()
            print(f"{result.name}: {allowed.get(result.name) or why or 'no reason given'}")
            if result.name not in allowed and not self.allow_skips:
                self.faults.append(f"{result.name}: skipped ({why})")
        for preset, names in self.known.items():
            own = [name for name in allowed if name.startswith(prefix_of(preset)) and ("/" in name) == (preset != "ci")]
            self.faults += [f"tests/skips: there is no test {name}" for name in own if name not in names]


def allowed_skips():
    """Of tests/skips: the test's name, then why it may be skipped."""
    allowed = {}
    with open(os.path.join(ROOT, "tests/skips")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, why = line.strip().partition(" ")
                allowed[name] = why
    return allowed
