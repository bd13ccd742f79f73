#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Direct links between relays: when they come up, what happens where they don't, what strangers can do; --stats."""
import re

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


if __name__ == "__main__":
    main()
