#!/usr/bin/env python3
"""The fault matrix: what breaks, where, when and over which links, and what becomes of the job. More of the same, at
random: tests/faults.py."""
from fault_case import Case, covering
from faults import run_cases, run_random
from harness import *


@needs_cluster(24, timeout=480, grace=8)
def any_two_circumstances_meet(cluster):
    wrong = run_cases(cluster, covering())
    if wrong:
        fail("\n\n".join(wrong))


@needs_cluster(24, timeout=60, grace=8)
def an_ssh_client_that_ends_tells_nothing_of_the_host(cluster):
    wrong = run_cases(cluster, [Case("sshd", place, "idle", "auto", 2, policy=policy, transport="openssh")
                                for place in ("leaf", "inner") for policy in ("abort", "continue")])
    if wrong:
        fail("\n\n".join(wrong))


@needs_cluster(24, timeout=120, grace=8)
def what_is_said_last_over_a_direct_link_is_heard(cluster):
    """While its parent still says something: where the socket was closed too soon that lost it now and then."""
    wrong = run_cases(cluster, [Case("sshd", "leaf", "output", "auto", 3, routing="binomial", transport="openssh", seed=seed)
                                for seed in range(9)])
    if wrong:
        fail("\n\n".join(wrong))


@needs_cluster(24, timeout=120, grace=8)
def a_seeded_random_run_finds_nothing(cluster):
    _, wrong = run_random(cluster, 1, 15)
    if wrong:
        fail("\n\n".join(wrong))


if __name__ == "__main__":
    main()
