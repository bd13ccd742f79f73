# SPDX-License-Identifier: MIT
"""The tests that ctest knows of a build, and how the check runs them: so many at a time, each end-to-end case in a lane."""
import concurrent.futures
import dataclasses
import json
import os
import queue
import re
import signal
import subprocess
import time

from checking.paths import folder_of


@dataclasses.dataclass
class Case:
    name: str  # as tests/run and the reports have it: kind:case
    tier: str
    command: list
    environment: dict
    folder: str
    timeout: float  # s
    skip_code: int
    in_lane: bool  # an end-to-end test: it runs the real executable

    @property
    def script(self):
        """What a change of a room names: `session:streams:labels` is of `streams`."""
        return self.name.removeprefix("session:").split(":")[0]


@dataclasses.dataclass
class Result:
    name: str
    status: str  # passed, failed, skipped, or retried: failed first, then passed alone
    seconds: float
    text: str


def prefix_of(preset):
    """Tests of the release build have their names, those of another build its name before."""
    return "" if preset == "ci" else preset + "/"


def known(preset):
    """All tests of a configured build. A test whose program is not built yet has no command."""
    listed = subprocess.run(["ctest", "--test-dir", folder_of(preset), "--show-only=json-v1"], stdout=subprocess.PIPE).stdout
    cases = []
    for test in json.loads(listed or '{"tests": []}')["tests"]:
        properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        if not properties.get("LABELS"):
            continue  # the end of the lanes
        environment = dict(word.split("=", 1) for word in properties.get("ENVIRONMENT", []))
        cases.append(Case(prefix_of(preset) + test["name"], properties["LABELS"][0], test.get("command", []), environment,
                          properties.get("WORKING_DIRECTORY", folder_of(preset)), properties.get("TIMEOUT", 600),
                          int(properties.get("SKIP_RETURN_CODE", -1)), "RESOURCE_GROUPS" in properties))
    return cases


def run_case(case, lane=0):
    """Its result, whatever it does."""
    begin = time.monotonic()
    environment = {**os.environ, **case.environment, "CTEST_RESOURCE_GROUP_0_LANES": f"id:{lane},slots:1"}
    process = subprocess.Popen(case.command, cwd=case.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        text, _ = process.communicate(timeout=case.timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        text = process.communicate()[0] + f"\nended after {case.timeout:.0f} s\n".encode()
        process.returncode = -signal.SIGKILL
    status = {0: "passed", case.skip_code: "skipped"}.get(process.returncode, "failed")
    text = text.decode(errors="replace")
    if re.search(r"ERROR: \w+Sanitizer|runtime error: |WARNING: ThreadSanitizer", text):
        status = "failed"  # what a process that nobody waited for has said
    return Result(case.name, status, time.monotonic() - begin, text)


def run_cases(cases, at_a_time, until=None):
    """Results in the order in which cases end; no case is begun after `until` (time.monotonic()). Says each result."""
    waiting = queue.SimpleQueue()
    for case in cases:
        waiting.put(case)
    results = []

    def work(lane):
        while until is None or time.monotonic() < until:
            try:
                case = waiting.get_nowait()
            except queue.Empty:
                return
            result = run_case(case, lane)
            results.append(result)
            print(f"{len(results):4}/{len(cases)} {result.status:7} {result.seconds:6.1f} s  {result.name}", flush=True)
            if result.status == "failed":
                print(result.text, flush=True)

    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        for done in [pool.submit(work, lane) for lane in range(at_a_time)]:
            done.result()
    return results
