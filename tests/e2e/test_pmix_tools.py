#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tools of PMIx, which are debuggers and their kind, at the servers of jobs."""
import glob
import os
import re
import signal

from harness import *
from programs import pmix

HOSTS = 3
HEARS = ["sh", "-c", "trap 'echo hears; echo loudly >&2' USR1; echo stands; while :; do sleep 0.1; done"]


def contact_files(host=None):
    """The files by which tools find a server, at this machine or at a test host, each of which has its own /dev/shm."""
    return run(["sh", "-c", "ls /dev/shm/launch-*.pmix/pmix.*.tool.*.server 2>&-"], host=host).lines


def contact(host=None):
    """The folder of the one server there."""
    found = contact_files(host)
    if len(found) != 1:
        fail(f"contact files: {found}")
    return os.path.dirname(found[0])


def table(tool, word, ranks):
    """Host, process and program of so many ranks, as the tool prints them."""
    rows = {}
    while len(rows) < ranks:
        rank, *rest = tool.until(rf"{word} (\d+) (\S+) (\d+) (\S+)\n").groups()
        rows[int(rank)] = [field.decode() for field in rest]
    return rows


def process_of(tool, space):
    """The process of the only rank of a job that has just been asked for. It may take a moment until there is one."""
    while True:
        tool.write(f"tables {space}\n")
        found = tool.until(r"here 0 \S+ (\d+) \S+\n|no pmix.qry.ptable\n")
        if found.group(1):
            return found.group(1).decode()


@needs_cluster(HOSTS, timeout=90, tier="gate")
def a_tool_sees_all_ranks_and_reads_along_at_its_host(cluster):
    job = Job([LAUNCH, "--tools", "-hosts", cluster.fold(HOSTS), "-ppn", "2", *HEARS])
    for _ in range(2 * HOSTS):
        job.until("stands\n")
    tool = Job([pmix("pmix_tool"), contact(cluster.hosts[1])], host=cluster.hosts[1])
    tool.until(r"job \S+\n")
    here, everywhere = table(tool, "here", 2), table(tool, "all", 2 * HOSTS)
    tool.until("pulls\n")
    if sorted(here) != [2, 3] or here != {rank: everywhere[rank] for rank in here}:
        fail(f"{here} of {everywhere}")
    if [row[0] for _, row in sorted(everywhere.items())] != [host for host in cluster.hosts[:HOSTS] for _ in range(2)]:
        fail(f"other hosts: {everywhere}")
    shown = {int(row.split()[0]): row.split()[2] for row in expect(launch("ps", str(job.pid)), err="").lines[1:]}
    if {rank: row[1] for rank, row in everywhere.items()} != shown:
        fail(f"{everywhere} but {shown}")
    expect(launch("signal", str(job.pid), "USR1"), err="")
    for stream, word in (("out", "hears"), ("err", "loudly")):
        read = {int(tool.until(rf"{stream} (\d+) {word}\n").group(1)) for _ in range(2)} if stream == "out" else {2, 3}
        if read != {2, 3}:
            fail(f"{stream} of {read}")
    tool.kill()  # which nobody minds
    expect(launch("signal", str(job.pid), "USR1"), err="")
    for _ in range(4 * HOSTS):
        job.until("hears\n", timeout=30)
    expect(launch("signal", str(job.pid), "KILL"), err="")
    expect(job.wait(), code=137)
    if any(contact_files(host) for host in cluster.hosts[:HOSTS]):
        fail("contact files are left")


@test(timeout=90, tier="gate")
def a_tool_starts_ranks_that_stop_for_it():
    job = Job([LAUNCH, "--tools", "-n", "2", *HEARS])
    job.until("stands\n")
    tool = Job([pmix("pmix_tool"), contact()])
    tool.until("pulls\n")
    tool.write(f"spawn init {pmix('pmix_client')} init\n")
    space = tool.until(r"spawned (\S+)\n").group(1).decode()
    tool.until(rf"waits \d+ {re.escape(space)}\n")
    waiting = process_of(tool, space)
    tool.write("spawn exec /bin/echo ran\n")  # while the first one is still there
    tool.write(f"release {space}\n")
    eventually(lambda: not os.path.exists(f"/proc/{waiting}"), what="the end of the rank")
    space = tool.until(r"spawned (\S+)\n").group(1).decode()
    stopped = int(process_of(tool, space))
    eventually(lambda: "State:\tT" in open(f"/proc/{stopped}/status", encoding="utf-8").read(), what="a stopped rank")
    os.kill(stopped, signal.SIGCONT)
    job.until("ran\n")
    tool.close_stdin()
    expect(tool.wait(), err="")
    expect(launch("signal", str(job.pid), "KILL"), err="")
    expect(job.wait(), code=137)


@test(tier="gate")
def no_tool_connects_unasked():
    """Ranks that speak PMIx have a server, too, and it is for them alone."""
    job = Job([LAUNCH, "-n", "1", "--pmi", "pmix", *HEARS])
    job.until("stands\n")
    found = glob.glob("/dev/shm/launch-*.pmix")
    if len(found) != 1 or glob.glob(found[0] + "/*.tool*"):
        fail(f"{found}")
    expect(run([pmix("pmix_tool"), found[0]]), code=1, out="", err_contains="PMIx_tool_init: ")
    expect(launch("signal", str(job.pid), "KILL"), err="")
    expect(job.wait(), code=137)


if __name__ == "__main__":
    main()
