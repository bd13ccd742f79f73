#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The harness fails when it must: each case runs a small script of its own and looks at the verdict."""

import os
import shutil
import subprocess
import sys
import textwrap

from harness import *
from harness.traces import OURS

HERE = os.path.dirname(os.path.realpath(__file__))


def verdict(body, code, *contains, env=None):
    script = f"import sys\nsys.path.insert(0, {HERE!r})\nfrom harness import *\n" + textwrap.dedent(body) + "\nmain()\n"
    done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, **(env or {})})
    if done.returncode != code:
        fail(f"exit {done.returncode}, expected {code}:\n{done.stdout}")
    for part in contains:
        if part not in done.stdout:
            fail(f"{part!r} is missing in:\n{done.stdout}")


@test(tier="gate")
def a_passing_test_passes():
    verdict("""
        @test
        def fine():
            expect(run(["cat"], stdin="a\\nb\\n"), out="a\\nb\\n", out_lines=["b", "a"], err="")
            job = Job(["sh", "-c", "echo one; read x; echo got $x; exit 3"])
            job.until("one"); job.write("two\\n"); job.until("got two")
            expect(job.wait(), code=3)
            job = Job(["sh", "-c", "tty; exec sleep 50"], pty=True)
            job.until("/dev/pts/"); job.write(b"\\x03")
            expect(job.wait(), code=-2)
            big = bytes(range(256)) * 20000
            expect(run(["cat"], stdin=big), out=big)
    """, 0, "1 passed")


@test(tier="gate")
def a_wrong_exit_code_fails():
    verdict("""
        @test
        def wrong():
            expect(run(["sh", "-c", "echo hello; exit 3"]), code=0)
    """, 1, "code is 3, expected 0", "hello", "failed: wrong")


@test
def wrong_output_fails_with_a_difference():
    verdict("""
        @test
        def wrong():
            expect(run(["printf", "a\\\\nx\\\\n"]), out="a\\nb\\n", err_contains="cause")
    """, 1, "-'b\\n'", "+'x\\n'", "stderr lacks 'cause'")


@test(tier="gate")
def a_hang_is_reported_with_its_processes():
    verdict("""
        @test(timeout=1, grace=0.2, tier="clock")
        def hangs():
            run(["sleep", "271"])
    """, 1, "the test hangs", "sleep 271", "--- processes")


@test
def a_command_that_takes_too_long_is_reported():
    verdict("""
        @test(tier="clock")
        def slow():
            run(["sleep", "272"], timeout=0.3)
    """, 1, "a stream still open, after ", "sleep 272")


@test(tier="gate")
def a_process_left_behind_is_found_and_ended():
    verdict("""
        @test(grace=0.3, tier="clock")
        def leaves():
            run(["sh", "-c", "LAUNCH_JOB_ID=7 setsid sleep 273 >/dev/null 2>&1 </dev/null &"])
        @test(grace=0.3, tier="clock")
        def next_test_is_clean():
            pass
    """, 1, "left behind", "sleep 273", "ok    next_test_is_clean", "failed: leaves\n")


@test
def a_left_launch_is_known_by_its_executable():
    with scratch() as folder:
        copy = os.path.join(folder, "launch")
        shutil.copy("/bin/sleep", copy)
        verdict("""
            @test(grace=0.3, tier="clock")
            def leaves():
                run(["sh", "-c", "env -i setsid " + LAUNCH + " 274 >/dev/null 2>&1 </dev/null &"])
        """, 1, "left behind", "launch 274", env={"LAUNCH": copy})


# What a test may leave, as a command of a shell, and how that is called.
LEFT = [("touch /dev/shm/anything", "file", "/dev/shm/anything"), ("mkdir -p /tmp/pmix-1/below", "file", "/tmp/pmix-1"),
        ("mkdir /tmp/there && mount -t tmpfs none /tmp/there", "mount", "/tmp/there (tmpfs"),
        ("ipcmk -M 100", "shared memory", ""), ("ipcmk -S 1", "semaphores", ""), ("ipcmk -Q", "message queue", ""),
        ("/usr/bin/python3 -c 'import ctypes; ctypes.CDLL(None).mq_open(b\"/queue\", 0o101, 0o600, None)'", "message queue", "/queue (POSIX)")]
LEFT_HERE = [("mkdir /var/tmp/launch-of-a-test", "file", "/var/tmp/launch-of-a-test"),
             ("ip netns add of-a-test", "network namespace", "of-a-test"),
             ("unshare --pid --fork setsid sleep 277 >/dev/null 2>&1 </dev/null &", "process", "sleep 277")]


def finds(left, host=""):
    """All of it is told of, and removed: the next test is clean."""
    commands = [command for command, _, _ in left]
    mark, argument, where = ("@needs_cluster(2, grace=1, tier=\"clock\")", "cluster", ", host=cluster.hosts[1]") if host else ("@test(grace=1, tier=\"clock\")", "", "")
    verdict(f"""
        {mark}
        def leaves({argument}):
            for command in {commands!r}:
                expect(run(["sh", "-c", command]{where}))
        {mark}
        def next_test_is_clean({argument}):
            pass
    """, 1, "left behind", "ok    next_test_is_clean", "failed: leaves\n",
            *(name if kind == "process" else f"{kind} {host}{name}" for _, kind, name in left))


def need_own_place():
    if not place.is_private:
        raise Skip("no namespaces to be had here: this needs root")


@test
def whatever_outlives_a_process_is_found_here():
    need_own_place()
    try:
        finds(LEFT + LEFT_HERE)
    finally:
        run(["ip", "netns", "del", "of-a-test"])


@needs_cluster(2)
def whatever_outlives_a_process_is_found_on_hosts(cluster):
    finds(LEFT, cluster.hosts[1] + ":")


@test
def a_cgroup_left_behind_is_found():
    if not place.cgroup:
        raise Skip("no writable cgroup v2 here")
    space = os.stat("/proc/self/ns/pid").st_ino
    verdict(f"""
        import os
        @test(grace=0.3, tier="clock")
        def leaves():
            os.mkdir(place.cgroup + "/launch-{space}-1")
        @test(grace=0.3, tier="clock")
        def next_test_is_clean():
            pass
    """, 1, "left behind", f"/launch-{space}-1", "ok    next_test_is_clean")


@needs_cluster(2, tier="clock")
def a_socket_left_behind_is_found():
    """It has no other name than the kernel's, and goes with its process."""
    server = "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind('\\0' + sys.argv[1]); print('ready', flush=True); time.sleep(278)"
    verdict(f"""
        @needs_cluster(2, grace=0.3, tier="clock")
        def leaves(cluster):
            for where in ({{"on_head": False}}, {{"host": cluster.hosts[1]}}):
                job = Job(["setsid", "/usr/bin/python3", "-c", {server!r}, "pmix-here"], stdin="", **where)
                job.until("ready")
        @needs_cluster(2, grace=0.3, tier="clock")
        def next_test_is_clean(cluster):
            pass
    """, 1, "socket @pmix-here", "001:@pmix-here".replace("001", "002"), "ok    next_test_is_clean")


@test
def what_others_do_on_this_machine_is_not_the_tests():
    need_own_place()
    name = f"/tmp/launch-{os.getpid()}"
    try:
        verdict(f"""
            @test(grace=0.2, tier="clock")
            def fine():
                expect(run([*place.outside, "sh", "-c", "touch {name} && test -e {name}"]))
                expect(run(["test", "-e", "{name}"]), code=1)
        """, 0, "1 passed")
    finally:
        os.unlink(name)


@test
def names_that_are_ours_where_others_work_too():
    """Where the script has no place of its own."""
    for name in ("launch-push-0123456789", "pmix-4711", "pmix_dstor_ds21_77", "ompi.host.0", "openmpi-sessions-0@host", "prte.host.0",
                 "vader_segment.host.0.1", "mpich_shar_tmpX", "psm2_shm.0"):
        if not OURS.search(name):
            fail(name)
    for name in ("ccGV4B1p.s", "hsperfdata_root", "tmp.GGRihTYP2J", "systemd-private-1", "pymp-1", "snap.x", "compress"):
        if OURS.search(name):
            fail(name)


@test
def a_job_still_running_at_the_end_fails():
    verdict("""
        @test(grace=0.3, tier="clock")
        def forgets():
            Job(["sleep", "275"])
    """, 1, "still running at the end of the test: sleep 275")
    verdict("""
        @test(grace=0.3, tier="clock")
        def forgets_and_leaves():
            Job(["sleep", "275"])
            raise Skip("something is not here")
    """, 1, "still running at the end of the test: sleep 275")


@test
def without_a_cluster_it_says_skip():
    verdict("""
        from harness import hosts
        hosts.CLUSTER = "/bin/false"
        class No(hosts.Cluster):
            def __init__(self, count):
                raise Skip("cluster: cannot make hosts here: this needs root")
        hosts.Cluster = No
        @needs_cluster(2)
        def impossible():
            pass
    """, 77, "SKIP: cluster: cannot make hosts here: this needs root")


@needs_cluster(3)
def a_test_reaches_the_hosts(cluster):
    expect(run(["ssh", cluster.hosts[2], "hostname"]), out=cluster.hosts[2] + "\n")
    expect(run(["ssh", cluster.hosts[0], "ssh", cluster.hosts[1], "hostname"]), out=cluster.hosts[1] + "\n")
    expect(cluster.exec(cluster.hosts[1], "hostname"), out=cluster.hosts[1] + "\n")
    if not cluster.fold(3).endswith("[001-003]"):
        fail(cluster.fold(3))


@needs_cluster(2)
def leftovers_on_a_host_are_found():
    verdict("""
        @needs_cluster(2, grace=0.5, tier="clock")
        def leaves(cluster):
            run(["ssh", cluster.hosts[1], "setsid sleep 276 >/dev/null 2>&1 </dev/null & touch /tmp/strange"])
        @needs_cluster(2, grace=0.5, tier="clock")
        def next_test_is_clean(cluster):
            pass
    """, 1, "left behind", "sleep 276", ":/tmp/strange", "ok    next_test_is_clean", "failed: leaves\n")


@needs_cluster(3, tier="clock")
def accidents_happen_and_are_repaired(cluster):
    first, second, third = cluster.hosts[:3]
    ssh = ["ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=1"]
    cluster.kill(first)
    cluster.cut(second)
    cluster.rekey(third)
    expect(run([*ssh, first, "true"]), code=255)
    expect(run([*ssh, second, "true"]), code=255, err_contains="timed out")
    expect(run([*ssh, third, "true"]), code=255, err_contains="HAS CHANGED")
    cluster.reset()
    cluster.sshd(first, "ForceCommand echo forced")
    expect(run([*ssh, first, "true"]), out="forced\n")
    cluster.cut(second, unreachable=True)
    expect(run([*ssh, second, "true"]), code=255, err_contains="No route to host")
    cluster.heal(second)
    cluster.sshd(first)
    for host in (first, second, third):
        expect(run([*ssh, host, "hostname"]), out=host + "\n")


@needs_cluster(2, tier="clock")
def a_dead_host_s_cable_does_not_outlast_it(cluster):
    """Its network lives as long as anybody holds it, and the switch's port with it."""
    host = cluster.hosts[1]
    with open(f"/proc/{cluster.inits[host]}/ns/net"):
        cluster.kill(host)
        cluster.reset()
        expect(run(["ssh", host, "hostname"]), out=host + "\n")


main()
