#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The routing tree: jobs that run along another tree than the one that started them."""
import collections
import contextlib
import json
import math
import os
import re
import signal
import time

from harness import *
from harness.promises import HEAD_MIB, most_resident_kib
from programs import pmix

HOSTS = 12
ROUTINGS = ("binomial", "hypercube", "flat", "kary:2", "kary:5", "chain")


def plan_of(*words):
    return json.loads(launch("--dry-run", "--format", "json", *words, "true").text)


def most_links(words):
    """Of each host: one to the parent and one to each child in either tree; those in both are one link."""
    plan = plan_of(*words)
    links = {node: set() for node in range(len(plan["hosts"]) + 1)}
    for host in plan["hosts"]:
        for parent in (host["parent"], host["routing_parent"]):
            links[host["node"]].add(parent)
            links[parent].add(host["node"])
    return {node: len(to) for node, to in links.items()}


@needs_cluster(HOSTS, tier="gate")
def every_routing_runs_the_job_on_few_links(cluster):
    for routing in ROUTINGS:
        words = ["-hosts", cluster.fold(HOSTS), "-k", "3", "--routing", routing]
        result = launch(*words, "--stats", "json", helper("pmi_cards"), "--fences", "20")
        expect(result, out=f"cards of {HOSTS} ranks are right\n")
        stats, others = stats_of(result), said_beside_stats(result)
        if others:
            fail(f"{routing}: {others}")
        bound = most_links(words)
        for node in stats["nodes"]:
            if node["links"] > bound[node["node"]]:
                fail(f"{routing}: {node['host']} has {node['links']} links, not {bound[node['node']]} at most")
            if node["attached"]:
                fail(f"{routing}: {node['host']} was left by somebody")
        over = sum(node["direct_links"] for node in stats["nodes"])
        plan = plan_of(*words)
        needed = 2 * sum(host["parent"] != host["routing_parent"] for host in plan["hosts"])
        if over < needed:
            fail(f"{routing}: {over} ends of direct links, not {needed}: it did not go over")


@needs_cluster(HOSTS)
def links_are_bounded_by_both_degrees(cluster):
    """At most k + 1 of the start, and what the routing asks: log2 n + 1 in a binomial tree."""
    for k in (1, 2, 3, 8):
        result = launch("-hosts", cluster.fold(HOSTS), "-k", str(k), "--routing", "binomial", "--stats", "json", "true")
        expect(result)
        stats = stats_of(result)
        most = max(node["links"] for node in stats["nodes"])
        if most > k + 1 + math.ceil(math.log2(HOSTS + 1)) + 1:
            fail(f"-k {k}: a node has {most} links")


def frames_of(node, phase):
    counts = node["phases"][phase]
    return sum(kind["frames"] for way in ("sent", "received") for kind in counts[way].values())


@needs_cluster(HOSTS)
def who_does_not_ask_for_it_pays_nothing(cluster):
    """Contacts go a second way only where something needs them; phases add up to all there is."""
    for routing, pays in (("spawn", False), ("binomial", True)):
        result = launch("-hosts", cluster.fold(HOSTS), "-k", "3", "--routing", routing, "--stats", "json", "hostname")
        expect(result, out_lines=cluster.hosts[:HOSTS])
        for node in stats_of(result)["nodes"]:
            if (frames_of(node, "place") > 0) != pays:
                fail(f"{routing}: {node}")
            for way in ("sent", "received"):
                for kind, count in node[way].items():
                    if sum(phase[way][kind]["frames"] for phase in node["phases"].values()) != count["frames"]:
                        fail(f"{routing}: the phases of {node['host']} do not add up: {node}")


@needs_cluster(HOSTS, tier="gate")
def output_input_and_statuses_go_by_it(cluster):
    for routing in ROUTINGS:
        words = ["-hosts", cluster.fold(HOSTS), "-k", "2", "--routing", routing]
        expect(launch(*words, "hostname"), out_lines=cluster.hosts[:HOSTS], err="")
        text = "".join(f"line {i}\n" for i in range(20000))
        result = launch(*words, "--stdin", "all", "sh", "-c", "cksum", stdin=text.encode())
        sums = {line for line in result.lines}
        expect(result)
        if len(result.lines) != HOSTS or len(sums) != 1 or str(len(text)) not in sums.pop():
            fail(f"{routing}: not everybody read everything\n{result}")
        result = launch(*words, "--keep-going", "sh", "-c", "exit $((LAUNCH_RANK == 7 ? 5 : 0))")
        expect(result, code=5, err_contains=["rank 7", cluster.hosts[7], "exit code 5"])


@needs_cluster(HOSTS)
def much_input_for_all_goes_in_pieces(cluster):
    """Every host gets every byte, and none holds more than a few pieces of it."""
    data = os.urandom(1 << 16) * 480
    for words in (["-k", "2"], ["-k", "3", "--routing", "binomial"]):
        result = launch("-hosts", cluster.fold(HOSTS), *words, "--stdin", "all", "--stats", "json", "cksum", stdin=data)
        stats, others = stats_of(result), said_beside_stats(result)
        expect(result)
        if others or len(result.lines) != HOSTS or len(set(result.lines)) != 1 or not result.lines[0].endswith(f" {len(data)}"):
            fail(f"not everybody read everything\n{result}")
        most = max(node["resident_kib"] for node in stats["nodes"])
        if most > most_resident_kib(HEAD_MIB) and not sanitized():  # which has memory of its own
            fail(f"a node took {most} KiB, not {most_resident_kib(HEAD_MIB)}")


@needs_cluster(HOSTS, tier="gate")
def signals_go_by_it(cluster):
    job = Job([LAUNCH, "-hosts", cluster.fold(HOSTS), "-k", "3", "--routing", "binomial", "sh", "-c",
               "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.1; done"])
    job.until(r"(ready\s+){%d}" % HOSTS)
    job.signal(signal.SIGUSR1)
    result = job.wait(20)
    expect(result)
    if result.text.count("got it") != HOSTS:
        fail(f"not everybody got it\n{result}")


@needs_cluster(HOSTS)
def the_plan_shows_it(cluster):
    words = ["-hosts", cluster.fold(HOSTS), "-k", "3"]
    text = launch("--dry-run", *words, "--routing", "kary:2", "true").text
    if not re.search(r"^routing +kary:2: depth \d, largest degree 2$", text, re.M) or text.count("head (this machine)") != 2:
        fail(f"no routing tree is drawn\n{text}")
    for same in (["--routing", "kary:3"], ["--routing", "spawn"], []):
        if launch("--dry-run", *words, *same, "true").text != launch("--dry-run", *words, "true").text:
            fail(f"{same} is another tree than the one of the start")
    expect(launch(*words, "--routing", "star", "true"), code=2, err_contains=["--routing star: there is no topology 'star'"])
    expect(launch(*words, "--routing", "flat", "--links", "ssh", "true"), code=2, err_contains="needs direct links")


@needs_cluster(HOSTS)
def who_cannot_have_its_place_takes_the_next(cluster):
    """The port of a host that has children there is taken: they go to the one above it, and nobody else changes."""
    host = cluster.hosts[1]
    with port_taken(host, 7740):
        result = launch("-hosts", cluster.fold(HOSTS), "-k", "3", "--routing", "chain", "--link-ports", "7740", helper("pmi_cards"),
                        "--fences", "5")
        expect(result, out=f"cards of {HOSTS} ranks are right\n",
               err_contains=[f"--routing chain: no link from {cluster.hosts[2]} to {host} (the node accepts no direct links); "
                             f"the parent is still {cluster.hosts[0]}"])
        if result.err_text.count("--routing") != 1:
            fail(f"others are named, too\n{result}")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def who_can_reach_nobody_above_stays_below_whom_it_has(cluster):
    """The head's children of the routing tree that others have started cannot call it: they keep their parents, with all that
    comes to them; output, input, signals, cards and losses find their way."""
    with port_taken(None, 7740):
        words = ["-hosts", cluster.fold(HOSTS), "-k", "2", "--link-ports", "7740", "--routing", "flat"]
        result = launch(*words, helper("pmi_cards"), "--fences", "5", timeout=60)
        expect(result, out=f"cards of {HOSTS} ranks are right\n", err_contains=["--routing flat: no link from", "to the head", "the parent is still"])
        words[-1] = "binomial"
        result = launch(*words, "seq", "200000", timeout=60)
        expect(result, err_contains="--routing binomial: no link from")
        if collections.Counter(result.lines) != collections.Counter({str(i): HOSTS for i in range(1, 200001)}):
            fail(f"{len(result.lines)} lines, not {HOSTS} times 200000")
        job = Job([LAUNCH, *words, "--on-host-loss", "continue", "sh", "-c", "trap 'echo got it; exit 0' USR1; echo ready; while :; do sleep 0.1; done"])
        job.until(r"(ready\s+){%d}" % HOSTS)
        lost = cluster.hosts[HOSTS - 1]
        os.kill(launch_pids(cluster, lost)[0], signal.SIGKILL)
        job.until(f"{lost}: ", stream="err")
        job.signal(signal.SIGUSR1)
        result = job.wait(20)
        expect(result, code=69)
        if result.text.count("got it") != HOSTS - 1:
            fail(f"not everybody got it\n{result}")


@contextlib.contextmanager
def no_answer_from(cluster, host, address):
    """What the host sends there is lost on the way, as behind a firewall that drops it."""
    nobody = ".".join(address.split(".")[:3]) + ".250"
    routes = [["neigh", "{}", nobody, "lladdr", "02:4c:ff:00:00:01", "dev", "eth0", "nud", "permanent"],
              ["route", "{}", address + "/32", "via", nobody, "dev", "eth0", "onlink"]]
    for words in routes:
        cluster.exec(host, "ip", *[word.format("add") for word in words])
    try:
        yield
    finally:
        for words in reversed(routes):
            cluster.exec(host, "ip", *[word.format("del") for word in words])


@needs_cluster(HOSTS, timeout=60, tier="clock")
def who_calls_into_a_firewall_stays_below_whom_it_has(cluster):
    """Its calls are not refused, but never answered."""
    host = cluster.hosts[HOSTS - 1]
    address = ".".join(cluster.exec(host, "hostname", "-I").text.split(".")[:2]) + ".255.1"  # of this machine
    with no_answer_from(cluster, host, address):
        words = ["-hosts", cluster.fold(HOSTS), "-k", "2", "--routing", "flat", "--timeout", "30"]
        result = launch(*words, helper("pmi_cards"), "--fences", "5", timeout=40)
    expect(result, out=f"cards of {HOSTS} ranks are right\n", err_contains=[f"no link from {host} to the head", "the parent is still"])


@contextlib.contextmanager
def no_way_to(cluster, host, others):
    """Calls from the host to these fail at once."""
    addresses = [cluster.exec(other, "hostname", "-I").text.split()[0] for other in others]
    with contextlib.ExitStack() as mended:
        for address in addresses:
            cluster.exec(host, "ip", "route", "add", "unreachable", address + "/32")
            mended.callback(cluster.exec, host, "ip", "route", "del", "unreachable", address + "/32")
        yield


@needs_cluster(4, timeout=60, tier="clock")
def who_is_below_another_one_already_stays_there(cluster):
    """The third host reaches the head only, and late; the fourth has gone below the second by then, as it does not reach the
    third. Were it counted below the third, nobody would confirm its output, and it would wait for ever, or be given up."""
    hosts = cluster.hosts[:4]
    addresses = [cluster.exec(host, "hostname", "-I").text.split()[0] for host in hosts]
    with contextlib.ExitStack() as ways:
        for address in addresses[:2]:
            ways.enter_context(no_answer_from(cluster, hosts[2], address))
        ways.enter_context(no_way_to(cluster, hosts[3], [hosts[2]]))
        words = ["-hosts", cluster.fold(4), "-k", "4", "--routing", "chain", "--timeout", "50"]
        # For longer than a node waits for those that are to be below it.
        result = launch(*words, "sh", "-c", "sleep 8; yes $LAUNCH_HOST | head -n 400000", timeout=60)
    expect(result, err_lines=2, err_contains=[f"no link from {hosts[2]} to {hosts[1]}", f"no link from {hosts[3]} to {hosts[2]}"])
    counts = collections.Counter(result.lines)
    if counts != {host: 400_000 for host in hosts}:
        fail(f"lines of each host: {counts}")


@needs_cluster(HOSTS)
def files_come_first(cluster):
    with scratch() as folder:
        path = os.path.join(folder, "data")
        with open(path, "wb") as file:
            file.write(os.urandom(3_000_000))
        result = launch("-hosts", cluster.fold(HOSTS), "-k", "3", "--routing", "hypercube", "--stage", path, "sh", "-c", "wc -c < \"$LAUNCH_STAGE_DIR/data\"")
        expect(result, out_lines=["3000000"] * HOSTS, err="")


@needs_cluster(8, timeout=120, tier="clock")
def who_comes_to_the_head_a_second_time_begins_anew(cluster):
    """An orphan comes to the head before all hosts are up, is sent on by the routing tree to the parent that died, as that one
    is not given up yet, and comes again: the head knows nothing of what it said before."""
    first, last = cluster.hosts[0], cluster.hosts[7]
    held = allowed(6)  # s: the routing tree comes soon after that
    cluster.sshd(last, f'ForceCommand sleep {held}; eval "$SSH_ORIGINAL_COMMAND"')
    try:
        for process in (0, 1):  # its guard or its worker
            job = Job([LAUNCH, "--on-host-loss", "continue", "-hosts", cluster.fold(8), "-k", "2", "--routing", "chain",
                       helper("pmi_cards"), "--fences", "5", "--mourn", "1"])
            begin = time.monotonic()
            eventually(lambda: all(len(launch_pids(cluster, host)) == 2 for host in cluster.hosts[:7]), what="the relays")
            time.sleep(max(0.3, begin + held - 2 - time.monotonic()))  # it has told where it takes links
            with stopped(launch_pids(cluster, cluster.hosts[3])[1:]):  # nobody gives the dead one up before that one has come
                os.kill(launch_pids(cluster, first)[process], signal.SIGKILL)
                time.sleep(2.6)
            result = job.wait(20)
            expect(result, code=69, err_contains=f"launch: {first}: run: ")
            others = [host for host in cluster.hosts[1:8] if f"launch: {host}: " in result.err_text]
            if others:
                fail(f"names {others}, not {first} alone\n{result}")
    finally:
        cluster.reset()


def cards(*words, hosts, size="300"):
    """A fence in which every rank gets so much from each other, and how many links nodes have."""
    result = launch("-hosts", hosts, "--pmi", "pmix", "--stats", "json", *words, pmix("pmix_cards"), "collect", size, "1", timeout=50)
    stats, others = stats_of(result), said_beside_stats(result)
    if others:
        fail(f"{words}: {others}")
    nodes = len(stats["nodes"]) - 1
    expect(result, out=f"cards of {nodes} ranks are right\n")
    return stats["nodes"]


@needs_cluster(HOSTS, timeout=120)
def large_data_go_from_node_to_node(cluster):
    """By links to a few others each, made when the data are large or one asks for them; a tree node never sends k copies."""
    hosts = cluster.fold(HOSTS)
    log = math.ceil(math.log2(HOSTS + 1))
    # A ring's neighbours may be two links, one made from each side; so may those of the other two.
    for modex, peers in (("ring", 2), ("bruck", 2 * log), ("doubling", 2 * log + 2)):
        for routing in ("spawn", "kary:4"):
            nodes = cards("-k", "3", "--modex", modex, "--routing", routing, hosts=hosts)
            tree = 4 if routing == "spawn" else 9
            most = max(node["links"] for node in nodes)
            if not peers / 2 <= most <= tree + peers:
                fail(f"{modex}, {routing}: a node has {most} links")
    size = 500_000
    sent = {}
    for modex in ("gather", "auto"):
        nodes = cards("-k", "3", "--modex", modex, hosts=hosts, size=str(size))
        sent[modex] = max(node["sent"]["modex"]["bytes"] for node in nodes)
    if not sent["auto"] < 1.5 * HOSTS * size or not sent["gather"] > 2.5 * HOSTS * size:
        fail(f"one node sent as much: {sent}")
    # What is small takes the links that there are.
    if max(node["links"] for node in cards("-k", "3", hosts=hosts, size="2000")) > 4:
        fail("links were made for a few cards")


@needs_cluster(HOSTS, timeout=120, tier="clock")
def where_peers_cannot_be_reached_the_tree_carries_all(cluster):
    a, b = cluster.hosts[5:7]  # neighbours in a ring, not in a flat tree
    address = {host: cluster.exec(host, "hostname", "-I").text.split()[0] for host in (a, b)}
    cluster.exec(a, "ip", "route", "add", "blackhole", address[b] + "/32")
    cluster.exec(b, "ip", "route", "add", "blackhole", address[a] + "/32")
    try:
        for modex in ("ring", "bruck"):
            cards("-k", "32", "--connect-timeout", "3", "--modex", modex, hosts=cluster.fold(HOSTS))
    finally:
        cluster.exec(a, "ip", "route", "del", "blackhole", address[b] + "/32")
        cluster.exec(b, "ip", "route", "del", "blackhole", address[a] + "/32")
    expect(launch("-hosts", cluster.fold(HOSTS), "--links", "ssh", "--modex", "ring", pmix("pmix_cards"), "collect", "300", "1"),
           out=f"cards of {HOSTS} ranks are right\n", err_lines=1, err_contains="needs direct links")


if __name__ == "__main__":
    main()
