#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `launch help json` documents is what the commands print."""
import json
import os
import xml.dom.minidom

from documented import expect_schema, same_keys, told
from harness import *
from this_machine import PLAY


@test(tier="gate")
def the_plan_is_as_documented():
    with scratch() as folder:
        staged = os.path.join(folder, "file")
        with open(staged, "w"):
            pass
        plan = launch("--dry-run", "--format", "json", "--explain", "--routing", "flat", "--stage", staged, "--spares", "1", "-k", "1",
                      "-hosts", "ann@a:22:1,b,c", "-n", "1", "true", ":", "-hosts", "b", "-n", "1", "true", env={"LSB_HOSTS": "a"})
        expect(plan)
        made = json.loads(plan.text)
        expect_schema("plan", made)
        bound = json.loads(launch("--dry-run", "--format", "json", "--bind", "core", "-n", "2", "true",
                                  env={"HWLOC_SYNTHETIC": "pack:1 core:2 pu:2"}).text)
        expect_schema("plan", bound)
        if [each["cpus"] for each in bound["bindings"]] != ["0-1", "2-3"]:
            fail(f"bound to {bound['bindings']}")
        same_keys("plan", [made, bound], but={"session"})
        inner = {key for each in made["hosts"] + made["programs"] + made["stage"] + bound["bindings"] for key in each}
        if not inner <= told("json"):
            fail(f"not documented: {inner - told('json')}")


@test
def what_nodes_have_cost_is_as_documented():
    result = launch(*PLAY, "--stats", "json", "-hosts", "n[1-2]", "true")
    expect(result)
    stats = json.loads(result.err_text.splitlines()[-1])
    expect_schema("stats", stats)
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
        made = json.loads(shown.text)
        expect_schema("config", made)
        same_keys("config", made["settings"])


@test(tier="gate")
def a_report_is_as_documented():
    with scratch() as folder:
        path = os.path.join(folder, "report.json")
        ended = launch(*PLAY, "--report", path, "--keep-going", "-hosts", "n[1-2]", "-n", "1", "sh", "-c", "kill -9 $$",
                       ":", "-n", "1", "sh", "-c", "echo 1234; echo 12 >&2; exit 3", ":", "-n", "1", "./no_such", ":", "-n", "1", "true")
        with open(path) as file:
            made = json.load(file)
        if ended.code != made["exit_code"]:
            fail(f"exit code {ended.code}, the report says {made['exit_code']}")
        expect_schema("report", made)
        same_keys("report", [made], but={"session"})
        same_keys("report host", made["hosts"], but={"auth_us", "login_us", "dial_us", "client_us", "push_us", "failed_us", "error"},
                  may={"login_us"})
        same_keys("report rank", made["ranks"], but={"stuck", "lost"})
        first, second, third, fourth = made["ranks"]
        if (first["signal"], second["exit_code"], fourth["exit_code"]) != (9, 3, 0) or "cannot execute" not in third["not_started"]:
            fail(f"ranks are {made['ranks']}")
        if (second["stdout_bytes"], second["stderr_bytes"]) != (5, 3) or second["peak_kib"] < 100:
            fail(f"rank 1 is {second}")
        for rank in (first, second, fourth):
            host = made["hosts"][rank["node"] - 1]
            if not host["hello_us"] <= host["greeted_us"] <= rank["start_us"] <= rank["end_us"] <= made["over_us"]:
                fail(f"{rank} on {host}")


@test
def a_report_is_drawn():
    with scratch() as folder:
        path = os.path.join(folder, "report.json")
        expect(launch(*PLAY, "--report", path, "-hosts", "n[1-3]", "sleep", "0.1"))
        text = expect(launch("report", path), err="").text
        with open(path, "rb") as file:
            expect(launch("report", "-", stdin=file.read()), out=text, err="")
        for part in ("sleep 0.1: 3 ranks on 3 hosts", "exit code 0", "n2", "= run: ranks ran"):
            if part not in text:
                fail(f"no {part!r} in {text}")
        svg = xml.dom.minidom.parseString(expect(launch("report", path, "--format", "svg"), err="").text)
        titles = [each.firstChild.data for each in svg.getElementsByTagName("title")]
        if not all(any(title.startswith(f"n{i}: run") for title in titles) for i in (1, 2, 3)):
            fail(f"titles are {titles}")
        if "<td>n3</td>" not in expect(launch("report", path, "--format", "html"), err="").text:
            fail("no table of ranks")


@test
def what_is_no_report_is_refused():
    with scratch() as folder:
        path = os.path.join(folder, "report.json")
        for text, why in (("x", "not JSON"), ("[]", "not a report of launch"), ('{"version": 99, "hosts": [], "ranks": []}', "a later launch wrote")):
            with open(path, "w") as file:
                file.write(text)
            refused = launch("report", path)
            if refused.code != 2 or why not in refused.err_text:
                fail(f"{text}: {refused.code} {refused.err_text}")
        for words in (("--report", f"{folder}/none/r.json", "true"), ("--report", folder, "true"), ("report",), ("report", f"{folder}/none"), ("report", folder)):
            refused = launch(*words)
            if refused.code != 2 or len(refused.err_text.splitlines()) != 1:
                fail(f"{words}: {refused.code} {refused.err_text}")


@test
def the_tree_is_drawn():
    many = ("--dry-run", "-n", "900", "-k", "32", "-hosts", "node[001-900]")
    svg = xml.dom.minidom.parseString(expect(launch(*many, "--format", "svg", "true"), err="").text)
    boxes = len(svg.getElementsByTagName("rect"))
    if not 5 < boxes < 100:
        fail(f"{boxes} boxes")
    dot = expect(launch("--dry-run", "-n", "16", "-k", "4", "-hosts", "node[01-16]", "--format", "dot", "true"), err="").text
    if dot.count(" -> ") != 16 or 'label="node07\\nrank 6"' not in dot:
        fail(f"it is {dot}")


if __name__ == "__main__":
    main()
