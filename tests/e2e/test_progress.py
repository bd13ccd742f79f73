#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What somebody who waits sees: a start and a run on a terminal, a long start elsewhere, and its report."""
import json
import os
import re
import signal
import time
import xml.dom.minidom

from harness import *
from starts import slow


@test(tier="clock")
def at_a_terminal_a_run_tells_how_far_it_is():
    job = Job([LAUNCH, "--timeout", "90", "-n", "3", "sh", "-c", "test $LAUNCH_RANK != 1 || exit 0; exec sleep 3"], pty=True)
    job.until(r"launch: running: 2 of 3 ranks, \d s of 1 min 30 s", timeout=10)
    result = expect(job.wait(15))
    if not re.search(r"\r\033\[K$", result.text.rstrip("\n")):
        fail(f"the line is left there: {result.text!r}")


@test
def a_short_run_shows_nothing_of_itself():
    """In the first second, in which most are over."""
    for words in (["-n", "3", "true"], ["--transport", "local", "-hosts", "n[1-3]", "sleep", "0.2"]):
        expect(Job([LAUNCH, *words], pty=True).wait(15), out="")


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


@test(tier="clock")
def in_the_background_nothing_is_drawn_over_the_prompt():
    """Neither by a job that a shell starts there, nor by one that it puts there later."""
    job = Job(["bash", "-c", f'set -m; "{LAUNCH}" -n 1 sleep 2.5 & printf "prompt: "; wait'], pty=True)
    text = job.wait(15).text
    if "running:" in text or "\033" in text:
        fail(f"it is {text!r}")
    later = f'set -m; "{LAUNCH}" -n 1 sh -c "sleep 2; kill -TSTP \\$PPID; sleep 3"; printf "prompt: "; bg; wait'
    job = Job(["bash", "-c", later], pty=True)
    before, _, after = job.wait(20).text.partition("prompt: ")
    if "running: 1 of 1 rank," not in before or "running:" in after or "\033" in after:
        fail(f"it is {before!r}, then {after!r}")


@needs_cluster(16, timeout=90)
def a_start_tells_whom_it_waits_for_and_in_which_stage(cluster):
    """Also of a host that another host starts."""
    first, last = cluster.hosts[0], cluster.hosts[7]
    with slow(cluster, last, 3):
        job = Job([LAUNCH, "-hosts", cluster.fold(8), "-k", "2", "true"], pty=True)
        job.until(rf"launch: starting: 7 of 8 hosts up, waiting for {last} \(hello\), \d s of 2 mi", timeout=10)
        expect(job.wait(20))
        job = Job([LAUNCH, "--transport", "openssh", "-hosts", f"{first},{last}", "true"], pty=True)
        job.until(rf"launch: starting: 1 of 2 hosts up, waiting for {last} \(client\), \d s of 2 m", timeout=10)
        expect(job.wait(20))


@needs_cluster(16, timeout=90, tier="clock")
def where_no_terminal_is_a_long_start_gets_one_note(cluster):
    last = cluster.hosts[3]
    with slow(cluster, last, 7):
        quiet = Job([LAUNCH, "-q", "-hosts", cluster.fold(4), "true"])
        result = launch("-hosts", cluster.fold(4), "true", timeout=40)
        expect(result)
        if not re.fullmatch(note_of(last), result.err_text):
            fail(str(result))
        expect(quiet.wait(30), err="")


def note_of(host):
    return rf"launch: note: starting: 3 of 4 hosts up, waiting for {host} \(hello\), after \d s; " \
           r"a host has 10 s to answer \(--connect-timeout\), then 60 s to be up \(--start-timeout\)\n"


@needs_cluster(16, timeout=90, tier="clock")
def the_note_comes_before_a_host_that_does_not_answer_is_given_up(cluster):
    host = cluster.hosts[1]
    cluster.cut(host)
    try:
        job = Job([LAUNCH, "-hosts", cluster.fold(2), "true"])
        job.until(rf"note: starting: 1 of 2 hosts up, waiting for {host} \(dial\), after 5 s; a host has 10 s", timeout=8, stream="err")
        expect(job.wait(20), code=69, err_contains=[f"{host}: connect: no answer within 10 s"])
    finally:
        cluster.heal(host)


@needs_cluster(16, timeout=90, tier="clock")
def the_start_of_a_session_tells_the_same(cluster):
    last = cluster.hosts[3]
    start = [LAUNCH, "session", "start", "-hosts", cluster.fold(4)]
    with slow(cluster, last, 7):
        job = Job([*start, "--name", "s1"], pty=True)
        job.until(rf"launch: starting: 3 of 4 hosts up, waiting for {last} \(hello\), \d s of 2 m", timeout=6)
        seen = expect(job.wait(20), out_contains=["session s1: 4 hosts"])
        expect(launch("session", "stop", "s1"))
        if "note:" in seen.text:
            fail(str(seen))
        told = expect(Job([*start, "--name", "s2"]).wait(20), out_contains=["session s2: 4 hosts"])
        expect(launch("session", "stop", "s2"))
        if not re.fullmatch(note_of(last), told.err_text):
            fail(str(told))


@test(tier="clock")
def who_asks_is_told_how_far_the_job_is():
    """Once, however often the signal comes at once; with -q, too; and ranks, which it would end, do not get it."""
    for words in ([], ["-q"]):
        job = Job([LAUNCH, *words, "--timeout", "90", "-n", "3", "sh", "-c", "test $LAUNCH_RANK != 1 || exit 0; sleep 1; echo up; exec sleep 3"])
        job.until("(?s)up.*up")
        for _ in range(2):
            job.signal(signal.SIGRTMIN)
        job.until("status:", stream="err", timeout=5)
        status = r"launch: status: running: 2 of 3 ranks, \d s of 1 min 30 s: ranks 0,2 on localhost\n"
        expect(job.wait(10), err_contains=re.compile(rf"\A{status}\Z"))


@needs_cluster(16, timeout=60, tier="clock")
def who_asks_while_hosts_start_is_told_so(cluster):
    last = cluster.hosts[3]
    with slow(cluster, last, 3):
        job = Job([LAUNCH, "-hosts", cluster.fold(4), "true"])
        time.sleep(1.5)
        job.signal(signal.SIGRTMIN)
        status = rf"launch: status: starting: 3 of 4 hosts up, waiting for {last} \(hello\), \d s of 2 min 24 s\n"
        expect(job.wait(20), err_contains=re.compile(rf"\A{status}\Z"))


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
        for form in ("svg", "html"):
            image = re.search(r"(?s)<svg.*</svg>", expect(launch("report", path, "--format", form), err="").text)
            expect_only_row_that_stands_out(xml.dom.minidom.parseString(image[0]), last, cluster.hosts[:16])


@needs_cluster(16, timeout=60, tier="gate")
def a_report_has_each_part_of_a_start(cluster):
    """By ssh, where launch is sent as well, and by another program; and of a host that cannot be had."""
    up, refused = cluster.hosts[:2]
    by_ssh = ["queued_us", "dial_us", "auth_us", "login_us", "hello_us"]
    with scratch() as folder:
        path = os.path.join(folder, "report.json")
        for words, parts in (([], [*by_ssh, "greeted_us", "up_us"]), (["--push", "always"], [*by_ssh, "push_us", "greeted_us", "up_us"]),
                             (["--transport", "openssh"], ["queued_us", "client_us", "hello_us", "greeted_us", "up_us"])):
            result = launch("-hosts", f"{up},{refused}:1:1", "--allow-missing", "--report", path, *words, "hostname")
            expect(result, out_lines=[up], err_contains=refused)
            with open(path) as file:
                first, second = json.load(file)["hosts"]
            os.unlink(path)
            times = {key: value for key, value in first.items() if key.endswith("_us")}
            if sorted(times) != sorted(parts) or [times[part] for part in parts] != sorted(times.values()):
                fail(f"{words}: {first}")
            if "refused" not in second["error"] or second["failed_us"] < second["queued_us"] or "up_us" in second:
                fail(f"{words}: {second}")


def expect_only_row_that_stands_out(svg, slow_host, hosts):
    """Its name is drawn in red and bold; the names of the others are there, in rows of their own, and plain."""
    def words(element):
        return element.firstChild.data

    rows = [each for each in svg.getElementsByTagName("text") if each.getAttribute("text-anchor") == "end"]
    loud = [words(row) for row in rows if row.getAttribute("fill") == "#b00020" and row.getAttribute("font-weight") == "bold"]
    plain = [words(row) for row in rows if not row.getAttribute("fill") and not row.getAttribute("font-weight")]
    if loud != [slow_host] or len(loud) + len(plain) != len(rows):
        fail(f"rows that stand out: {loud}, others: {plain}")
    if sum(int(more[1]) if (more := re.search(r"\((\d+)\)$", row)) else 1 for row in plain) != len(hosts) - 1:
        fail(f"rows of {plain} are not those of the other hosts")
    spans = [words(title) for title in svg.getElementsByTagName("title")]
    if not any(re.match(rf"{slow_host}: hello [23]\.", span) for span in spans):
        fail(f"no bar of {slow_host} shows where the time went: {spans}")


if __name__ == "__main__":
    main()
