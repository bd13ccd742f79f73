#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Direct links between relays: when they come up, what happens where they don't, what strangers can do; --stats."""
import contextlib
import re
import time

from harness import *
from harness.promises import RELAY_MIB, most_resident_kib
from strangers import strangers_at

HOSTS = 12


def direct_ends(stats):
    return sum(node["direct_links"] for node in stats["nodes"])


@needs_cluster(HOSTS)
def every_relay_tells_what_it_has_cost(cluster):
    hosts = cluster.hosts[:HOSTS]
    result = launch("-hosts", cluster.fold(HOSTS), "-k", "3", "--stats", "json", "hostname")
    expect(result, out_lines=hosts)
    stats = stats_of(result)
    if [node["host"] for node in stats["nodes"]] != ["head", *hosts]:
        fail(f"not every node, in order: {stats}")
    by_host = {node["host"]: node for node in stats["nodes"]}
    for host, node in by_host.items():
        if node["links"] > 4 or node["cpu_us"] == 0 or not 100 < node["private_kib"] < node["proportional_kib"] < node["resident_kib"]:
            fail(f"{host}: {node}")
        if host != "head" and node["sent"]["output"] != {"frames": 0, "bytes": 0} and node["links"] < 1:
            fail(f"{host}: {node}")
    received = by_host["head"]["received"]["output"]
    if received["frames"] != HOSTS:
        fail(f"the head received {received}, not one frame a rank")
    told = launch("-hosts", cluster.fold(3), "--stats", "text", "true")
    expect(told, err_contains=re.compile(r"head: \S+ \wi?B private and \S+ \wi?B proportional, .*; relays: at most \S+ \wi?B private and "))
    # Without being asked for nothing is told.
    expect(launch("-hosts", cluster.fold(3), "hostname"), out_lines=hosts[:3], err="")
    text = launch("-hosts", cluster.fold(HOSTS), "-k", "3", "--stats", "text", "true")
    expect(text, out="", err_contains=[f"launch: stats: {HOSTS} relays; start ", "links of a node: at most 4 (", "sent by all: control "])


@needs_cluster(HOSTS, tier="gate")
def direct_links_come_up_where_they_are_wanted(cluster):
    cases = [
        (["--links", "direct"], ["sleep", "0.5"], HOSTS),
        (["--links", "ssh"], [helper("pmi_bench"), "--reps", "5"], 0),
        # A program that says little pays nothing; one that exchanges cards again and again gains.
        ([], ["hostname"], 0),
        ([], [helper("pmi_bench"), "--reps", "5"], 0),
        ([], [helper("pmi_bench"), "--reps", "30"], HOSTS),
    ]
    for options, program, links in cases:
        result = launch("-hosts", cluster.fold(HOSTS), "-k", "3", *options, "--stats", "json", *program)
        expect(result)
        ends = direct_ends(stats_of(result))
        if ends != 2 * links:
            fail(f"{options} {program}: {ends} ends of direct links, not {2 * links}")


@needs_cluster(HOSTS, tier="clock")
def much_output_goes_over_direct_links(cluster):
    script = "i=0; while [ $i -lt 40 ]; do head -c 100000 /dev/zero | tr '\\0' x; sleep 0.1; i=$((i+1)); done"
    for options in [], ["--liveness", "0"]:
        result = launch("-hosts", cluster.fold(2), "-k", "1", "--stats", "json", *options, "sh", "-c", script)
        expect(result, out="x" * 8_000_000)
        if direct_ends(stats_of(result)) < 2:
            fail(f"{options}: no direct link came up")


@needs_cluster(HOSTS)
def ports_are_those_that_were_named(cluster):
    job = Job([LAUNCH, "-hosts", cluster.fold(3), "-k", "1", "--links", "direct", "--link-ports", "7710-7712", "sh", "-c", "echo ready; sleep 30"])
    job.until("(ready\\s+){3}")
    listening = cluster.exec(cluster.hosts[0], "ss", "-Htln").text
    job.signal(15)
    job.wait()
    if not re.search(r":77(10|11|12)\b", listening):
        fail(f"nobody listens there: {listening}")


@needs_cluster(HOSTS, tier="gate")
def where_no_direct_link_is_to_be_had_ssh_carries_all(cluster):
    ports = ["-k", "1", "--link-ports", "7720"]
    with port_taken(cluster.hosts[0], 7720):
        bench = [helper("pmi_bench"), "--reps", "20"]
        expect(launch("-hosts", cluster.fold(4), *ports, *bench), err="")
        result = launch("-hosts", cluster.fold(4), *ports, "-v", *bench)
        expect(result, err_contains=["the parent does not accept direct links; the streams of the transport"])
        result = launch("-hosts", cluster.fold(4), *ports, "--links", "direct", "sleep", "5")
        expect(result, code=69, err_contains=[f"{cluster.hosts[1]}: open a direct link: the parent "])


@needs_cluster(HOSTS, tier="clock")
def strangers_at_a_relays_port_spoil_nothing(cluster):
    first = cluster.hosts[0]
    job = Job([LAUNCH, "-hosts", cluster.fold(6), "-k", "2", "--links", "direct", "--link-ports", "7731", "--stats", "json",
               helper("pmi_cards"), "--fences", "30", "--delay", "100"])
    eventually(lambda: "7731" in cluster.exec(first, "ss", "-Htln").text, what="the relay's port")
    expect(run(strangers_at(7731), host=first, timeout=60), out="done\n")
    result = job.wait(40)
    expect(result, out="cards of 6 ranks are right\n")
    node = [node for node in stats_of(result)["nodes"] if node["host"] == first][0]
    if node["resident_kib"] > most_resident_kib(RELAY_MIB) and not sanitized():  # which has memory of its own
        fail(f"more than {most_resident_kib(RELAY_MIB)} KiB: {node}")


@contextlib.contextmanager
def apart(cluster, one, other):
    """Two hosts that cannot reach each other, though each reaches all others."""
    ways = [(here, cluster.exec(there, "hostname", "-I").text.split()[0] + "/32") for here, there in ((one, other), (other, one))]
    for here, address in ways:
        cluster.exec(here, "ip", "route", "add", "blackhole", address)
    try:
        yield
    finally:
        for here, address in ways:
            cluster.exec(here, "ip", "route", "del", "blackhole", address)


@needs_cluster(HOSTS, timeout=120, tier="clock")
def who_comes_to_another_parent_is_not_lost_to_the_one_that_lives(cluster):
    """Only the two cannot reach each other: whoever is below goes to the next above, and nobody is lost."""
    program = [helper("pmi_cards"), "--fences", "60", "--delay", "200"]
    for options in ([], ["--on-host-loss", "continue"]):
        job = Job([LAUNCH, "-hosts", cluster.fold(4), "-k", "1", "--stats", "json", *options, *program])
        time.sleep(3)
        with apart(cluster, *cluster.hosts[1:3]):
            result = job.wait(60)
        expect(result, out="cards of 4 ranks are right\n")
        if sum(node["attached"] for node in stats_of(result)["nodes"]) != 1:
            fail(f"nobody came to another parent\n{result}")
        # The longer the two were apart, the less often TCP tries to tell the third host's sshd that its client has gone.
        eventually(lambda: not sshd_sessions(cluster, cluster.hosts[2]), 40, what="the end of the session that was cut")


@needs_cluster(HOSTS, timeout=60, tier="clock")
def who_has_come_twice_hides_no_loss(cluster):
    """The third host leaves the second for the first; then both come to the head, and each says that the third is below it."""
    first, second, third = cluster.hosts[:3]
    job = Job([LAUNCH, "-hosts", cluster.fold(3), "-k", "1", "sh", "-c", "echo up; exec sleep 100"])
    job.until(r"(up\s+){3}")
    with apart(cluster, second, third):
        time.sleep(7)
    kill_relay(cluster, first)
    expect(job.wait(15), code=69, err_contains=f"launch: {first}: run: ")


@needs_cluster(HOSTS, timeout=90, tier="clock")
def a_fence_waits_for_who_lost_one_below_it_and_then_another_to_the_node_above(cluster):
    """Of a chain of four the last is lost; the third leaves the second for the first. The second is still one of the fence."""
    second, third, last = cluster.hosts[1:4]
    job = Job([LAUNCH, "--on-host-loss", "continue", "-hosts", cluster.fold(4), "-k", "1", helper("pmi_cards"), "--fences", "100",
               "--delay", "130", "--read", "next", "--mourn", "1"])
    eventually(lambda: launch_pids(cluster, last), what="the last relay")
    time.sleep(1)
    kill_relay(cluster, last)
    job.until(re.escape(f"launch: {last}: run: "), stream="err")
    with apart(cluster, second, third):
        time.sleep(6)
    result = job.wait(40)
    expect(result, code=69, err_lines=1)
    if sorted(re.findall(r"(?m)^\d+: \S* died$", result.text)) != [f"{rank}: 3 died" for rank in (0, 1, 2)]:
        fail(str(result))


if __name__ == "__main__":
    main()
