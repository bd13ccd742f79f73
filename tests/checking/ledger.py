# SPDX-License-Identifier: MIT
"""tests/flaky.json: the end-to-end cases that failed once and passed when they were run again. A case with three entries among
the last thirty runs of the gate is to be mended, or to be set aside with a reason."""
import datetime
import json
import os

from checking.paths import ROOT
from checking.steps import commit, dates_of_runs

LEDGER = os.path.join(ROOT, "tests/flaky.json")
RUNS = 30
MOST = 3
LAST_LINES = 12  # of what the case said: its verdict is at the end


def entries():
    with open(LEDGER) as file:
        return json.load(file)


def add(result, load):
    """Somebody commits it with the change that was checked. So it names no folder of this machine."""
    kept = entries()
    kept.append({"case": result.name, "date": datetime.datetime.now().isoformat(timespec="seconds"), "commit": commit(),
                 "load": round(load, 1), "said": result.text.replace(ROOT + "/", "").strip().splitlines()[-LAST_LINES:]})
    with open(LEDGER, "w") as file:
        json.dump(kept, file, indent=1)
        file.write("\n")


def too_many(kept, runs):
    """The cases with as many entries since the oldest of the last runs."""
    recent = runs[-RUNS:]
    since = recent[0] if len(runs) >= RUNS else ""
    names = [entry["case"] for entry in kept if entry["date"] >= since]
    return sorted({name for name in names if names.count(name) >= MOST})


def cases_to_mend():
    return too_many(entries(), dates_of_runs())
