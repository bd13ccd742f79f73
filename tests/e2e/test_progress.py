#!/usr/bin/env python3
"""What somebody who waits sees: a start and a run on a terminal, a long start elsewhere, and its report."""
import json
import os
import re

from harness import *
from starts import slow


@test
def at_a_terminal_a_run_tells_how_far_it_is():
    job = Job([LAUNCH, "--timeout", "90", "-n", "3", "sh", "-c", "test $LAUNCH_RANK != 1 || exit 0; exec sleep 3"], pty=True)
    job.until(r"launch: running: 2 of 3 ranks, \d s of 1 min 30 s", timeout=10)
    result = expect(job.wait(15))
    if not re.search(r"\r\033\[K$", result.text.rstrip("\n")):
        fail(f"the line is left there: {result.text!r}")


@test
def what_ranks_write_is_not_drawn_over():
    """A question that waits for its answer, a pipe behind which a pager may be, and who wants to be told nothing."""
    for words, more in ((["sh", "-c", "printf 'name? '; sleep 2.5"], []), (["sh", "-c", "read name; sleep 2"], []),
                        (["sleep", "2.5"], ["-q"])):
        job = Job([LAUNCH, *more, "-n", "1", *words], pty=True)
        if "read name" in words[-1]:
            job.write(b"x\n")
        if "running" in job.wait(15).text:
            fail(f"{words}: {job.out!r}")
    job = Job(["sh", "-c", f"{LAUNCH} -n 1 sleep 2.5 | cat"], pty=True)
    if "running" in job.wait(15).text:
        fail(f"before a pipe: {job.out!r}")


@needs_cluster(16, timeout=90)
def a_start_tells_whom_it_waits_for_and_in_which_stage(cluster):
    """Also of a host that another host starts."""
    first, last = cluster.hosts[0], cluster.hosts[7]
    with slow(cluster, last, 3):
        job = Job([LAUNCH, "-hosts", cluster.fold(8), "-k", "2", "true"], pty=True)
        job.until(rf"launch: starting: 7 of 8 hosts up, waiting for {last} \(hello\)", timeout=10)
        expect(job.wait(20))
        job = Job([LAUNCH, "--transport", "openssh", "-hosts", f"{first},{last}", "true"], pty=True)
        job.until(rf"launch: starting: 1 of 2 hosts up, waiting for {last} \(client\)", timeout=10)
        expect(job.wait(20))


@needs_cluster(16, timeout=90)
def where_no_terminal_is_a_long_start_gets_one_note(cluster):
    last = cluster.hosts[3]
    with slow(cluster, last, 12):
        quiet = Job([LAUNCH, "-q", "-hosts", cluster.fold(4), "true"])
        result = launch("-hosts", cluster.fold(4), "true", timeout=40)
        expect(result)
        if not re.fullmatch(rf"launch: note: starting: 3 of 4 hosts up, waiting for {last} \(hello\), after 1\d s\n", result.err_text):
            fail(str(result))
        expect(quiet.wait(30), err="")


@needs_cluster(16, timeout=90)
def a_report_shows_the_slow_host(cluster):
    last = cluster.hosts[11]
    with scratch() as folder, slow(cluster, last, 2):
        path = os.path.join(folder, "report.json")
        expect(launch("-hosts", cluster.fold(16), "-k", "4", "-ppn", "2", "--report", path, "sleep", "0.5"))
        with open(path) as file:
            made = json.load(file)
        for host in made["hosts"]:
            took = host["greeted_us"] - host["hello_us"]
            if (took > 1_900_000) != (host["name"] == last):
                fail(f"{host}")
            above = made["hosts"][host["started_by"] - 1] if host["started_by"] else {"greeted_us": 0}
            if not above["greeted_us"] <= host["dial_us"] <= host["auth_us"] <= host["login_us"] <= host["hello_us"] <= host["up_us"]:
                fail(f"{host} below {above}")
        if len(made["ranks"]) != 32 or any(rank["exit_code"] != 0 or rank["end_us"] - rank["start_us"] < 490_000 for rank in made["ranks"]):
            fail(f"ranks are {made['ranks']}")
        text = expect(launch("report", path), err="").text
        if not re.search(rf"(?m)^slow: {last}: most of it hello [23]\.", text):
            fail(f"it is {text}")


if __name__ == "__main__":
    main()
