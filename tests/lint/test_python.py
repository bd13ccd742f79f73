#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pyflakes finds nothing in the project's Python, and all of it can be compiled."""
import ast
import os
import sys

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ["tests", ".ci", "completions"]

try:
    from pyflakes import checker, messages
except ImportError:
    print("SKIP: pyflakes is not installed (package python3-pyflakes)")
    sys.exit(77)


def is_python(path):
    if path.endswith(".py"):
        return True
    with open(path, "rb") as file:
        first = file.readline()
    return first.startswith(b"#!") and b"python" in first


def sources():
    return sorted(path for folder in FOLDERS for base, _, names in os.walk(os.path.join(ROOT, folder)) if "__pycache__" not in base
                  for path in (os.path.join(base, name) for name in names) if is_python(path))


def names_of_harness():
    """Returns the names of `from harness import *` without running it, because it makes a folder for the tests."""
    with open(os.path.join(ROOT, "tests/e2e/harness/__init__.py"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    lists = [node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"]
    return set(ast.literal_eval(lists[0]))


def faults_of(path, text, known):
    """pyflakes knows no names behind a star: the one star that there is has a list."""
    for message in checker.Checker(ast.parse(text, path), path).messages:
        if isinstance(message, messages.ImportStarUsed) and message.message_args == ("harness",):
            continue
        if isinstance(message, messages.ImportStarUsage) and message.message_args[0] in known and message.message_args[1] == "harness":
            continue
        yield str(message)


def self_test(known):
    """It finds what it is for."""
    def found(text):
        return [fault.split(": ", 1)[-1].split(" ", 1)[-1] for fault in faults_of("x.py", text, known)]

    assert known >= {"test", "main", "launch"}, known
    assert not found("from harness import *\nlaunch(LAUNCH)\n")
    assert len(found("from harness import *\nlaunhc()\n")) == 1
    assert len(found("import os\n")) == 1
    assert len(found("def f():\n    x = 1\n")) == 1
    assert len(found("from os import *\nlaunch()\n")) >= 1


def main():
    known = names_of_harness()
    self_test(known)
    files, faults = sources(), []
    assert len(files) > 40, files
    for path in files:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            compile(text, path, "exec", dont_inherit=True)
            faults += faults_of(path, text, known)
        except SyntaxError as error:
            faults.append(f"{path}: {error}")
    for fault in faults:
        print(fault)
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
