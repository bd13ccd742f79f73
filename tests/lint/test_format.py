#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-format finds nothing to change."""
import os
import shutil
import subprocess
import sys

ROOT = os.environ.get("SOURCE_DIR") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ["cmd", "core", "transports", "topologies", "modex", "tests"]

if not shutil.which("clang-format"):
    print("SKIP: clang-format is not installed")
    sys.exit(77)
files = [os.path.join(base, name) for folder in FOLDERS for base, _, names in os.walk(os.path.join(ROOT, folder))
         for name in names if name.endswith((".cpp", ".hpp", ".c", ".h"))]
sys.exit(subprocess.run(["clang-format", "--dry-run", "--Werror", *files]).returncode)
