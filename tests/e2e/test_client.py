#!/usr/bin/env python3
"""The client library for programs that are not MPI: under launch, under Hydra and alone, and every command of its README."""
import os
import re

from harness import *
from programs import need
from readme import Readme, in_folder, like_checkout

CHECK = helper("modex_check")
README = Readme("modex/client/README.md")


def ring(kind, folder):
    """Builds the example and runs it: each line of the README tells what comes of it."""
    like_checkout(folder)
    build, *starts = README.lines(f"examples: {kind}")
    expect(in_folder(build, folder), out="", err="")
    for line in starts:
        promised = re.search(r"# .*(ring of .*)$", line)
        if not promised:
            fail(f"what does {line!r} print?")
        expect(in_folder(line, folder), out=promised.group(1) + "\n", err="")


@test
def alone_it_is_rank_zero_of_one():
    expect(run([CHECK]), out="client library: 1 ranks are right\n", err="")


@test
def ranks_read_all_cards_of_all_ranks():
    for words in (["-n", "1"], ["-n", "5"], ["--transport", "local", "-hosts", "n[1-6]", "-k", "2", "-ppn", "2"]):
        count = 12 if "-ppn" in words else int(words[1])
        expect(launch(*words, CHECK), out=f"client library: {count} ranks are right\n", err="")


@test
def a_port_serves_instead_of_a_descriptor():
    by_port = ["--pmi", "pmi1-port", "-n", "4"]
    expect(launch(*by_port, CHECK), out="client library: 4 ranks are right\n", err="")
    expect(launch(*by_port, CHECK, "abort", "9"), code=9, err_contains=["rank 0", "the soup is cold"])
    # As behind sudo or Python's subprocess: nothing is inherited.
    closing = 'for fd in /proc/self/fd/*; do fd=${fd##*/}; test $fd -gt 2 && eval "exec $fd>&-"; done; exec "$0"'
    expect(launch(*by_port, "bash", "-c", closing, CHECK), out="client library: 4 ranks are right\n", err="")


@test
def under_hydra_it_works_as_well():
    hydra = need("mpiexec.hydra", "mpich")
    expect(run([hydra, "-n", "5", CHECK]), out="client library: 5 ranks are right\n", err="")
    expect(run([hydra, "-pmi-port", "-n", "5", CHECK]), out="client library: 5 ranks are right\n", err="")
    expect(run([hydra, "-n", "3", CHECK, "abort", "9"]), code=9)


@test
def abort_carries_code_and_message():
    expect(launch("-n", "4", CHECK, "abort", "9"), code=9, err_contains=["rank 0", "the soup is cold"])
    expect(run([CHECK, "abort", "9"]), code=9, err="the soup is cold\n")


@test
def the_readme_on_this_machine():
    with scratch() as folder:
        ring("run", folder)


@needs_cluster(16)
def the_readme_on_hosts(cluster):
    with scratch() as folder:
        with open(os.path.join(folder, "hosts"), "w") as hosts:
            hosts.write("\n".join(cluster.hosts[:16]) + "\n")
        ring("cluster", folder)


if __name__ == "__main__":
    main()
