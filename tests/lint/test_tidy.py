#!/usr/bin/env python3
"""clang-tidy finds nothing. Needs the compile commands of the build that runs the tests."""
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.dirname(os.environ.get("HELPERS", os.path.join(ROOT, "build/ci/tests")))

if not shutil.which("clang-tidy"):
    print("SKIP: clang-tidy is not installed")
    sys.exit(77)
with open(os.path.join(BUILD, "compile_commands.json")) as file:
    sources = sorted({entry["file"] for entry in json.load(file)})
sources = [path for path in sources if not os.path.relpath(path, ROOT).startswith(("tests", ".."))]


def check(path):
    done = subprocess.run(["clang-tidy", "-p", BUILD, "--quiet", path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return path, done.returncode, done.stdout


assert sources, "no sources in compile_commands.json"
with ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(check, sources))
bad = [(path, output) for path, code, output in results if code != 0]
for path, output in bad:
    print(output)
print(f"{len(sources)} files, {len(bad)} with findings")
sys.exit(1 if bad else 0)
