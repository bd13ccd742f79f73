#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Everything that may be wrong with a host: one line each, with stage, cause and hint, all hosts at once."""
import contextlib
import os
import re
import shutil
import signal
import socket
import time

from harness import *
from starts import failed

TRANSPORTS = ["ssh", "openssh"]


def one_line(cluster, host, wanted, *options, code=69, within=None, transports=TRANSPORTS):
    for transport in transports:
        result = launch("--transport", transport, *options, "-hosts", f"{cluster.hosts[0]},{host}", "true")
        expect(result, code=code, err_lines=1, err_contains=[f"launch: {host.split(':')[0]}", *wanted], within=within)
        print("   ", transport, result.err_text.strip())


@needs_cluster(16, tier="gate")
def a_name_that_does_not_exist(cluster):
    one_line(cluster, "no-such-host.invalid", ["resolve"])


@needs_cluster(16, tier="gate")
def a_refused_port(cluster):
    one_line(cluster, f"{cluster.hosts[1]}:1:1", ["connect", "refused", "("])


@needs_cluster(16, timeout=90, tier="clock")
def a_host_that_does_not_answer(cluster):
    cluster.cut(cluster.hosts[2])
    try:
        one_line(cluster, cluster.hosts[2], ["connect", "no answer within 2 s", "("], "--connect-timeout", "2", within=8)
    finally:
        cluster.heal(cluster.hosts[2])


# Preloaded: look-ups of hang01 and the like never come back.
HANGING = {"LD_PRELOAD": helper("hang_look_ups.so")}


@needs_cluster(16, tier="clock")
def a_look_up_that_hangs_holds_no_other_host_up(cluster):
    """More of them than any pool has threads at first; each costs its host one deadline, all at once."""
    first, last = cluster.hosts[0], cluster.hosts[1]
    names = f"{first},hang[01-40],{last}"
    job = Job([LAUNCH, "--start-early", "--connect-timeout", "4", "-k", "64", "-hosts", names, "sh", "-c", "hostname; sleep 60"], env=HANGING)
    job.until(f"(?s)({first}.*{last}|{last}.*{first})", timeout=3.5)
    expect(job.wait(15), code=69, err_lines=1, within=9,
           err_contains=["launch: hang[01-40]: resolve: no answer within 4 s"])


@needs_cluster(16, tier="clock")
def a_look_up_that_hangs_does_not_outlive_an_interrupt(cluster):
    job = Job([LAUNCH, "--start-early", "-k", "64", "-hosts", f"{cluster.hosts[0]},hang[01-40]", "sh", "-c", "echo up; exec sleep 60"], env=HANGING)
    job.until("up")
    job.signal(signal.SIGINT)
    begin = time.monotonic()
    expect(job.wait(15), code=130)
    if time.monotonic() - begin > allowed(2):
        fail(f"ended {time.monotonic() - begin:.1f} s after ^C")


@test(tier="clock")
def a_thread_that_hangs_in_a_library_is_left_there_at_the_end():
    """Libraries are not torn down around it, which would crash it, and nobody waits for it: at the head and in relays."""
    with scratch() as folder:
        torn_down = os.path.join(folder, "torn-down")
        look_up = {**HANGING, "TORN_DOWN": torn_down}
        expect(launch("--connect-timeout", "1", "-hosts", "hang01", "true", env=look_up), code=69, within=5, err_lines=1,
               err_contains=["hang01: resolve: no answer within 1 s"])
        end_of_libpmix = {"LD_PRELOAD": helper("hang_libpmix.so"), "TORN_DOWN": torn_down}
        for where in ([], ["--transport", "local", "-hosts", "n[1-3]", "-k", "1"]):
            expect(launch(*where, "-n", "3", "--pmi", "pmix", "echo", "done", env=end_of_libpmix), out="done\n" * 3, err="", within=15)
        if os.path.exists(torn_down):
            with open(torn_down) as file:
                fail(file.read())


@needs_cluster(16, timeout=90, tier="clock")
def dead_hosts_in_a_row_cost_little_more_than_one(cluster):
    dead = cluster.hosts[3:8]
    for host in dead:
        cluster.cut(host)
    try:
        prefix = dead[0].rstrip("0123456789")
        for degree in ("4", "1"):
            result = launch("--connect-timeout", "2", "-hosts", cluster.fold(12), "-k", degree, "true")
            expect(result, code=69, err_lines=1, err_contains=[failed(f"{prefix}[004-008]", "connect: no answer within 2 s")], within=7.5)
    finally:
        for host in dead:
            cluster.heal(host)


@needs_cluster(16, timeout=90, tier="clock")
def at_a_terminal_the_user_sees_what_is_waited_for(cluster):
    host = cluster.hosts[2]
    cluster.cut(host)
    try:
        job = Job([LAUNCH, "--connect-timeout", "3", "-hosts", f"{cluster.hosts[0]},{host}", "true"], pty=True)
        job.until(f"launch: starting: 1 of 2 hosts up, waiting for {host}", timeout=6)
        expect(job.wait(15), code=69, out_contains=[f"launch: {host}: connect: no answer within 3 s"])
    finally:
        cluster.heal(host)


@needs_cluster(16, timeout=90, tier="clock")
def a_host_without_a_route(cluster):
    cluster.cut(cluster.hosts[2], unreachable=True)
    try:
        one_line(cluster, cluster.hosts[2], ["connect", re.compile("(?i)no route to host")], within=15)
    finally:
        cluster.heal(cluster.hosts[2])


@needs_cluster(16, tier="gate")
def an_unknown_key(cluster):
    host = cluster.hosts[3]
    path = os.path.join(cluster.home, ".ssh/known_hosts")
    shutil.copy(path, path + ".saved")
    try:
        with open(path + ".saved") as saved, open(path, "w") as file:
            file.writelines(line for line in saved if not re.match(rf"{host}[, ]", line))
        one_line(cluster, host, ["verify the host key", "not known", "ssh-keyscan"], "-k", "8")
    finally:
        os.replace(path + ".saved", path)


@needs_cluster(16, tier="clock")
def a_changed_key(cluster):
    host = cluster.hosts[4]
    cluster.rekey(host)
    try:
        one_line(cluster, host, ["verify the host key", "CHANGED", "ssh-keygen -R"], "-k", "8")
        one_line(cluster, host, ["verify the host key", "CHANGED"], "-k", "8", "--accept-new-host-keys")
    finally:
        cluster.reset()


@needs_cluster(16, tier="gate")
def a_refused_key(cluster):
    host = cluster.hosts[5]
    keys = os.path.join(cluster.home_of(host), ".ssh/authorized_keys")
    os.rename(keys, keys + ".away")
    try:
        one_line(cluster, host, ["authenticate", "ermission denied", "ssh-copy-id"])
    finally:
        os.rename(keys + ".away", keys)


@needs_cluster(16, tier="gate")
def a_shell_that_prints_before_we_do(cluster):
    """Noise is not fatal: the job runs, and the user is told once."""
    host = cluster.hosts[6]
    with login_shell(cluster, host, "echo Welcome to this host; cat /etc/debian_version >&2"):
        for transport in TRANSPORTS:
            expect(launch("--transport", transport, "-hosts", host, "hostname"), out_lines=[host], err_lines=1,
                   err_contains=[f"launch: note: {host}: the login shell printed \"Welcome to this host\""])
    with login_shell(cluster, host, "while :; do echo noise without end; done"):
        one_line(cluster, host, ["start launch there", "other output", "noise without end"])


@needs_cluster(16, grace=15, tier="clock")
def a_shell_that_hangs(cluster):
    host = cluster.hosts[6]
    with login_shell(cluster, host, "sleep 8"):
        one_line(cluster, host, ["within 3 s"], "--start-timeout", "3", within=12)


@needs_cluster(16, tier="clock")
def a_shell_that_hangs_is_ended(cluster):
    """Of a user other than root: sshd passes no signals on for root."""
    host = cluster.hosts[6]
    cluster.exec(host, "sh", "-ec", """
        mkdir /tmp/walker && echo 'sleep 300' > /tmp/walker/.bashrc
        cp /root/.ssh/authorized_keys /tmp/keys && chmod 644 /tmp/keys
        cp /etc/passwd /tmp/passwd && echo walker:x:4321:4321::/tmp/walker:/bin/bash >> /tmp/passwd
        mount --bind /tmp/passwd /etc/passwd""")
    cluster.sshd(host, "AuthorizedKeysFile /tmp/keys")
    try:
        result = launch("--start-timeout", "3", "-hosts", f"walker@{host}", "true")
        expect(result, code=69, err_lines=1, err_contains=[f"launch: {host}: start launch there: launch did not answer within 3 s"])
        eventually(lambda: not [1 for _, _, command in cluster.pids(host) if "sleep" in command], 3, "the shell's end")
    finally:
        cluster.exec(host, "sh", "-c", "umount /etc/passwd; rm -rf /tmp/passwd /tmp/keys /tmp/walker")
        cluster.sshd(host)


@needs_cluster(16)
def a_missing_folder_is_noticed_or_refused(cluster):
    hosts = cluster.fold(3)
    with scratch() as folder:
        inside = os.path.join(folder, "private")
        os.mkdir(inside)
        # A folder that only the head has: below the head's own home.
        mine = os.path.join(cluster.home, "only-here")
        os.makedirs(mine, exist_ok=True)
        try:
            command = f'cd /root/only-here && exec "{LAUNCH}" -hosts {hosts} pwd'
            expect(run(["sh", "-c", command]), out_lines=["/root"] * 3, err_lines=1,
                   err_contains=[f"launch: note: {hosts}: there is no folder /root/only-here; ranks start in /root"])
            result = launch("-hosts", hosts, "-wdir", "/root/only-here", "--keep-going", "pwd")
            expect(result, code=126, err_lines=1, err_contains=f"launch: ranks 0-2 on {hosts}: /root/only-here: ")
        finally:
            os.rmdir(mine)


@needs_cluster(16)
def a_missing_home(cluster):
    """The login has no home folder on a host: the relay and the ranks start all the same."""
    host = cluster.hosts[7]
    cluster.exec(host, "sh", "-c", "cp /etc/passwd /tmp/passwd; sed -i 's#:/root:#:/no/home:#' /tmp/passwd; mount --bind /tmp/passwd /etc/passwd")
    try:
        mine = os.path.join(cluster.home, "only-here")
        os.makedirs(mine, exist_ok=True)
        cluster.sshd(host, "AuthorizedKeysFile /root/.ssh/authorized_keys")
        command = f'cd /root/only-here && exec "{LAUNCH}" -hosts {host} pwd'
        expect(run(["sh", "-c", command]), out_lines=["/"], err_lines=1,
               err_contains=[f"launch: note: {host}: there is no folder /root/only-here; ranks start in /"])
        os.rmdir(mine)
    finally:
        cluster.exec(host, "sh", "-c", "umount /etc/passwd; rm -f /tmp/passwd")
        cluster.sshd(host)


@needs_cluster(16, timeout=120)
def launch_is_missing_or_not_executable_or_another_build_there_and_is_not_to_be_sent(cluster):
    host = cluster.hosts[8]
    path = "/root/launch"
    shutil.copy(LAUNCH, os.path.join(cluster.home, "launch"))
    there = os.path.join(cluster.home_of(host), "launch")
    try:
        for transport in TRANSPORTS:
            def attempt():
                return run([path, "--push", "never", "--transport", transport, "-hosts", host, "hostname"])
            expect(attempt(), code=69, err_lines=1, err_contains=[
                f"launch: {host}: start launch there: ", f" neither at {path} nor in PATH", "leave out --push never"])
            shutil.copy(LAUNCH, there)
            expect(attempt(), out_lines=[host], err="")
            os.chmod(there, 0o644)
            expect(attempt(), code=69, err_lines=1, err_contains=[
                f"launch: {host}: start launch there: no permission to execute {path}", "("])
            with open(there, "w") as file:
                file.write("#!/bin/sh\necho something else\n")
            os.chmod(there, 0o755)
            expect(attempt(), code=69, err_lines=1, err_contains=["start launch there", "something else"])
            write_other_build(there)
            expect(attempt(), code=69, err_lines=1, err_contains=["another build of launch", "copy this executable"])
            os.unlink(there)
    finally:
        os.unlink(os.path.join(cluster.home, "launch"))
        if os.path.exists(there):
            os.unlink(there)


@needs_cluster(16)
def launch_in_path_will_do(cluster):
    host = cluster.hosts[9]
    shutil.copy(LAUNCH, os.path.join(cluster.home, "launch"))
    folder = os.path.join(cluster.home_of(host), "bin")
    os.makedirs(folder, exist_ok=True)
    shutil.copy(LAUNCH, folder)
    try:
        with login_shell(cluster, host, "PATH=/root/bin:$PATH"):
            for transport in TRANSPORTS:
                for push in ("auto", "never"):
                    expect(run(["/root/launch", "--push", push, "--transport", transport, "-v", "-hosts", host, "hostname"]),
                           out_lines=[host], err_lacks="was sent")
    finally:
        os.unlink(os.path.join(cluster.home, "launch"))
        shutil.rmtree(folder)


@needs_cluster(16, timeout=120, tier="gate")
def all_bad_hosts_are_told_at_once_folded_by_cause(cluster):
    """Also those below a bad host in the tree."""
    refused = [cluster.hosts[i] for i in (1, 2, 3, 10)]
    for host in refused:
        cluster.sshd(host, "Port 2299")
    keys = os.path.join(cluster.home_of(cluster.hosts[12]), ".ssh/authorized_keys")
    os.rename(keys, keys + ".away")
    try:
        for degree in ("1", "2", "32"):
            result = launch("-hosts", cluster.fold(14), "-k", degree, "sh", "-c", "sleep 60", timeout=60)
            prefix = cluster.hosts[0].rstrip("0123456789")
            folded = f"{prefix}[002-004,011]"
            expect(result, code=69, err_lines=2, err_contains=[failed(folded, "connect: "), failed(cluster.hosts[12], "authenticate: ")])
    finally:
        os.rename(keys + ".away", keys)
        for host in refused:
            cluster.sshd(host)


@contextlib.contextmanager
def no_room_for_another(cluster, host):
    """Its sshd drops who comes: as many as it bears are there and do not log in. How often it was come to meanwhile."""
    cluster.sshd(host, "MaxStartups 2:100:2")

    def accepted():
        head, values = [line.split() for line in proc(cluster.inits[host], "net/snmp").splitlines() if line.startswith("Tcp:")]
        return int(values[head.index("PassiveOpens")])

    try:
        with contextlib.ExitStack() as idle:
            for _ in range(2):
                connection = idle.enter_context(socket.create_connection((host, 22), 5))
                connection.recv(4)  # the greeting: it is one of the two
            before = accepted()
            yield idle, lambda: accepted() - before
    finally:
        cluster.sshd(host)


@needs_cluster(16, timeout=90, tier="clock")
def an_overloaded_sshd_is_tried_again(cluster):
    """MaxStartups drops what it cannot serve. What launch does then is bounded: five tries, the last 1.6 s after the first
    or later."""
    host = cluster.hosts[0]
    for transport in TRANSPORTS:
        with no_room_for_another(cluster, host) as (idle, tries):
            job = Job([LAUNCH, "--transport", transport, "-hosts", host, "hostname"])
            eventually(tries, what="the first try")
            time.sleep(0.7)
            idle.close()
            expect(job.wait(20), out=host + "\n", err="")
            if tries() < 2:
                fail(f"{tries()} connections: it was not dropped")
        with no_room_for_another(cluster, host) as (idle, tries):
            expect(launch("--transport", transport, "-hosts", host, "hostname"), code=69, out="", within=10, err_lines=1,
                   err_contains=[f"launch: {host}: key exchange: ", "5 times", "MaxStartups"])
            if tries() != 5:
                fail(f"{tries()} tries")


def limited(limit, *words):
    return run(["sh", "-c", f'ulimit -n {limit}; exec "$0" "$@"', LAUNCH, *words])


def ran_out(result, limit):
    """Each line says so, whatever could not be opened: a key, a socket, the names of hosts."""
    expect(result, code=69, out="", err_contains=f"too many open files (ulimit -n {limit})")
    others = [line for line in result.err_lines if f"(ulimit -n {limit})" not in line]
    if others:
        fail(f"another reason is told: {others}\n{result}")


@needs_cluster(16, timeout=120)
def open_files_that_run_out_are_called_that(cluster):
    for transport in TRANSPORTS:
        for limit in (24, 32):
            print("   ", transport, limit)
            ran_out(limited(limit, "--transport", transport, "-k", "16", "-hosts", cluster.fold(16), "true"), limit)
    # Those of a relay too.
    cluster.sshd(cluster.hosts[0], 'ForceCommand ulimit -n 30; eval "$SSH_ORIGINAL_COMMAND"')
    try:
        result = launch("-hosts", cluster.fold(2), "-ppn", "20", "sleep", "1")
        expect(result, code=70, err_contains=[": too many open files (ulimit -n 30)"])
    finally:
        cluster.sshd(cluster.hosts[0])


if __name__ == "__main__":
    main()
