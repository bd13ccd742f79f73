#!/usr/bin/env python3
"""What `launch help json` documents is what the commands print."""
import json
import os
import re

from harness import *
from this_machine import PLAY


def documented(name):
    """The keys of the table that has this mark, in the topic's page."""
    with open(os.path.join(SOURCE_DIR, "cmd/guide/topics/json.md")) as file:
        text = file.read()
    table = text.split(f"<!-- json: {name} -->\n")[1].split("\n\n")[0]
    return set(re.findall(r"(?m)^\| `(\w+)` \|", table))


def told(page):
    """Every word of code in the page."""
    with open(os.path.join(SOURCE_DIR, f"cmd/guide/topics/{page}.md")) as file:
        return set(re.findall(r"`(\w+)`", file.read()))


def same_keys(name, objects):
    keys = {key for each in objects for key in each}
    if keys != documented(name):
        fail(f"{name}: printed but not documented {keys - documented(name)}, documented but not printed {documented(name) - keys}")


@test
def the_plan_is_as_documented():
    with scratch() as folder:
        staged = os.path.join(folder, "file")
        with open(staged, "w"):
            pass
        plan = launch("--dry-run", "--format", "json", "--explain", "--routing", "flat", "--stage", staged, "--spares", "1", "-k", "1",
                      "-hosts", "ann@a:22:1,b,c", "-n", "1", "true", ":", "-hosts", "b", "-n", "1", "true", env={"LSB_HOSTS": "a"})
        expect(plan)
        made = json.loads(plan.text)
        same_keys("plan", [made])
        inner = {key for each in made["hosts"] + made["programs"] + made["stage"] for key in each}
        if not inner <= told("json"):
            fail(f"not documented: {inner - told('json')}")


@test
def what_nodes_have_cost_is_as_documented():
    result = launch(*PLAY, "--stats", "json", "-hosts", "n[1-2]", "true")
    expect(result)
    stats = json.loads(result.err_text.splitlines()[-1])
    same_keys("stats", [stats])
    inner = {key for node in stats["nodes"] for key in node}
    if not inner <= told("json"):
        fail(f"not documented: {inner - told('json')}")


@test
def settings_are_as_documented():
    with scratch() as folder:
        job = os.path.join(folder, "job.toml")
        with open(job, "w") as file:
            file.write('degree = 2\n[[program]]\ncommand = "true"\nranks = 2\n')
        shown = launch("config", "--format", "json", "--job", job)
        expect(shown, err="")
        same_keys("config", json.loads(shown.text))


if __name__ == "__main__":
    main()
