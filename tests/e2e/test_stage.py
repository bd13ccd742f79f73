#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that are put on every host first: whole, in place, gone again, and what happens where that cannot be."""
import hashlib
import os
import re
import signal
import stat

from harness import *
from harness.promises import HEAD_MIB, most_resident_kib
from sessions import on, session, state

SUM = "sha256sum < $LAUNCH_STAGE_DIR/"


def make(folder, name, size, mode=0o644):
    path = os.path.join(folder, name)
    blob = os.urandom(min(size, 1 << 20))
    with open(path, "wb") as file:
        for begin in range(0, size, 1 << 20):
            file.write(blob[:size - begin])
    os.chmod(path, mode)
    return path


def sha(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def inside(cluster, host, path):
    """A path as that host sees it."""
    return f"/proc/{cluster.inits[host]}/root{path}"


def staged_bytes(cluster, host):
    """How much of an unfinished file in the job's folder there is; None: there is none."""
    base = inside(cluster, host, "/tmp")
    for folder, _, names in os.walk(base):
        for name in names:
            if name.startswith(".launch-"):
                try:
                    return os.stat(os.path.join(folder, name)).st_blocks * 512
                except OSError:
                    pass
    return None


def begun(cluster, host):
    eventually(lambda: staged_bytes(cluster, host) is not None, 20, f"the first byte on {host}")


@needs_cluster(16, timeout=150, tier="gate")
def files_arrive_whole_by_every_tree(cluster):
    with scratch() as folder:
        large, empty = make(folder, "large", 20_000_001, 0o640), make(folder, "empty", 0)
        wanted = f"{sha(large)} {hashlib.sha256().hexdigest()} 640 20000001"
        script = ('cd $LAUNCH_STAGE_DIR; for f in large sub/none; do sha256sum < $f | cut -d" " -f1 | tr "\\n" " "; done; '
                  'stat -c "%a %s" large')
        for transport in ("ssh", "local"):
            for degree in (1, 2, 3, 16):
                print("   ", transport, degree)
                expect(launch("--transport", transport, "-hosts", cluster.fold(16), "-k", str(degree), "--stage", large, "--stage",
                              f"{empty}:sub/none", "sh", "-c", script, timeout=60), out_lines=[wanted] * 16, err="")


@needs_cluster(3)
def whatever_carries_them(cluster):
    with scratch() as folder:
        large = make(folder, "large", 3_000_000)
        for words in (["--links", "ssh"], ["--links", "direct"], ["--transport", "openssh"]):
            expect(launch(*words, "-hosts", cluster.fold(3), "-k", "1", "--stage", large, "sh", "-c", SUM + "large"),
                   out_lines=[sha(large) + "  -"] * 3, err="")


@test(tier="gate")
def without_hosts_they_are_copied_here():
    with scratch() as folder:
        file = make(folder, "file", 300_000, 0o751)
        expect(launch("-n", "3", "--stage", file, "sh", "-c", SUM + "file; stat -c %a $LAUNCH_STAGE_DIR/file $LAUNCH_STAGE_DIR"),
               out_lines=[sha(file) + "  -", "751", "700"] * 3, err="")
        expect(launch("-n", "1", "--stage", f"{file}:{folder}/sub/x", "true"), code=73,
               err_lines=1, err_contains=f"launch: localhost: stage {file} to {folder}/sub/x: No such file or directory (the folder of DEST ")
        expect(launch("-n", "1", "sh", "-c", "echo ${LAUNCH_STAGE_DIR-none}"), out="none\n")


@needs_cluster(16)
def programs_are_staged_and_run(cluster):
    with scratch() as folder:
        for name in ("one", "two"):
            with open(os.path.join(folder, name), "w") as file:
                file.write(f"#!/bin/sh\necho {name} ${{0#$LAUNCH_STAGE_DIR/}} $1\n")
            os.chmod(file.name, 0o755)
        expect(launch("-hosts", cluster.fold(16), "-k", "3", "--stage-program", "./one", "x", cwd=folder),
               out_lines=["one one x"] * 16, err="")
        os.mkdir(os.path.join(folder, "other"))
        os.rename(os.path.join(folder, "two"), os.path.join(folder, "other", "one"))
        expect(launch("-hosts", cluster.fold(2), "--stage-program", "-n", "1", "./one", "a", ":", "-n", "1", "other/one", "b",
                      cwd=folder), out_lines=["one one a", "two program2/one b"], err="")
        # Not a script: the file itself is executed, which it can't be while it is open for writing.
        expect(launch("-hosts", cluster.fold(8), "--stage-program", "-n", "8", "readlink", "/proc/self/exe"),
               out_contains="/tmp/launch-", err="")
        expect(launch("-hosts", cluster.fold(2), "--stage-program", "no-such-program"), code=127, err_lines=1)


@needs_cluster(4)
def they_go_to_the_named_place_and_away_again(cluster):
    hosts = cluster.hosts[:4]
    with scratch() as folder:
        file = make(folder, "file", 100_000, 0o600)
        words = ["-hosts", cluster.fold(4), "-k", "1"]
        expect(launch(*words, "--stage", f"{file}:/tmp/there", "--stage", f"{file}:/dev/shm/", "sh", "-c",
                      "stat -c %a%s /tmp/there /dev/shm/file; echo ${LAUNCH_STAGE_DIR-none}"),
               out_lines=["600100000"] * 8 + ["none"] * 4, err="")
        if any(os.path.exists(inside(cluster, host, path)) for host in hosts for path in ("/tmp/there", "/dev/shm/file")):
            fail("the files are still there")
        # What a job keeps, another may use, and does not take away; so does one that finds it there.
        for _ in range(2):
            expect(launch(*words, "--stage", f"{file}:/tmp/there", "--stage-keep", "true"), err="")
        expect(launch(*words, "--stage", f"{file}:/tmp/there", "true"), err="")
        for host in hosts:
            if sha(inside(cluster, host, "/tmp/there")) != sha(file):
                fail(f"not kept on {host}")
            os.unlink(inside(cluster, host, "/tmp/there"))
        result = launch(*words, "--stage", file, "--stage-keep", "sh", "-c", "echo $LAUNCH_STAGE_DIR")
        pattern = os.path.commonprefix(result.lines) + "*"
        expect(result, err=f"launch: note: {cluster.fold(4)}: staged files stay in {pattern}\n")
        expect(launch("-hosts", cluster.fold(4), "sh", "-c", f"cat {pattern}/file | wc -c; rm -r {pattern}"), out_lines=["100000"] * 4)


@needs_cluster(8, tier="gate")
def nothing_is_replaced_and_no_link_followed(cluster):
    hosts = cluster.hosts[:8]
    with scratch() as folder:
        file = make(folder, "file", 5)
        words = ["-hosts", cluster.fold(8), "-k", "2", "--stage", f"{file}:/tmp/there", "sh", "-c", "echo started"]
        others = {hosts[2]: b"other", hosts[5]: b"others"}
        for host, text in others.items():
            with open(inside(cluster, host, "/tmp/there"), "wb") as other:
                other.write(text)
        os.symlink("/tmp/victim", inside(cluster, hosts[7], "/tmp/there"))
        result = expect(launch(*words), code=73, err_contains=f"stage {file} to /tmp/there: the destination already exists")
        if hosts[5][-3:] not in result.err_text or hosts[7][-3:] not in result.err_text:
            fail(f"does not name them\n{result}")
        for host, text in others.items():
            with open(inside(cluster, host, "/tmp/there"), "rb") as other:
                if other.read() != text:
                    fail(f"replaced on {host}")
            os.unlink(other.name)
        link = inside(cluster, hosts[7], "/tmp/there")
        if not stat.S_ISLNK(os.lstat(link).st_mode) or os.path.exists(inside(cluster, hosts[7], "/tmp/victim")):
            fail("the link was followed or replaced")
        os.unlink(link)


@needs_cluster(16, tier="clock")
def a_full_or_read_only_disk_is_told_and_ends_the_job(cluster):
    bad = cluster.hosts[10]
    with scratch() as folder:
        file = make(folder, "file", 3_000_000)
        for host in cluster.hosts[:16]:
            if host != bad:
                cluster.exec(host, "mkdir", "/dev/shm/place")
        for options, cause in (("size=1m", "No space left on device ("),
                               ("ro", "Read-only file system (")):
            def check():
                result = launch("-hosts", cluster.fold(16), "-k", "2", "--stage", f"{file}:/dev/shm/place/", "sh", "-c",
                                "echo started on $LAUNCH_HOST")
                expect(result, code=73, err_lines=1,
                       err_contains=f"launch: {bad}: stage {file} to /dev/shm/place/file: {cause}", within=10)
                if bad in result.text:
                    fail(f"a rank started there\n{result}")
            cluster.exec(bad, "mkdir", "-p", "/dev/shm/place")
            expect(cluster.exec(bad, "mount", "-t", "tmpfs", "-o", options, "none", "/dev/shm/place"))
            try:
                check()
            finally:
                cluster.exec(bad, "umount", "/dev/shm/place")
        for host in cluster.hosts[:16]:
            cluster.exec(host, "rmdir", "/dev/shm/place")


@needs_cluster(16)
def all_hosts_that_fail_are_told_in_one_line(cluster):
    with scratch() as folder:
        file = make(folder, "file", 1000)
        expect(launch("-hosts", cluster.fold(16), "-k", "3", "--stage", f"{file}:/nowhere/x", "true"), code=73,
               err_lines=1, err_contains=[f"launch: {cluster.fold(16)}: stage {file} to /nowhere/x: No such file or directory (", "; no rank was started"])


@test
def what_cannot_be_staged_is_said_before_anything_starts():
    with scratch() as folder:
        file = make(folder, "file", 5)
        secret = os.path.join(folder, "fifo")
        os.mkfifo(secret)
        for words, message in (
                (["--stage", folder], "a folder; only files can be staged (tar makes one of it)"),
                (["--stage", secret], "not a regular file"),
                (["--stage", "/no/such"], "No such file or directory"),
                (["--stage", ":x"], "no file is named"),
                (["--stage", f"{file}:../x"], "DEST may not hold empty parts, . or .."),
                (["--stage", f"{file}:/a//x"], "DEST may not hold empty parts, . or .."),
                (["--stage", f"{file}:x", "--stage", "/etc/passwd:x"], "both"),
                (["--stage-keep"], "goes with --stage"),
                (["--preload-files", file], "use --stage FILE[:DEST]")):
            expect(launch("-hosts", "nohost", *words, "true"), code=2, out="", err_lines=1, err_contains=message)
        # The last colon counts.
        odd = os.path.join(folder, "a:b")
        os.rename(file, odd)
        expect(launch("-n", "1", "--stage", odd + ":", "sh", "-c", "ls $LAUNCH_STAGE_DIR"), out="a:b\n", err="")


@needs_cluster(1)
def a_file_that_changes_meanwhile_is_found_out(cluster):
    """Its size is known when the job is planned, and it is read when all is on its way."""
    host = cluster.hosts[0]
    with scratch() as folder:
        big = make(folder, "big", 150_000_000)
        second = make(folder, "second", 1000)
        job = Job([LAUNCH, "-hosts", host, "--stage", big, "--stage", second, "true"])
        begun(cluster, host)
        os.truncate(second, 10)
        os.truncate(big, 10)
        expect(job.wait(15), code=73, err_lines=1, err_contains=re.compile("the file became shorter while it was|the file changed while"))


def big_job(cluster, folder, hosts, *words):
    file = make(folder, "big", 120_000_000)
    return Job([LAUNCH, *words, "-hosts", ",".join(hosts), "--stage", file, "sh", "-c", "echo started; sleep 1000"])


@needs_cluster(4, timeout=120, grace=8, tier="clock")
def nothing_is_left_when_something_is_killed_in_the_middle(cluster):
    hosts = cluster.hosts[:4]
    with scratch() as folder:
        for number, host in enumerate([None, *hosts[:3]] * 2):
            print("   ", "head" if host is None else host, number)
            job = big_job(cluster, folder, hosts, "-k", "1")
            begun(cluster, hosts[-1])
            if host is None:
                job.kill()
                job.wait(15)
            else:
                os.kill(launch_pids(cluster, host)[number % 2], signal.SIGKILL)
                expect(job.wait(20), code=69, err_contains=f"launch: {host}: ")
            nothing_left(cluster, hosts, 8)
            eventually(lambda: not any(staged(cluster, each) for each in hosts), 8, "the files to be gone")


def staged(cluster, host):
    return [name for name in os.listdir(inside(cluster, host, "/tmp")) if "launch" in name]


@test(grace=8, tier="clock")
def nothing_is_left_of_hosts_that_are_played_here():
    with scratch() as folder:
        file = make(folder, "big", 60_000_000)
        for word in ("worker", "guard"):
            job = Job([LAUNCH, "--transport", "local", "-hosts", "n[1-6]", "-k", "2", "--stage", file, "sh", "-c", "echo started; sleep 1000"])
            job.until("started")
            pids = sorted(pid for pid in descendants_of(job.pid) | {job.pid} if "--relay" not in proc(pid, "cmdline")
                          and os.path.basename(LAUNCH) in proc(pid, "comm"))
            os.kill(pids[-1] if word == "worker" else job.pid, signal.SIGKILL)
            job.wait(15)


@needs_cluster(3, timeout=90, tier="clock")
def a_broken_connection_does_not_break_it(cluster):
    """A relay whose ssh session is killed comes back over a direct link and goes on where it was."""
    hosts = cluster.hosts[:3]
    with scratch() as folder:
        file = make(folder, "big", 150_000_000)
        for host in hosts[:2]:
            job = Job([LAUNCH, "-hosts", cluster.fold(3), "-k", "1", "--stage", file, "sh", "-c", SUM + "big"])
            begun(cluster, host)
            for pid in sshd_sessions(cluster, host):
                os.kill(pid, signal.SIGKILL)
            expect(job.wait(40), out_lines=[sha(file) + "  -"] * 3, err="")


@needs_cluster(3, timeout=90, tier="clock")
def a_child_that_stands_still_holds_up_no_other_and_no_memory(cluster):
    hosts = cluster.hosts[:3]
    with scratch() as folder:
        file = make(folder, "big", 100_000_000)
        job = Job([LAUNCH, "--start-early", "--liveness", "60", "-hosts", cluster.fold(3), "-k", "3", "--stage", file, "sh", "-c",
                   "echo $LAUNCH_HOST; test $LAUNCH_HOST = %s || sleep 1000" % hosts[2]])
        begun(cluster, hosts[2])
        guard, worker = launch_pids(cluster, hosts[2])
        os.kill(worker, signal.SIGSTOP)
        for _ in range(2):
            job.until(f"{hosts[0]}|{hosts[1]}", timeout=30)
        resident = max(peak_kib(pid) for pid in descendants_of(job.pid) | {job.pid} if "launch" in proc(pid, "comm"))
        if hosts[2] in job.out.decode():
            fail("it was not stopped in time")
        os.kill(guard, signal.SIGCONT)  # which stopped with it, and continues it
        job.until(hosts[2], timeout=30)
        print(f"    {resident} KiB at most in the head")
        if resident > most_resident_kib(HEAD_MIB) and not sanitized():  # which has memory of its own
            fail(f"{resident} KiB resident in the head, not {most_resident_kib(HEAD_MIB)}")
        job.signal(signal.SIGTERM)
        job.wait(15)


@needs_cluster(16, timeout=90)
def memory_does_not_grow_with_the_file(cluster):
    most = {}
    with scratch() as folder:
        for size in (100_000, 60_000_000):
            file = make(folder, "file", size)
            result = expect(launch("-hosts", cluster.fold(16), "-k", "3", "--stage", file, "sh", "-c",
                                   "grep VmHWM /proc/$PPID/status", timeout=60), err="")
            most[size] = max(int(line.split()[1]) for line in result.lines)
    print(f"    {most} KiB at most in a relay")
    if most[60_000_000] > most[100_000] + 6000 and not sanitized():  # which keeps what was freed for a while
        fail(f"KiB in a relay, by bytes staged: {most}")


@needs_cluster(3)
def the_users_interrupt_ends_a_staging(cluster):
    with scratch() as folder:
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            job = big_job(cluster, folder, cluster.hosts[:3], "-k", "1")
            begun(cluster, cluster.hosts[2])
            job.signal(number)
            result = expect(job.wait(15), code=code)
            if "started" in result.text:
                fail(f"a rank started\n{result}")


@needs_cluster(2)
def session_keeps_no_file_of_a_job_open(cluster):
    """Neither the head of the session, which read the file, nor a relay that gave it to the host below."""
    def still_open():
        """What the session's head and the first host's relay have open of the file, which has another name while it is written."""
        links = [os.readlink(entry.path) for pid in (state(name)["pid"], *launch_pids(cluster, cluster.hosts[0]))
                 for entry in os.scandir(f"/proc/{pid}/fd") if os.path.islink(entry.path)]
        return [link for link in links if link.startswith(file) or "/launch-" in link and "(deleted)" in link]

    with scratch() as folder, session(cluster.fold(2), "-k", "1") as name:
        file = make(folder, "data", 300_000)
        for _ in range(3):
            expect(on(name, "--stage", file, "sh", "-c", SUM + "data"), out_lines=[sha(file) + "  -"] * 2, err="")
        eventually(lambda: not still_open(), what=f"the end of {still_open()}")


@needs_cluster(3, tier="clock")
def a_terminal_shows_what_is_waited_for_and_can_end_it(cluster):
    """With a routing tree ranks are placed after the staging: there is none yet to interrupt."""
    for number, more in (2, []), (2, ["--routing", "flat"]), (3, ["--routing", "flat"]):
        with scratch() as folder:
            file = make(folder, "big", 100_000_000)
            job = Job([LAUNCH, "--liveness", "60", "-hosts", cluster.fold(3), "-k", "3", *more, "--stage", file, "sleep", "1000"],
                      pty=True)
            begun(cluster, cluster.hosts[2])
            guard, worker = launch_pids(cluster, cluster.hosts[2])
            os.kill(worker, signal.SIGSTOP)
            job.until(f"launch: staging: 2 of 3 hosts have the files, waiting for {cluster.hosts[2]}", timeout=20)
            job.write(b"\x03" if number == signal.SIGINT else b"\x1c")
            os.kill(guard, signal.SIGCONT)  # which stopped with it, and continues it
            if job.wait(15).code != 128 + number:
                fail(f"not ended by signal {number}\n{job.result()}")


if __name__ == "__main__":
    main()
