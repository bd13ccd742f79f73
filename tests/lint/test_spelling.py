#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""codespell finds no misspelled word in comments, messages, pages and scripts."""
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLACES = ["cmd", "core", "modex", "transports", "topologies", "tests", "completions", ".github", "README.md", "CMakeLists.txt"]
SKIPPED = ["*/fuzz/corpus/*", "*/__pycache__/*", "*/golden/*", "*.svg", os.path.abspath(__file__)]
# Names of other programs (doas, Hydra's thrid, libcrypto's KeyPair), shell words, and what tests misspell on purpose.
KNOWN = ["bu", "doas", "dokcer", "keypair", "lable", "nd", "reprot", "sesion", "te", "thrid"]


def misspelled_in(places):
    return subprocess.run(["codespell", "--ignore-words-list", ",".join(KNOWN), "--skip", ",".join(SKIPPED), *places],
                          stdout=subprocess.PIPE, text=True, check=False).stdout.splitlines()


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write("// the head recieves it, by thrid\n")
        assert len(misspelled_in([folder])) == 1, misspelled_in([folder])


def main():
    if not shutil.which("codespell"):
        print("SKIP: codespell is not installed")
        return 77
    self_test()
    faults = misspelled_in([os.path.join(ROOT, place) for place in PLACES])
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
