#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that are fetched from every host when the ranks have ended: which, where to, and what happens where that cannot be."""
import contextlib
import os
import signal

from harness import *
from sessions import on, session

MAKE = """mkdir -p /tmp/out/in && hostname > /tmp/out/in/name && ln -sf in/name /tmp/out/link && printf tool > /tmp/out/tool &&
chmod 4750 /tmp/out/tool && chmod 500 /tmp/out/in"""


@contextlib.contextmanager
def made_there(cluster, count, path):
    """What a job leaves on hosts; gone at the end."""
    try:
        yield ["-hosts", cluster.fold(count)]
    finally:
        launch("-hosts", cluster.fold(count), "rm", "-rf", path)


def text_of(path):
    with open(path, encoding="ascii") as file:
        return file.read()


def names_in(path):
    return sorted(os.listdir(path)) if os.path.isdir(path) else []


def expect_tree(folder, hosts):
    if names_in(folder) != sorted(hosts):
        fail(f"{folder}: {names_in(folder)}")
    for host in hosts:
        out = os.path.join(folder, host, "out")
        if names_in(os.path.dirname(out)) != ["out"] or text_of(f"{out}/in/name") != f"{host}\n" or os.readlink(f"{out}/link") != "in/name":
            fail(f"{out}: {names_in(out)}")
        modes = [os.lstat(path).st_mode & 0o7777 for path in (f"{out}/tool", f"{out}/in")]
        if modes != [0o750, 0o500]:
            fail(f"{out}: {[oct(mode) for mode in modes]}")
        os.chmod(f"{out}/in", 0o700)


@needs_cluster(4)
def a_folder_of_each_host_comes_whole(cluster):
    with scratch() as folder, made_there(cluster, 4, "/tmp/out") as where:
        for options in (["-k", "1"], ["--transport", "openssh"]):
            here = os.path.join(folder, options[0])
            expect(launch(*options, *where, "--fetch", f"/tmp/out:{here}", "sh", "-c", MAKE), out="", err="")
            expect_tree(here, cluster.hosts[:4])
            again = launch(*options, *where, "--fetch", f"/tmp/out:{here}", "hostname")
            expect(again, code=2, out="", err_lines=1, err_contains=f"{here}/{cluster.hosts[0]}/out exists already")


@needs_cluster(4)
def a_session_fetches_too(cluster):
    with scratch() as folder, made_there(cluster, 4, "/tmp/out"), session(cluster.fold(4)) as name:
        for number in ("1", "2"):
            here = os.path.join(folder, number)
            expect(on(name, "--fetch", f"/tmp/out:{here}", "sh", "-c", MAKE), out="", err="")
            expect_tree(here, cluster.hosts[:4])


@needs_cluster(4)
def hosts_that_lack_it_are_told_and_the_others_come(cluster):
    with scratch() as folder, made_there(cluster, 3, "/tmp/one") as where:
        some = ["sh", "-c", "test $LAUNCH_RANK != 1 || hostname > /tmp/one"]
        prefix = cluster.hosts[0].rstrip("0123456789")
        lacking = f"{prefix}[{cluster.hosts[0][len(prefix):]},{cluster.hosts[2][len(prefix):]}]"
        expect(launch(*where, "--fetch", f"/tmp/one:{folder}/a", *some), code=73, out="",
               err=f"launch: {lacking}: fetch /tmp/one: /tmp/one: No such file or directory\n")
        if text_of(f"{folder}/a/{cluster.hosts[1]}/one") != f"{cluster.hosts[1]}\n":
            fail("not that of the host")
        result = launch(*where, "--fetch", f"/tmp/one:{folder}/b", "sh", "-c", "test $LAUNCH_RANK != 1 || exit 7")
        expect(result, code=7, err_contains=[f"{lacking}: fetch /tmp/one: ", f"rank 1 on {cluster.hosts[1]}: ended with exit code 7"])
        if names_in(f"{folder}/b/{cluster.hosts[1]}") != ["one"]:
            fail("nothing came of a job that failed")


@needs_cluster(4, tier="clock")
def a_host_that_is_lost_meanwhile_leaves_nothing_and_the_others_come(cluster):
    """Of the others all had come before; an endless file comes of the one that is lost."""
    make = "if [ $LAUNCH_RANK = 1 ]; then truncate -s 1T /tmp/big; else hostname > /tmp/big; fi"
    for options in (["--on-host-loss", "continue"], []):
        with scratch() as folder, made_there(cluster, 3, "/tmp/big") as where:
            job = Job([LAUNCH, *where, *options, "--fetch", f"/tmp/big:{folder}/got", "sh", "-c", make])
            first, lost, last = (f"{folder}/got/{host}" for host in cluster.hosts[:3])
            eventually(lambda: names_in(lost) and names_in(first) == names_in(last) == ["big"], 20, "the other hosts' files")
            cluster.kill(cluster.hosts[1])
            expect(job.wait(), code=69, err_contains=f"{cluster.hosts[1]}: run: the connection ended")
            if (names_in(first), names_in(lost), names_in(last)) != (["big"], [], ["big"]):
                fail(f"{names_in(first)} {names_in(lost)} {names_in(last)}")
            cluster.reset()


@test
def relative_names_are_below_the_folder_of_the_ranks():
    with scratch() as folder:
        os.mkdir(f"{folder}/work")
        job = ["sh", "-c", "echo $LAUNCH_RANK > 'a b:c'; mkfifo pipe; true"]
        expect(launch("-n", "1", "-wdir", f"{folder}/work", "--fetch", "a b:c:got", *job, cwd=folder), err="")
        if text_of(f"{folder}/got/localhost/a b:c") != "0\n":
            fail(str(names_in(f"{folder}/got")))
        expect(launch("-n", "1", "--fetch", "work:got", "true", cwd=folder),
               err="launch: note: localhost: fetch work: 1 special file left out (sockets, pipes, devices)\n")
        expect(launch("-n", "1", "--fetch", "work/pipe:other", "true", cwd=folder), code=73, err_contains="neither a file nor a folder")
        with open(f"{folder}/file", "w", encoding="ascii"):
            pass
        expect(launch("-n", "1", "--fetch", "work:file", "true", cwd=folder), code=2, err_lines=1, err_contains=f"{folder}/file is not a folder")
        expect(launch("-n", "1", "--fetch", "work:late", "touch", "late", cwd=folder), code=74, err_contains="Not a directory")


@test
def what_is_interrupted_leaves_nothing():
    with scratch() as folder:
        with open(f"{folder}/large", "wb") as file:
            file.truncate(1 << 40)
        job = Job([LAUNCH, "-n", "1", "--fetch", "large:got", "true"], cwd=folder)
        host = f"{folder}/got/localhost"
        eventually(lambda: names_in(host), 20, "the first byte")
        job.signal(signal.SIGINT)
        expect(job.wait(), code=130)
        if names_in(host):
            fail(str(names_in(host)))


if __name__ == "__main__":
    main()
