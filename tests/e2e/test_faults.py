#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The fault matrix: what breaks, where, when and over which links, and what becomes of the job. More of the same, at
random: tests/faults.py."""
import os
import re

from fault_case import Case, covering
from faults import run_cases, run_random
from harness import *


def all_is_well(cluster, cases):
    judged, wrong = run_cases(cluster, cases)
    if wrong:
        fail("\n\n".join(wrong))
    if judged != len(cases):
        fail(f"{judged} of {len(cases)} cases were judged")


def any_two_circumstances_meet(cluster, quarter):
    """In a quarter of the cases that this takes, so that several clusters share them: all four take minutes."""
    cases = covering()
    all_is_well(cluster, cases[quarter * len(cases) // 4:(quarter + 1) * len(cases) // 4])


@needs_cluster(24, timeout=240, grace=8)
def any_two_circumstances_meet_first_quarter(cluster):
    any_two_circumstances_meet(cluster, 0)


@needs_cluster(24, timeout=240, grace=8)
def any_two_circumstances_meet_second_quarter(cluster):
    any_two_circumstances_meet(cluster, 1)


@needs_cluster(24, timeout=240, grace=8)
def any_two_circumstances_meet_third_quarter(cluster):
    any_two_circumstances_meet(cluster, 2)


@needs_cluster(24, timeout=240, grace=8)
def any_two_circumstances_meet_last_quarter(cluster):
    any_two_circumstances_meet(cluster, 3)


@needs_cluster(24, timeout=60, grace=8, tier="gate")
def an_ssh_client_that_ends_tells_nothing_of_the_host(cluster):
    all_is_well(cluster, [Case("sshd", place, "idle", "auto", 2, policy=policy, transport="openssh")
                          for place in ("leaf", "inner") for policy in ("abort", "continue")])


@needs_cluster(24, timeout=240, grace=8)
def what_is_said_last_over_a_direct_link_is_heard(cluster):
    """While its parent still says something: where the socket was closed too soon that lost it now and then."""
    all_is_well(cluster, [Case("sshd", "leaf", "output", "auto", 3, routing="binomial", transport="openssh", seed=seed)
                          for seed in range(9)])


@needs_cluster(24, timeout=60, grace=8)
def who_is_started_anew_gets_its_files_beside_the_relay_before(cluster):
    """That one was cut off with all below it, and lives until it misses its parent."""
    all_is_well(cluster, [Case("long cut", "head's child", "staging", "ssh", 1, policy="continue", transport=transport, seed=663461709)
                          for transport in ("ssh", "openssh")])


@needs_cluster(24, timeout=240, grace=8)
def a_seeded_random_run_finds_nothing(cluster):
    judged, wrong = run_random(cluster, 1, 15)
    if wrong:
        fail("\n\n".join(wrong))
    if not judged:
        fail("no case was judged")


@needs_cluster(24, timeout=240, grace=8)
def what_the_deadline_cuts_off_is_not_counted(cluster):
    """tests/faults.py tells as many cases as it prints verdicts of."""
    # It makes a place of its own, and hosts from outside of that: not in ours, which ends with us.
    result = run([*place.outside, os.path.join(SOURCE_DIR, "tests/faults.py"), "--seed", "3", "--minutes", "0.05",
                  "--only", "of leaf, idle"], timeout=100, on_head=False)
    cluster.reset()  # what it did to hosts, it has mended; this one learns of it
    told = len(re.findall(r"(?m)^    (?:ok  |FAIL) ", result.text))
    expect(result, out_contains=f"\n{told} cases judged, 0 wrong\n")
    if not 0 < told < 12:
        fail(f"{told} of the 12 that are drawn at once: nothing was cut off\n{result}")


if __name__ == "__main__":
    main()
