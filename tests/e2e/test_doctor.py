#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`launch doctor`: what it finds on hosts that lack something, each with the line that mends it."""
import contextlib
import json
import os
import re
import signal
import subprocess
import time

from documented import expect_schema, same_keys
from harness import *
from starts import slow

CHECKS = {"start", "login", "names", "links", "clock", "limits", "disk", "folder", "glibc", "mpi"}


def doctor(*words, code=0, **options):
    """What it tells in JSON."""
    return json.loads(expect(launch("doctor", "--format", "json", *words, **options), code=code, err="").text)


def bad(told):
    """{(severity, check): [(hosts, what, fix)]} of what is worse than a note."""
    found = {}
    for each in told["findings"]:
        if each["severity"] in ("fault", "warning"):
            found.setdefault((each["severity"], each["check"]), []).append((each["hosts"], each["what"], each.get("fix", "")))
    return found


def only(told, severity, check, hosts, what, fix):
    """This, about these hosts, is the only thing of that kind."""
    found = bad(told).get((severity, check), [])
    if len(found) != 1 or found[0][0] != hosts or not re.search(what, found[0][1]) or fix not in found[0][2]:
        fail(f"{severity} {check}: {found}, not {hosts} {what!r} {fix!r}")


@contextlib.contextmanager
def on_host(cluster, host, does, undo):
    expect(cluster.exec(host, "sh", "-ec", does))
    try:
        yield
    finally:
        cluster.exec(host, "sh", "-c", undo)


@contextlib.contextmanager
def without(path):
    """A file of a host, or of the head, is away."""
    os.rename(path, path + ".away")
    try:
        yield
    finally:
        os.rename(path + ".away", path)


@needs_cluster(4, tier="gate")
def good_hosts_are_found_good(cluster):
    hosts = cluster.hosts[:4]
    told = doctor("-hosts", cluster.fold(4), "-k", "1")
    if bad(told) or not told["works"] or {each["check"] for each in told["findings"]} != CHECKS:
        fail(str(told["findings"]))
    if [each["name"] for each in told["hosts"]] != hosts or [each.get("started_by") for each in told["hosts"]] != [None, *hosts[:3]]:
        fail(str(told["hosts"]))
    expect_schema("doctor", told)
    same_keys("doctor", [told])
    same_keys("doctor host", told["hosts"], but={"error"})
    same_keys("doctor finding", told["findings"], but={"fix"}, may={"fix"})
    text = expect(launch("doctor", "-hosts", cluster.fold(4), "--links", "ssh"), err="").lines
    others = [line for line in text[:-1] if not line.startswith("ok ") and "MPICH" not in line]  # Debian has 4.0.2, of which a note tells
    if text[-1] != "a launch on 4 hosts would work" or others:
        fail("\n".join(text))
    nothing_left(cluster, hosts)


@needs_cluster(4)
def a_clock_is_known_to_what_a_message_takes(cluster):
    for host in doctor("-hosts", cluster.fold(4), "-k", "1", "--links", "ssh")["hosts"]:
        # All hosts have the clock of this machine.
        earliest, clock, latest = (host[f"clock_{name}_us"] for name in ("earliest", "unix", "latest"))
        if not earliest <= clock <= latest or latest - earliest > 5_000_000 or abs(clock - time.time() * 1e6) > 60e6:
            fail(str(host))


@needs_cluster(4)
def what_is_wrong_on_hosts_is_told_with_its_cure(cluster):
    first, second, third, fourth = cluster.hosts[:4]
    with contextlib.ExitStack() as stack:
        stack.enter_context(login_shell(cluster, first, "echo Welcome to the cluster; ulimit -n 256"))
        for host in (second, third):
            stack.enter_context(on_host(cluster, host, "mount -o remount,noexec /tmp", "mount -o remount,exec /tmp"))
        stack.enter_context(on_host(cluster, fourth, "mount -t tmpfs -o size=64k tmpfs /tmp; head -c 64k /dev/zero > /tmp/full || :",
                                    "umount /tmp"))
        stack.enter_context(on_host(cluster, fourth, f"(grep -v -e {first} -e {fourth} /etc/hosts; echo 127.0.1.1 {fourth}; "
                                    f"echo 10.9.9.9 {first}) > /root/hosts; mount --bind /root/hosts /etc/hosts",
                                    "umount /etc/hosts; rm -f /root/hosts"))
        told = doctor("-hosts", cluster.fold(4), "--links", "ssh")
        text = expect(launch("doctor", "-hosts", cluster.fold(4), "--links", "ssh"), err="").text
    if not told["works"]:
        fail(str(told["findings"]))
    only(told, "warning", "login", [first], "the login shell printed \"Welcome to the cluster\"", "start-up files")
    only(told, "warning", "limits", [first], "^open files: at most 256$", "/etc/security/limits.d")
    rows = bad(told)[("warning", "disk")]
    if rows[0][:2] != ([second, third], "/tmp: no program can be run there (mounted noexec)") or "TMPDIR" not in rows[0][2]:
        fail(str(rows))
    if rows[1][:2] != ([fourth], "/tmp: No space left on device") or "clean it up" not in rows[1][2]:
        fail(str(rows))
    names = {what for _, what, _ in bad(told)[("warning", "names")]}
    if not {"its own name is 127.0.1.1 there: programs tell others that address"} <= names or \
            not any(re.match(f"{first} is 10.9.9.9 there, and .* for others", what) for what in names):
        fail(str(names))
    # The same as a table: the worst first, hosts folded, and the cure below.
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if "mounted noexec" in line)
    if cluster.fold(2, first=1) not in lines[at] or not lines[at + 1].strip().startswith("-> mount it without"):
        fail(text)
    if [line.split()[0] for line in lines if line[0] != " "][-2:] != ["ok", "a"] or not lines[-1].endswith(f"would work, with {len([line for line in lines if line.startswith('warning')])} warnings"):
        fail(text)
    nothing_left(cluster, cluster.hosts[:4])


@needs_cluster(4, timeout=60, tier="clock")
def a_slow_login_is_pointed_out(cluster):
    host = cluster.hosts[1]
    with slow(cluster, host, 6):
        told = doctor("-hosts", cluster.fold(2), "--links", "ssh")
    only(told, "warning", "login", [host], r"^the start takes ([6-9]|1\d) s from the login until launch ran$", "ssh HOST true")


@needs_cluster(4)
def who_cannot_start_whom_is_told(cluster):
    first, second, third, fourth = cluster.hosts[:4]
    key = os.path.join(cluster.home_of(first), ".ssh/id_ed25519")
    with without(key):
        told = doctor("-hosts", f"{first},{second}", "-k", "1", "--links", "ssh", code=69)
        only(told, "fault", "start", [second], rf"^authenticate: permission denied .*\(from {first}\); from here it works$", "--forward-agent")
        if told["works"] or not told["hosts"][1]["glibc"]:
            fail(str(told))
        # With this machine's keys it works, as does a launch.
        if bad(doctor("-hosts", f"{first},{second}", "--topology", "flat", "--links", "ssh")):
            fail("not by --topology flat")
    keys = os.path.join(cluster.home_of(third), ".ssh/authorized_keys")
    try:
        cluster.sshd(fourth, "Port 2299")
        with without(keys):
            told = doctor("-hosts", cluster.fold(4), "--links", "ssh", code=69)
            rows = {hosts[0]: (what, fix) for hosts, what, fix in bad(told)[("fault", "start")]}
            if not rows[third][0].startswith("authenticate: permission denied for root") or "ssh-copy-id" not in rows[third][1] or \
                    not rows[fourth][0].startswith("connect: connection to port 22 refused") or "sshd" not in rows[fourth][1]:
                fail(str(rows))
            text = expect(launch("doctor", "-hosts", cluster.fold(4), "--links", "ssh"), code=69, err="").text
            if not text.startswith("fault ") or text.splitlines()[-1] != f"a launch on 4 hosts would fail: see {cluster.fold(2, first=2)}":
                fail(text)
            expect(launch("-hosts", cluster.fold(4), "true"), code=69, err=None)
    finally:
        cluster.sshd(fourth)


@needs_cluster(4)
def a_firewall_between_hosts_is_found(cluster):
    first, second = cluster.hosts[:2]
    rule = "ipproto tcp dport 7720-7729 unreachable"
    with on_host(cluster, second, f"ip rule add {rule}", f"ip rule del {rule}"):
        told = doctor("-hosts", f"{first},{second}", "-k", "1", "--link-ports", "7720-7729")
        only(told, "warning", "links", [second], "^open a direct link: .*the streams of the transport", "--link-ports")
        told = doctor("-hosts", f"{first},{second}", "-k", "1", "--links", "direct", "--link-ports", "7720-7729", code=69)
        only(told, "fault", "start", [second], "^open a direct link: ", "--links auto")


@needs_cluster(4)
def libraries_that_differ_are_found(cluster):
    """A library of Open MPI's name that says to be another version, on one host."""
    with scratch() as folder:
        source = os.path.join(folder, "mpi.c")
        with open(source, "w") as file:
            file.write('#include <string.h>\n#include <stdio.h>\nint MPI_Get_library_version(char* to, int* length) {\n'
                       '    puts("noise");\n    strcpy(to, "Open MPI v9.9.1, package: made up");\n    *length = (int)strlen(to);\n    return 0;\n}\n')
        library = os.path.join(folder, "libmpi.so.40")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
        usual = cluster.exec(cluster.hosts[1], "sh", "-c", "ldconfig -p | sed -n 's/.*libmpi.so.40 .*=> //p' | head -n 1").text.strip()
        if not usual:
            raise Skip("Open MPI is not installed (package libopenmpi-dev)")
        with on_host(cluster, cluster.hosts[1], f"mount --bind {library} $(readlink -f {usual})", f"umount $(readlink -f {usual})"):
            told = doctor("-hosts", cluster.fold(4), "--links", "ssh")
    only(told, "warning", "mpi", [cluster.hosts[1]], r"^Open MPI 9\.9\.1, where most hosts have \d+\.\d+", "LD_LIBRARY_PATH")


@needs_cluster(4)
def a_folder_that_some_hosts_lack_ends_it_as_it_would_end_a_launch(cluster):
    first, second = cluster.hosts[:2]
    with on_host(cluster, first, "mkdir /tmp/only-there", "rmdir /tmp/only-there"):
        os.makedirs("/tmp/only-there", exist_ok=True)
        try:
            words = ["-hosts", f"{first},{second}", "--links", "ssh"]
            told = doctor(*words, code=126, cwd="/tmp/only-there")
            only(told, "fault", "folder", [second], "^/tmp/only-there is missing there", "-wdir")
            expect(launch("-hosts", f"{first},{second}", "true", cwd="/tmp/only-there"), code=126, err=None)
        finally:
            os.rmdir("/tmp/only-there")


@needs_cluster(4)
def an_interrupt_ends_it(cluster):
    job = Job([LAUNCH, "doctor", "-hosts", cluster.fold(4)])
    eventually(lambda: launch_pids(cluster, cluster.hosts[0]), 10, "a relay")
    job.signal(signal.SIGINT)
    expect(job.wait(10), code=130, out="", err=None)
    nothing_left(cluster, cluster.hosts[:4])


@test
def this_machine_is_looked_at_without_hosts():
    told = doctor()
    if not told["works"] or [each["name"] for each in told["hosts"]] != ["localhost"] or "glibc" not in told["hosts"][0]:
        fail(str(told))


@test
def words_that_make_no_sense_are_refused():
    for words, why in ((["--format", "svg"], "text and json"), (["hostname"], "hostname"), (["-n", "3"], "-n"),
                       (["-hosts", "n[1-"], "a bracket is not closed")):
        refused = launch("doctor", *words)
        expect(refused, code=2, out="", err_contains=why)
        if len(refused.err_text.splitlines()) != 1:
            fail(refused.err_text)


if __name__ == "__main__":
    main()
