#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts without launch: it is sent to them along the tree, runs as anywhere else, and is gone."""
import contextlib
import os
import re
import shutil
import signal

from harness import *

TRANSPORTS = ["ssh", "openssh"]
# Below the head's own home, so on no host.
OWN = "/root/launch"


@contextlib.contextmanager
def only_here(cluster):
    path = os.path.join(cluster.home, "launch")
    shutil.copy(LAUNCH, path)
    try:
        yield
    finally:
        os.unlink(path)


def own(*words, **options):
    return run([OWN, *words], **options)


def pushed(result):
    """{host: (hosts, bytes) that it has sent}."""
    return {node["host"]: (node["pushed"], node["pushed_bytes"]) for node in stats_of(result)["nodes"] if node["pushed"]}


@contextlib.contextmanager
def instead_of(cluster, host, program, does, before=""):
    """Another program under this name, first in PATH there; $REAL is the usual one."""
    folder = os.path.join(cluster.home_of(host), "fakes")
    os.makedirs(folder)
    with open(os.path.join(folder, program), "w") as file:
        file.write(f"#!/bin/sh\nREAL={shutil.which(program)}\n{does}\n")
    os.chmod(os.path.join(folder, program), 0o755)
    try:
        with login_shell(cluster, host, f"{before}PATH=/root/fakes:$PATH"):
            yield
    finally:
        shutil.rmtree(folder)


def copies(cluster, hosts):
    """Folders of launch there, of those that only the host sees."""
    found = []
    for host in hosts:
        for place in ("/tmp", "/dev/shm", "/root"):
            folder = f"/proc/{cluster.inits[host]}/root{place}"
            found += [f"{host}:{place}/{name}" for name in os.listdir(folder) if name.startswith("launch-push-")]
    return found


def folders_here():
    """In the one place that hosts share with this machine."""
    return [name for name in os.listdir("/var/tmp") if re.fullmatch(r"launch-push-\w{10}", name)]


def all_gone(cluster, hosts, seconds=5):
    nothing_left(cluster, hosts, seconds)
    eventually(lambda: not copies(cluster, hosts), seconds, f"{copies(cluster, hosts)} to go")


def until_it_is_sent(cluster, host):
    eventually(lambda: copies(cluster, [host]), 10, "the push")


def slowly(seconds):
    """What a head does to take so long for all pieces, of 512 KiB each."""
    result = launch("--transport", "local", "--push", "always", "-hosts", "n1", "--stats", "json", "true", on_head=False)
    pieces = -(-pushed(result)["head"][1] // (512 * 1024))
    return f'test "$3" = /dev/zero || sleep {seconds / pieces:.3f}; exec $REAL "$@"'


@needs_cluster(16, timeout=120, tier="gate")
def a_tree_of_hosts_gets_launch_from_its_parents(cluster):
    hosts = cluster.hosts[:16]
    with only_here(cluster):
        for transport in TRANSPORTS:
            result = own("--transport", transport, "-hosts", cluster.fold(16), "-k", "2", "--stats", "json", "hostname")
            expect(result, out_lines=hosts, err_lines=1)
            sent = pushed(result)
            if sum(count for count, _ in sent.values()) != 16 or max(count for count, _ in sent.values()) > 2 or len(sent) < 7:
                fail(f"{transport}: {sent}")
            sizes = {size / count for count, size in sent.values()}
            if len(sizes) != 1 or not 100_000 < sizes.pop() <= os.path.getsize(LAUNCH):
                fail(f"{transport}: {sent}")
    if copies(cluster, hosts):
        fail(str(copies(cluster, hosts)))


@needs_cluster(16)
def nothing_of_it_is_seen_while_the_job_runs(cluster):
    hosts = cluster.hosts[:3]
    with only_here(cluster):
        job = Job([OWN, "-hosts", cluster.fold(3), "-k", "1", "-v", "sh", "-c", "echo ready; exec sleep 60"])
        wait_ready(job, 3)
        if copies(cluster, hosts):
            fail(str(copies(cluster, hosts)))
        for host in hosts:
            for pid in launch_pids(cluster, host):
                if not re.fullmatch(r"/tmp/launch-push-\w+/launch \(deleted\)", os.readlink(f"/proc/{pid}/exe")):
                    fail(os.readlink(f"/proc/{pid}/exe"))
            others = [command for _, _, command in cluster.pids(host) if "7c1e0f4a9b" in command]
            if others:
                fail(str(others))
        job.signal(signal.SIGTERM)
        result = job.wait(15)
        expect(result, code=143)
        told = re.findall(r"launch: note: (\S+): launch was sent", result.err_text)
        if not 1 <= len(told) <= 2:  # two where they are far apart in time
            fail(str(result))


@needs_cluster(16, timeout=120)
def only_hosts_that_need_it_get_it(cluster):
    """It is there; in PATH; another build is there; something else is; it may not be executed; nothing is."""
    hosts = cluster.hosts[:6]
    homes = [cluster.home_of(host) for host in hosts]
    with only_here(cluster), contextlib.ExitStack() as stack:
        for home in homes:
            stack.callback(lambda path=os.path.join(home, "launch"): os.path.exists(path) and os.unlink(path))
        shutil.copy(LAUNCH, os.path.join(homes[0], "launch"))
        stack.enter_context(instead_of(cluster, hosts[1], "launch", f'exec "{LAUNCH}" "$@"'))
        write_other_build(os.path.join(homes[2], "launch"))
        with open(os.path.join(homes[3], "launch"), "w") as file:
            file.write("#!/bin/sh\necho something else\n")
        os.chmod(os.path.join(homes[3], "launch"), 0o755)
        shutil.copy(LAUNCH, os.path.join(homes[4], "launch"))
        os.chmod(os.path.join(homes[4], "launch"), 0o644)
        for transport in TRANSPORTS:
            words = ["--transport", transport, "-hosts", cluster.fold(6), "-k", "8", "--stats", "json", "hostname"]
            result = own(*words)
            expect(result, out_lines=hosts, err_lines=2,
                   err_contains=f"{hosts[2]}: another build of launch is there, ")
            if pushed(result)["head"][0] != 4:
                fail(str(pushed(result)))
            result = own("--push", "always", *words)
            expect(result, out_lines=hosts, err_lines=1)
            if pushed(result)["head"][0] != 6:
                fail(str(pushed(result)))
            expect(own("--push", "never", *words), code=69, err_contains=[
                f"launch: {hosts[2]}: start launch there: the host has another build", "something else", "no permission to execute",
                f"launch: {hosts[5]}: start launch there: launch is neither at {OWN} nor in PATH (", "leave out --push never)"])


@contextlib.contextmanager
def below_tmp(cluster, host, mode, owner):
    """/tmp/shared/launch here is this one. There it is another program, of somebody else or in a folder of such."""
    folder = "/tmp/shared"
    expect(cluster.exec(host, "sh", "-ec", f"""
        mkdir {folder}; printf '#!/bin/sh\necho $0 $* >> /root/ran\nexec {LAUNCH} "$@"\n' > {folder}/launch
        chmod 755 {folder}/launch; chown {owner} {folder}; chmod {mode} {folder}"""))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    shutil.copy(LAUNCH, os.path.join(folder, "launch"))
    ran = os.path.join(cluster.home_of(host), "ran")
    try:
        yield os.path.join(folder, "launch"), lambda: os.path.exists(ran)
    finally:
        shutil.rmtree(folder)
        cluster.exec(host, "sh", "-c", f"rm -rf {folder} /root/ran")


@needs_cluster(16, timeout=120, tier="gate")
def what_others_may_have_put_there_is_not_run(cluster):
    host = cluster.hosts[7]
    rows = [("755", "nobody", False), ("777", "root", False), ("1777", "root", True), ("755", "root", True), ("775", "root:users", False)]
    for mode, owner, runs in rows:
        with below_tmp(cluster, host, mode, owner) as (path, has_run):
            for transport in TRANSPORTS if owner == "nobody" else TRANSPORTS[:1]:
                print("   ", mode, owner, transport)
                expect(run([path, "--transport", transport, "-hosts", host, "hostname"]), out_lines=[host], err="")
                result = run([path, "--transport", transport, "--push", "never", "-hosts", host, "hostname"])
                if not runs:
                    expect(result, code=69, err_lines=1, err_contains=[f"launch: {host}: start launch there: {path}: ", "chmod go-w", "--push never"])
            if has_run() != runs:
                fail(f"{mode} {owner}: it has run: {has_run()}")


@needs_cluster(16)
def every_login_shell_knows_how_to_tell_what_others_may_write(cluster):
    host = cluster.hosts[7]
    for shell in ("bash", "zsh", "csh", "tcsh", "fish"):
        path = shutil.which(shell)
        if path is None:
            raise Skip(f"no {shell}")
        with shell_of_root(cluster, host, path):
            for mode, runs in (("777", False), ("755", True)):
                with below_tmp(cluster, host, mode, "root") as (program, has_run):
                    expect(run([program, "-hosts", host, "hostname"]), out_lines=[host], err="")
                    if has_run() != runs:
                        fail(f"{shell}, {mode}: it has run: {has_run()}")


@needs_cluster(16)
def what_login_shells_print_does_no_harm(cluster):
    host = cluster.hosts[6]
    with only_here(cluster), login_shell(cluster, host, "echo Welcome; echo -n launch-push-; echo problems >&2; set -v -x"):
        for transport in TRANSPORTS:
            expect(own("--transport", transport, "-hosts", host, "hostname"), out_lines=[host],
                   err_lines=1, err_contains=[f"launch: note: {host}: ", '"Welcome; launch-push-"'])


@needs_cluster(16)
def it_is_sent_also_where_it_has_no_name_any_more_here(cluster):
    with only_here(cluster):
        script = 'cp ~/launch ~/gone; exec 9< ~/gone; rm ~/gone; exec /proc/self/fd/9 "$@"'
        expect(run(["bash", "-c", script, "sh", "-hosts", cluster.fold(4), "-k", "1", "hostname"]),
               out_lines=cluster.hosts[:4], err="")


@test(tier="gate")
def hosts_that_are_played_here_get_it_too():
    expect(launch("--transport", "local", "--push", "always", "-hosts", "n[1-8]", "-k", "2", "-ppn", "1", "sh", "-c", "echo $LAUNCH_HOST"),
           out_lines=[f"n{i}" for i in range(1, 9)], err="")


@needs_cluster(16, timeout=120, tier="clock")
def relays_that_were_sent_do_what_others_do(cluster):
    with only_here(cluster):
        everything = ["--push", "always", "-k", "2", "--stage", "/etc/services", "--stage-program", "--links", "direct"]
        for more in ([], ["--routing", "binomial"], ["--spares", "2"]):
            expect(own("-hosts", cluster.fold(8), "-n", "6", *everything, *more, helper("pmi_cards")), err="")
        job = Job([OWN, "-hosts", cluster.fold(8), "-k", "2", "sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"])
        wait_ready(job, 8)
        os.kill(launch_pids(cluster, cluster.hosts[1])[0], signal.SIGKILL)
        expect(job.wait(15), code=69, err_contains=[f"launch: {cluster.hosts[1]}: run: "])
        all_gone(cluster, cluster.hosts[:8])


@contextlib.contextmanager
def mounted(cluster, host, *places):
    """Something else is at these places there: [(place, options of a tmpfs, or none: as it is, but noexec)]."""
    done = []
    try:
        for place, options in places:
            command = f"mount -t tmpfs -o {options} none {place}" if options else \
                f"mount --bind {place} {place} && mount -o remount,bind,noexec {place}"
            expect(cluster.exec(host, "sh", "-c", command))
            done.append(place)
        yield
    finally:
        for place in reversed(done):
            expect(cluster.exec(host, "umount", "-l", place))


@needs_cluster(16, timeout=120)
def it_goes_where_there_is_room_and_programs_may_run(cluster):
    host = cluster.hosts[2]
    small = "size=100k,mode=1777"
    shared = folders_here()
    with only_here(cluster):
        with mounted(cluster, host, ("/tmp", small), ("/var/tmp", None)):
            with instead_of(cluster, host, "mktemp", 'echo "$@" >> /root/asked; exec $REAL "$@"', "export XDG_RUNTIME_DIR=/root/none "):
                for transport in TRANSPORTS:
                    expect(own("--transport", transport, "-hosts", host, "hostname", cwd="/"), out_lines=[host], err="")
            with open(os.path.join(cluster.home_of(host), "asked")) as file:
                tried = file.read().split()[1::2]
            os.unlink(os.path.join(cluster.home_of(host), "asked"))
            if tried != [place + "/launch-push-XXXXXXXXXX" for place in ("/root/none", "/tmp", "/var/tmp", "/dev/shm")] * 2:
                fail(str(tried))
        with mounted(cluster, host, ("/tmp", small), ("/var/tmp", None), ("/dev/shm", "noexec"), ("/root", None)):
            for transport in TRANSPORTS:
                expect(own("--transport", transport, "-hosts", host, "hostname", cwd="/"), code=69, err_lines=1, err_contains=[
                    f"launch: {host}: push: ", "/tmp: No space left on device, /var/tmp: noexec, /dev/shm: noexec, /root: noexec (", "TMPDIR"])
        with login_shell(cluster, host, "mkdir -p /root/mine; export TMPDIR=/root/mine"):
            job = Job([OWN, "-hosts", host, "sh", "-c", "echo ready; exec sleep 60"])
            job.until("ready")
            if not all(os.readlink(f"/proc/{pid}/exe").startswith("/root/mine/launch-push-") for pid in launch_pids(cluster, host)):
                fail(str(cluster.pids(host)))
            job.signal(signal.SIGTERM)
            job.wait(10)
        os.rmdir(os.path.join(cluster.home_of(host), "mine"))
    if shared != folders_here():
        fail(f"{shared} before, {folders_here()} after")


@needs_cluster(16, timeout=120)
def what_goes_wrong_is_said_with_its_cause(cluster):
    host = cluster.hosts[3]
    full = 'test "$3" = /dev/zero && exec $REAL "$@"; $REAL -c 1000; echo "head: write error: No space left on device" >&2; exit 1'
    rows = [
        ("uname", "echo pdp11", f"the host is pdp11, this machine {os.uname().machine} ("),
        ("head", full, re.compile(r"1000 of \d+ bytes could be written there: head: write error: No space left on device \(is its disk full")),
        ("cksum", "echo 1 2", "differs from what was sent (does"),
        ("mktemp", "exit 1", re.compile(r"no folder there can store and run launch: /tmp: not writable, .*, /root: not writable \(")),
        ("chmod", "kill -9 $PPID", re.compile(r"the connection ended after 0 of \d+ bytes")),
    ]
    with only_here(cluster):
        for program, does, cause in rows:
            with instead_of(cluster, host, program, does):
                for transport in TRANSPORTS:
                    print("   ", program, transport)
                    result = own("--transport", transport, "-hosts", host, "hostname")
                    expect(result, code=69, err_lines=1, err_contains=[f"launch: {host}: push: ", cause])
            if program == "chmod":  # nobody is left who could
                for path in copies(cluster, [host]):
                    shutil.rmtree(f"/proc/{cluster.inits[host]}/root{path.partition(':')[2]}")
            all_gone(cluster, [host])


@needs_cluster(16, timeout=120)
def causes_of_many_hosts_are_folded(cluster):
    with only_here(cluster), contextlib.ExitStack() as stack:
        for host in cluster.hosts[:5]:
            stack.enter_context(instead_of(cluster, host, "cksum", "echo 1 2"))
        for degree in ("1", "2", "8"):
            expect(own("-hosts", cluster.fold(7), "-k", degree, "sleep", "60"), code=69, err_lines=1,
                   err_contains=[f"launch: {cluster.fold(5)}: push: the copy on the host"])


@needs_cluster(16, timeout=120, grace=10, tier="clock")
def a_slow_host_has_time_and_one_that_stands_still_has_not(cluster):
    host = cluster.hosts[4]
    with only_here(cluster):
        with instead_of(cluster, host, "head", slowly(5)):
            for transport in TRANSPORTS:
                result = own("--transport", transport, "--start-timeout", "2", "-hosts", host, "hostname", timeout=60)
                expect(result, out_lines=[host], err="")
                if result.wall < 4:
                    fail(f"{result.wall} s: nothing was tested")
        with instead_of(cluster, host, "head", 'test "$3" = /dev/zero && exec $REAL "$@"; exec sleep 100'):
            for transport in TRANSPORTS:
                result = own("--transport", transport, "--start-timeout", "2", "-hosts", host, "hostname", timeout=60)
                expect(result, code=69, err_lines=1, within=5, err_contains=[re.compile(
                    rf"launch: {host}: push: the host accepted 0 of \d+ bytes, then none for 2 s \(.*--start-timeout")])
                all_gone(cluster, [host], 8)


@needs_cluster(16, timeout=180, grace=10, tier="clock")
def what_is_cut_off_in_the_middle_leaves_nothing(cluster):
    """The head is killed, both ways; its parent is; ^C; the cable is cut."""
    parent, host = cluster.hosts[:2]
    with only_here(cluster), instead_of(cluster, host, "head", slowly(8)):
        for transport in TRANSPORTS:
            for what in ("head", "worker", "parent", "interrupt"):
                print("   ", transport, what)
                job = Job([OWN, "--transport", transport, "-hosts", f"{parent},{host}", "-k", "1", "hostname"])
                until_it_is_sent(cluster, host)
                if what == "parent":
                    # Not an ssh client, which has the same words.
                    os.kill([pid for pid in launch_pids(cluster, parent) if proc(pid, "comm") == "launch\n"][-1], signal.SIGKILL)
                elif what == "interrupt":
                    job.signal(signal.SIGINT)
                elif what == "worker":
                    with open(f"/proc/{job.pid}/task/{job.pid}/children") as children:
                        os.kill(int(children.read().split()[0]), signal.SIGKILL)
                else:
                    job.kill()
                result = job.wait(30)
                if what == "parent":
                    expect(result, code=69, err_contains=[f"launch: {parent}: "])
                all_gone(cluster, [parent, host])
        print("    cable")
        job = Job([OWN, "--start-timeout", "2", "-hosts", f"{parent},{host}", "-k", "1", "hostname"])
        until_it_is_sent(cluster, host)
        cluster.cut(host)
        try:
            expect(job.wait(15), code=69, err_contains=[re.compile(f"launch: {host}, from {parent}: push: .* bytes, then none for 2 s")])
            eventually(lambda: not copies(cluster, [host]), 10, "the host to give up by itself")
        finally:
            cluster.heal(host)


if __name__ == "__main__":
    main()
