#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An end-to-end test that a slow machine could make fail is in the tier `clock`: no other one sleeps, measures or bounds time, and
no test of the gate gives launch less than ten seconds for anything."""
import ast
import os
import re
import sys

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMITS = {"--liveness", "--connect-timeout", "--start-timeout", "--start-limit", "--timeout"}
LEAST = 10  # s
TIMED = re.compile(r"\btime\.(sleep|monotonic)\b|\bwithin=|\.wall\b")


def tier_of(function):
    """None: it is no test."""
    for mark in function.decorator_list:
        name = mark.func if isinstance(mark, ast.Call) else mark
        if getattr(name, "id", "") in ("test", "needs_cluster", "of_each_library"):
            keywords = mark.keywords if isinstance(mark, ast.Call) else []
            return next((ast.literal_eval(word.value) for word in keywords if word.arg == "tier"), "long")
    return None


def short_limits(function):
    """Options of launch that follow each other in a call, with a number below the least."""
    for call in ast.walk(function):
        if isinstance(call, (ast.Call, ast.List)):
            words = [word.value if isinstance(word, ast.Constant) else None for word in (call.args if isinstance(call, ast.Call) else call.elts)]
            for option, value in zip(words, words[1:]):
                if option in LIMITS and str(value).replace(".", "").isdigit() and float(value) < LEAST:
                    yield f"{option} {value}"


def faults_of(path, text):
    for function in ast.parse(text, path).body:
        tier = tier_of(function) if isinstance(function, ast.FunctionDef) else None
        if tier in (None, "clock"):
            continue
        timed = TIMED.search(ast.get_source_segment(text, function))
        if timed:
            yield f"{path}:{function.lineno}: {function.name} is in the tier {tier} and has {timed[0]}"
        if tier == "gate":
            yield from (f"{path}:{function.lineno}: {function.name} is in the gate and gives launch {limit}" for limit in short_limits(function))


def main():
    folder = os.path.join(ROOT, "tests/e2e")
    samples = 0
    faults = []
    for name in sorted(os.listdir(folder)):
        if name.startswith("test_") and name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            samples += 1
            faults += faults_of(os.path.join("tests/e2e", name), text)
    sample = '@test(tier="gate")\ndef f():\n    launch("--timeout", "3", "true")\n    time.sleep(1)\n'
    if len(list(faults_of("sample", sample))) != 2 or not samples:
        faults.append("this check finds nothing")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
