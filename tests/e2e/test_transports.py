#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts that are reached by other programs than ssh: docker exec and its kin, rsh, and whatever a command line says."""
import contextlib
import os
import shutil
import signal

from harness import *
from harness.basics import CLUSTER
from services import path_with, program
from strangers import strangers_at

# As docker, podman and kubectl exec: it runs words, as a user if one is named, in a place that has a name here.
DOCKER = """#!/bin/sh
test "$1 $2" = "exec -i" || {{ echo "{name}: unknown words $*" >&2; exit 125; }}
shift 2
if test "$1" = -u; then echo "as $2" >> {log}; shift 2; fi
host=$1; shift
if test {name} = kubectl; then test "$1" = -- || {{ echo "kubectl: no -- before $*" >&2; exit 1; }}; shift; fi
case " {hosts} " in *" $host "*) ;; *) echo "Error response from daemon: No such container: $host" >&2; exit 1;; esac
exec {cluster} exec "$host" "$@"
"""
# As rsh: all words after the host are a line for the login shell there.
RSH = """#!/bin/sh
user=root
if test "$1" = -l; then user=$2; shift 2; fi
host=$1; shift
exec ssh -o BatchMode=yes -o LogLevel=ERROR -l "$user" "$host" "$*"
"""
# As that, in PATH here and on each host. All users there are root.
RSH_IN_PATH = """#!/bin/sh
as=
if test "$1" = -l; then as=" as $2"; shift 2; fi
host=$1; shift
echo "$(hostname) to $host$as" >> {log}
exec ssh -o BatchMode=yes -o LogLevel=ERROR -l root "$host" "PATH='$(dirname "$0")':\\$PATH; export PATH; $*"
"""
# As srun, flux exec or clush: all hosts at once, each of which gets the same on standard input, and whose output is one.
ALL = """#!/bin/sh
hosts=$(echo "$1" | tr , ' '); shift
read -r line
{first}
for host in $hosts; do
    test "$host" = {quiet} || echo "$line" | {cluster} exec "$host" "$@" &
done
wait
echo the words of the service >&2
exit {code}
"""


# As flux: brokers have numbers, and overlay lookup tells those of hosts. Its own folder here may not be there.
FLUX = """#!/bin/sh
all="{hosts}"
number_of() {{ n=0; for each in $all; do test "$each" = "$1" && echo $n; n=$((n + 1)); done; }}
host_of() {{ set -- "$1" $all; shift $(($1 + 1)); echo "$1"; }}
if test "$1 $2" = "overlay lookup"; then
    found=; for host in $(echo "$3" | tr , ' '); do
        number=$(number_of "$host"); test -n "$number" || {{ echo "flux-overlay: $host not found" >&2; exit 1; }}
        found=$found${{found:+,}}$number
    done
    echo "$found"; exit
fi
test "$1 $2" = "exec --dir=/" || {{ echo "flux: unknown words $*" >&2; exit 1; }}
ranks=$(echo "${{3#--rank=}}" | tr , ' '); shift 3
read -r line
for rank in $ranks; do
    echo "$line" | {cluster} exec "$(host_of "$rank")" "$@" &
done
wait
"""


def with_docker(cluster, log="/dev/null", name="docker"):
    return program(name, DOCKER.format(name=name, cluster=CLUSTER, hosts=" ".join(cluster.hosts[:3]), log=log))


@needs_cluster(4)
def containers_are_hosts(cluster):
    """They are started by the head, whatever the tree would be, with and without launch there, and told by name."""
    with scratch() as folder:
        log = os.path.join(folder, "users")
        with with_docker(cluster, log) as docker:
            env = path_with(docker)
            for push in ("auto", "never", "always"):
                expect(launch("--transport", "docker", "--push", push, "-hosts", cluster.fold(3), "hostname", env=env),
                       out_lines=cluster.hosts[:3], err="")
            expect(launch("--transport", "docker", "-hosts", f"ann@{cluster.hosts[0]}", "-n", "1", "cat", env=env, stdin=b"said\n"),
                   out="said\n", err="")
            with open(log) as file:
                if file.read() != "as ann\n":
                    fail("the user is not handed on")
            expect(launch("--transport", "docker", "-hosts", cluster.fold(3), "sh", "-c", "exit $((LAUNCH_RANK % 2))", env=env),
                   code=1, err_contains=["exit code 1"])
            expect(launch("--transport", f"command:'{docker}' exec -i {{host}}", "-hosts", cluster.fold(3), "hostname"),
                   out_lines=cluster.hosts[:3], err="")


@needs_cluster(4)
def its_kin_are_known_by_their_names(cluster):
    for name in ("podman", "kubectl"):
        with with_docker(cluster, name=name) as docker:
            for push in ("auto", "never", "always"):
                print("   ", name, push)
                expect(launch("--transport", name, "--push", push, "-hosts", cluster.fold(3), "hostname", env=path_with(docker)),
                       out_lines=cluster.hosts[:3], err="")
            result = launch("--transport", name, "-hosts", "elsewhere", "hostname", env=path_with(docker))
            expect(result, code=69, out="", err_contains=[f"launch: elsewhere: start: {name} ended with exit code 1: Error response from daemon"])


@needs_cluster(4, tier="gate")
def rsh_reaches_hosts_along_the_tree(cluster):
    """Each node runs it for the next one, as it is in PATH there, too."""
    with scratch() as folder:
        log = os.path.join(folder, "log")
        with program("rsh", RSH_IN_PATH.format(log=log)) as rsh:
            expect(launch("--transport", "rsh", "-k", "1", "-hosts", cluster.fold(3), "hostname", env=path_with(rsh)), out_lines=cluster.hosts[:3], err="")
            expect(launch("--transport", "rsh", "-hosts", f"ann@{cluster.hosts[0]}", "hostname", env=path_with(rsh)), out_lines=[cluster.hosts[0]], err="")
        with open(log) as file:
            calls = file.read().splitlines()
        a, b, c = cluster.hosts[:3]
        expected = [f"{os.uname().nodename} to {a}", f"{a} to {b}", f"{b} to {c}", f"{os.uname().nodename} to {a} as ann"]
        if calls != expected:
            fail(f"{calls}, not {expected}")


@needs_cluster(4)
def hosts_that_cannot_be_reached_are_told_at_once(cluster):
    with with_docker(cluster) as docker:
        env = path_with(docker)
        missing = ["elsewhere1", "elsewhere2"]
        expect(launch("--transport", "docker", "-hosts", f"{cluster.hosts[0]},{','.join(missing)}", "hostname", env=env), code=69, out="",
               err_lines=1, err_contains=["launch: elsewhere[1-2]: start: docker ", "exit code 1", "No such container: HOST", "docker exec -i HOST true"])
    expect(launch("--transport", "command:no-such-program {host}", "-hosts", cluster.fold(3), "hostname"), code=69, out="",
           err_lines=1, err_contains=f"launch: {cluster.fold(3)}: execute no-such-program: No such file or directory")


@needs_cluster(4, tier="clock")
def a_command_line_reaches_hosts_along_the_tree(cluster):
    """Each node runs it for those below it, whatever login shell reads it there."""
    with program("my-rsh", RSH) as rsh:
        line = "command:\"" + rsh + "\" [ -l {user} ] {host}"
        for shell in ("bash", "bsd-csh", "fish"):
            with contextlib.ExitStack() as shells:
                for host in cluster.hosts[:3]:
                    shells.enter_context(shell_of_root(cluster, host, shutil.which(shell)))
                for push in ("auto", "always"):
                    print("   ", shell, push)
                    expect(launch("--transport", line, "-k", "1", "--push", push, "-hosts", cluster.fold(3), "hostname"),
                           out_lines=cluster.hosts[:3], err="")
        a, b = cluster.hosts[:2]
        expect(launch("--transport", line, "-hosts", f"root@{a},{b}", "hostname"), out_lines=[a, b], err="")
        cluster.kill(b, unplug=True)
        try:
            result = launch("--transport", line, "-k", "1", "--connect-timeout", "2", "--start-timeout", "3", "-hosts", cluster.fold(3), "hostname")
            expect(result, code=69, out="", err_contains=[f"launch: {b}, from {a}: execute: no answer within 3 s"])
        finally:
            cluster.reset()


@needs_cluster(4, tier="clock")
def one_command_starts_all_hosts(cluster):
    """Which call back, as what it carries is everybody's."""
    hosts = cluster.hosts[:3]
    with program("all", ALL.format(cluster=CLUSTER, first="", quiet="none", code=0)) as every:
        line = f"command:'{every}' {{hosts}} {{argv}}"
        expect(launch("--transport", line, "-hosts", cluster.fold(3), "hostname"), out_lines=hosts, err="")
        expect(launch("--transport", line, "-hosts", cluster.fold(3), "-n", "1", "cat", stdin=b"some\n" * 10000), out="some\n" * 10000, err="")
        expect(launch("--transport", line, "-hosts", cluster.fold(3), "sh", "-c", "test $LAUNCH_RANK = 1 && kill -9 $$; sleep 60"), code=137,
               err_contains=["signal 9"])
        for of_head in (True, False):
            job = running_job(cluster, cluster.fold(3), 3, line)
            wait_ready(job, 3)
            os.kill(job.pid if of_head else launch_pids(cluster, hosts[1])[0], signal.SIGKILL)
            nothing_left(cluster, hosts)
            result = job.wait(15)
            if not of_head:
                expect(result, code=69, err_contains=[f"launch: {hosts[1]}: run: the connection ended"])
    with program("all", ALL.format(cluster=CLUSTER, first="", quiet=hosts[1], code=3)) as every:
        line = f"command:'{every}' {{hosts}} {{argv}}"
        expect(launch("--transport", line, "--connect-timeout", "1", "--start-timeout", "2", "-hosts", cluster.fold(3), "hostname"), code=69, out="",
               err_lines=1, err_contains=f"launch: {hosts[1]}: call back: no answer within 3 s")
        expect(launch("--transport", line, "-hosts", hosts[1], "hostname"), code=69, out="", err_contains=[
            f"launch: {hosts[1]}: start: all ended with exit code 3: the words of the service (try: "])
    expect(launch("--transport", "command:no-such-program {hosts}", "-hosts", cluster.fold(3), "hostname"), code=69, out="",
           err_lines=1, err_contains=f"launch: {cluster.fold(3)}: execute no-such-program: No such file or directory")


@needs_cluster(4)
def strangers_who_call_back_spoil_nothing(cluster):
    """At the head's port, while its hosts are awaited. What lets hosts in is on the service's standard input, and in no command line."""
    hosts = cluster.hosts[:3]
    with scratch() as folder:
        told, go = os.path.join(folder, "told"), os.path.join(folder, "go")
        waits = f'echo "$line" > {told}.line; echo "$*" > {told}; while ! test -e {go}; do sleep 0.1; done'
        with program("all", ALL.format(cluster=CLUSTER, first=waits, quiet="none", code=0)) as every:
            job = Job([LAUNCH, "--transport", f"command:'{every}' {{hosts}} {{argv}}", "--link-ports", "7732", "-hosts", cluster.fold(3), "hostname"])
            eventually(lambda: os.path.exists(told), 10, "the service to be asked")
            expect(run(strangers_at(7732), timeout=60), out="done\n")
            with open(told) as words, open(told + ".line") as line:
                secrets, asked = [word for word in line.read().split() if len(word) >= 16], words.read()
            if not secrets or any(secret in asked for secret in secrets):
                fail(f"{secrets} in {asked}")
            open(go, "w").close()
            expect(job.wait(20), out_lines=hosts, err="")
            nothing_left(cluster, hosts)


@needs_cluster(4)
def what_others_may_have_put_there_is_not_run(cluster):
    """Nor by programs that run words as they are, without a login shell that could look first."""
    hosts = cluster.hosts[:2]
    why = "others may write to it, or to a folder above it"
    with scratch() as folder, with_docker(cluster) as docker, program("all", ALL.format(cluster=CLUSTER, first="", quiet="none", code=0)) as every:
        own = os.path.join(folder, "launch")
        shutil.copy(LAUNCH, own)
        rows = ((["docker", "--push", "never"], "chmod go-w there, or leave out --push never"),
                ([f"command:'{every}' {{hosts}} {{argv}}"], "chmod go-w there, or copy this executable to a folder that only you may write to"))
        for words, hint in rows:
            words = [own, "--transport", *words, "-hosts", cluster.fold(2), "hostname"]
            os.chmod(folder, 0o777)
            expect(run(words, env=path_with(docker)), code=69, out="",
                   err_contains=[f"launch: {cluster.fold(2)}: start launch there: {own}: {why} ({hint}); no rank was started"])
            os.chmod(folder, 0o755)
            expect(run(words, env=path_with(docker)), out_lines=hosts, err="")


@needs_cluster(4)
def flux_knows_hosts_by_the_numbers_of_their_brokers(cluster):
    order = cluster.hosts[2::-1]
    with program("flux", FLUX.format(cluster=CLUSTER, hosts=" ".join(order))) as flux:
        env = path_with(flux)
        hosts = cluster.hosts[:2]
        expect(launch("--transport", "flux", "-hosts", ",".join(hosts), "hostname", env=env), out_lines=hosts, err="")
        expect(launch("--transport", "flux", "-hosts", cluster.hosts[1], "cat", env=env, stdin=b"said\n"), out="said\n", err="")
        result = launch("--transport", "flux", "-hosts", f"{hosts[0]},elsewhere", "hostname", env=env)
        expect(result, code=69, out="", err_contains=["flux-overlay: elsewhere not found"])


@needs_cluster(4)
def what_a_command_has_no_place_for_is_refused(cluster):
    for words, said in (
            (["rsh", "-hosts", "a:22:1"], "the command has no {port}"),
            (["command:x {host}", "-hosts", "ann@a"], "the command has no {user}"),
            (["command:x {host} {port}", "-hosts", "a"], "the command has {port}, but the host has no port"),
            (["command:x {hots}", "-hosts", "a"], "unknown {hots} (known: {host}, {port}, {user}, {hosts}, {count}, {command} and {argv})"),
            (["dokcer", "-hosts", "a"], "did you mean docker?")):
        result = launch("--transport", *words, "true")
        expect(result, code=2, out="", err_contains=[said])
        if len(result.err_lines) != 1:
            fail(str(result))


if __name__ == "__main__":
    main()
