# SPDX-License-Identifier: MIT
"""The end-to-end scripts that a change can break, by the table tests/rooms."""
import os
import re
import subprocess

from checking.paths import ROOT

TABLE = os.path.join(ROOT, "tests/rooms")
CHECKED = os.path.join(ROOT, "tests/checked")


def table():
    """Of each folder or file, its scripts."""
    rows = {}
    with open(TABLE) as file:
        for line in file:
            words = line.partition("#")[0].split()
            if words:
                rows[words[0]] = words[1:]
    return rows


def scripts_of(path, rows):
    """Those of the longest row that holds the path. A script is its own."""
    own = re.fullmatch(r"tests/e2e/test_(\w+)[.]py", path)
    if own:
        return [own[1]]
    while path and path not in rows:
        path = os.path.dirname(path)
    return rows.get(path, [])


def checked_commit():
    with open(CHECKED) as file:
        return file.read().split()[0]


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_files(since):
    """Against the working tree, with files that are not tracked yet. None: there is no such commit here."""
    changed = git("diff", "--name-only", "--no-renames", since)
    return None if changed is None else changed + (git("ls-files", "--others", "--exclude-standard") or [])


def touched_scripts(since=None):
    """Sorted; None where the commit is not known here, such as in a clone without history."""
    changed = changed_files(since or checked_commit())
    if changed is None:
        return None
    rows = table()
    here = {name[5:-3] for name in os.listdir(os.path.join(ROOT, "tests/e2e")) if name.startswith("test_")}
    return sorted({script for path in changed for script in scripts_of(path, rows)} & here)
