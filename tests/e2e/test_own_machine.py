#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""This machine in a list of hosts, beside others that are reached by ssh."""
import contextlib
import json
import os
import re
import signal
import socket

from harness import *
from sessions import on, session


def has_no_sshd():
    with contextlib.closing(socket.socket()) as there:
        return there.connect_ex(("127.0.0.1", 22)) != 0


@needs_cluster(3, timeout=90, tier="gate")
def this_machine_beside_others_needs_no_ssh(cluster):
    """It is a child of the head, wherever it stands in the list, and others hear a name of it that is not theirs."""
    if not has_no_sshd():
        fail("this is to show that nobody logs in here")
    here, (a, b, c) = os.uname().nodename, cluster.hosts[:3]
    where = ["sh", "-c", "echo $LAUNCH_RANK $(hostname) $LAUNCH_HOST $LAUNCH_FIRST_HOST $LAUNCH_HOSTLIST"]
    for order in (["localhost", a, b, c], [a, b, "localhost", c], [a, b, c, here]):
        names = [here if name == "localhost" else name for name in order]
        for more in ([], ["-k", "1"], ["--push", "always"], ["--routing", "binomial"], ["--allow-missing"]):
            print("   ", *order, *more)
            result = launch("-hosts", ",".join(order), *more, *where)
            expect(result, err="")
            rows = sorted(line.split() for line in result.lines)
            if [row[1:4] for row in rows] != [[name, name, names[0]] for name in names]:
                fail(str(result))
            if len({row[4] for row in rows}) != 1 or "localhost" in rows[0][4]:
                fail(str(result))
    plan = json.loads(launch("--dry-run", "--format", "json", "-k", "1", "-hosts", f"{a},{b},localhost,{c}", "true").text)
    if [host["parent"] for host in plan["hosts"]] != [0, 1, 0, 3]:
        fail(str(plan["hosts"]))
    expect(launch("--dry-run", "--explain", "-hosts", f"localhost,{a}", "true"), out_contains=[f"(this machine as {here})"], err="")
    # Its end is told as that of any host.
    expect(launch("-hosts", f"localhost,{a}", "sh", "-c", "exit $LAUNCH_RANK"), code=1, err_contains=[f"rank 1 on {a}: ended with exit code 1"])
    with session(f"{a},{b}") as name:
        added = run([LAUNCH, "session", "add", "--session", name, "localhost"])
        expect(added, err="")
        expect(on(name, "-n", "3", "hostname"), out_lines=[a, b, here], err="")
        for own in ("localhost", here):
            expect(on(name, "-hosts", own, "hostname"), out_lines=[here], err="")
        expect(on(name, "-hosts", f"localhost,{a}", "sh", "-c", "echo $LAUNCH_FIRST_HOST"), out_lines=[here] * 2, err="")
        expect(run([LAUNCH, "session", "remove", "--session", name, "localhost"]), err="")
        expect(on(name, "-n", "2", "hostname"), out_lines=[a, b], err="")


@needs_cluster(2, tier="gate")
def an_address_of_this_machine_means_it(cluster):
    here, first = os.uname().nodename, cluster.hosts[0]
    own = [word for word in run(["hostname", "-I"]).text.split() if ":" not in word]
    if not own:
        fail("the test hosts' network gives this machine an address")
    for address in own[0], own[-1]:
        expect(launch("-hosts", address, "hostname"), out_lines=[here], err="")
        expect(launch("-hosts", f"{first},{address}", "hostname"), out_lines=[first, here], err="")


@needs_cluster(3, timeout=90)
def who_is_below_this_machine_goes_on_without_it(cluster):
    """A relay on it that is lost is replaced by the head, which is there as well."""
    here, (a, b, c) = os.uname().nodename, cluster.hosts[:3]
    program = ["sh", "-c", "echo under way: $LAUNCH_HOST $PPID; sleep 4; echo $LAUNCH_HOST last"]
    for order in (["localhost", a, b, c], [a, "localhost", b, c]):
        print("   ", *order)
        job = Job([LAUNCH, "--timeout", "40", "--on-host-loss", "continue", "-k", "1", "-hosts", ",".join(order), *program])
        found = job.until(r"(?s)(?=.*way: %s (\d+)).*(?:under way.*){4}" % here)
        os.kill(int(found.group(1)), signal.SIGKILL)
        result = job.wait(30)
        expect(result, code=69, err_contains=[re.compile(rf"^launch: {here}: run: .*; its ranks are lost, the others go on$", re.M)])
        if sorted(line for line in result.lines if line.endswith("last")) != [f"{host} last" for host in (a, b, c)]:
            fail(f"not all of the others came to their end\n{result}")


if __name__ == "__main__":
    main()
