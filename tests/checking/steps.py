# SPDX-License-Identifier: MIT
"""Commands that the check runs one after another, what each took, and the file that keeps it for each run."""
import contextlib
import dataclasses
import datetime
import os
import shlex
import subprocess
import time

from checking.paths import REPORTS, ROOT

TIMES = os.path.join(REPORTS, "times.csv")
HEADER = "date,commit,tier,result,load,wall_s,cpu_s,steps (name wall_s/cpu_s)\n"


REWRITE = "LAUNCH_REWRITE_GOLDEN"  # tests that see this variable rewrite their golden files, and cannot fail


def compare_golden_files(environment):
    """Removes the variable from the environment of a check, whose tests must compare their golden files."""
    environment.pop(REWRITE, None)


def self_test():
    environment = {REWRITE: "1", "PATH": "/bin"}
    compare_golden_files(environment)
    assert environment == {"PATH": "/bin"}


@dataclasses.dataclass
class Step:
    name: str
    wall: float = 0  # s
    cpu: float = 0  # s, of all that ran on the machine meanwhile, hosts of tests included
    code: int = 0
    warnings: list = dataclasses.field(default_factory=list)


def machine_cpu():
    """Seconds that the machine's processors have been busy since it started."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, soft = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def measured(name):
    """A step that the check does itself."""
    step = Step(name)
    wall, cpu = time.monotonic(), machine_cpu()
    try:
        yield step
    finally:
        step.wall, step.cpu = time.monotonic() - wall, machine_cpu() - cpu
        print(f"== {name}: {'failed, code ' + str(step.code) if step.code else 'done'} in {step.wall:.0f} s, {step.cpu:.0f} s of CPU", flush=True)


def run(name, words, environment=None):
    """Runs a command, whose output goes into a file that is shown where the command fails."""
    print(f"== {name}: {shlex.join(words)}", flush=True)
    os.makedirs(REPORTS, exist_ok=True)
    with open(os.path.join(REPORTS, name.replace(" ", "-") + ".log"), "w+", errors="replace") as log, measured(name) as step:
        step.code = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                   env={**os.environ, **(environment or {})}).returncode
        log.seek(0)
        text = log.read()
        step.warnings = [line for line in text.splitlines() if "warning:" in line]
        if step.code:
            print(text, flush=True)
    return step


def commit():
    done = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.strip() or "none"


def write_times(tier, result, load, steps):
    """Adds a line for this run."""
    os.makedirs(REPORTS, exist_ok=True)
    new = not os.path.exists(TIMES)
    took = " ".join(f"{step.name.replace(' ', '-')} {step.wall:.0f}/{step.cpu:.0f}" for step in steps)
    with open(TIMES, "a") as file:
        if new:
            file.write(HEADER)
        file.write(f"{datetime.datetime.now().isoformat(timespec='seconds')},{commit()},{tier},{result},{load:.1f},"
                   f"{sum(step.wall for step in steps):.0f},{sum(step.cpu for step in steps):.0f},{took}\n")


def dates_of_runs():
    """When each run of the gate ended here, oldest first."""
    with contextlib.suppress(FileNotFoundError), open(TIMES) as file:
        rows = [line.split(",") for line in file.readlines()[1:]]
        return [row[0] for row in rows if row[2] == "gate"]
    return []
