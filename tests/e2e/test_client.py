#!/usr/bin/env python3
"""The client library for programs that are not MPI: under launch, under Hydra and alone, and every command of its README."""
import os
import re
import shutil

from harness import *

CHECK = helper("modex_check")
HYDRA = shutil.which("mpiexec.hydra")
with open(os.path.join(SOURCE_DIR, "modex/client/README.md")) as file:
    README = file.read()


def block(kind):
    found = re.search(rf"<!-- {kind} -->\n```\w+\n(.*?)```", README, re.S)
    if not found:
        fail(f"no block {kind!r} in modex/client/README.md")
    return found.group(1)


def checkout(folder):
    """What the README's commands see: the checkout, with this build as the released one."""
    os.symlink(os.path.join(SOURCE_DIR, "modex"), os.path.join(folder, "modex"))
    os.mkdir(os.path.join(folder, "build"))
    os.symlink(os.path.dirname(HELPERS), os.path.join(folder, "build/release"))


def examples(kind, folder):
    for line in block(f"examples: {kind}").strip().splitlines():
        print("   ", line)
        yield expect(run(["bash", "-c", line.replace("./launch ", LAUNCH + " ")], cwd=folder), err="")


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
    if not HYDRA:
        raise Skip("mpiexec.hydra is missing (package mpich)")
    expect(run([HYDRA, "-n", "5", CHECK]), out="client library: 5 ranks are right\n", err="")
    expect(run([HYDRA, "-pmi-port", "-n", "5", CHECK]), out="client library: 5 ranks are right\n", err="")
    expect(run([HYDRA, "-n", "3", CHECK, "abort", "9"]), code=9)


@test
def abort_carries_code_and_message():
    expect(launch("-n", "4", CHECK, "abort", "9"), code=9, err_contains=["rank 0", "the soup is cold"])
    expect(run([CHECK, "abort", "9"]), code=9, err="the soup is cold\n")


@test
def the_readme_on_this_machine():
    with scratch() as folder:
        checkout(folder)
        _, launched, alone = examples("run", folder)
        expect(launched, out="ring of 4 ranks closed, token 4\n")
        expect(alone, out="ring of 1 ranks closed, token 1\n")


@test
def the_readme_in_python():
    with scratch() as folder:
        checkout(folder)
        with open(os.path.join(folder, "hello.py"), "w") as script:
            script.write(block("file: hello.py"))
        result, = examples("python", folder)
        ranks = sorted(re.findall(r"^rank (\d) of 4, next is process \d+$", result.text, re.M))
        if ranks != ["0", "1", "2", "3"]:
            fail(str(result))


@needs_cluster(16)
def the_readme_on_hosts(cluster):
    with scratch() as folder:
        checkout(folder)
        with open(os.path.join(folder, "hosts"), "w") as hosts:
            hosts.write("\n".join(cluster.hosts[:16]) + "\n")
        _, launched = examples("cluster", folder)
        expect(launched, out="ring of 16 ranks closed, token 16\n")


if __name__ == "__main__":
    main()
