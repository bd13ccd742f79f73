#!/usr/bin/env python3
"""Ranks on this machine, without ssh: what a user sees, hears back and is charged for."""
import contextlib
import os
import re
import resource
import shutil
import signal
import time

from harness import *

PLAY = ["--transport", "local"]  # this machine plays many hosts, each with a relay of its own


@test
def the_first_line_of_the_readme():
    host = os.uname().nodename
    expect(launch("-n", "4", "hostname"), out_lines=[host] * 4, err="")


@test
def exit_codes_are_as_documented():
    rows = [
        ("all succeed", ["-n", "3", "true"], 0, []),
        ("the first failing rank's code", ["-n", "3", "sh", "-c", "exit $((LAUNCH_RANK == 1 ? 7 : 0))"], 7,
         ["rank 1 on localhost: ended with exit code 7"]),
        ("128 + signal", ["-n", "1", "sh", "-c", "kill -SEGV $$"], 139,
         ["rank 0 on localhost: ended by signal 11 (Segmentation fault)"]),
        ("not found", ["-n", "1", "/no/such/program"], 127,
         ["/no/such/program: cannot execute: No such file or directory"]),
        ("not found in PATH", ["-n", "1", "no-such-program"], 127, ["no-such-program: cannot execute"]),
        ("not executable", ["-n", "1", "/etc/passwd"], 126, ["/etc/passwd: cannot execute: Permission denied"]),
        ("timeout", ["-n", "2", "--timeout", "0.3", "sleep", "60"], 124,
         ["not done within --timeout 0.3 s; 2 ranks were still running"]),
        ("usage", ["-n", "0x", "true"], 2, ["launch: "]),
        ("no program", ["-n", "2"], 2, ["launch: "]),
        ("no such folder", ["-n", "1", "-wdir", "/no/such", "true"], 126,
         ["localhost: /no/such: cannot enter the working directory: No such file or directory"]),
    ]
    for name, argv, code, err in rows:
        print("   ", name)
        expect(launch(*argv), code=code, err_contains=err)


@test
def with_keep_going_all_run_to_the_end_and_each_is_reported():
    script = "sleep 0.$LAUNCH_RANK; echo $LAUNCH_RANK; exit $((LAUNCH_RANK % 2 * 3))"
    expect(launch("-n", "6", "--keep-going", "sh", "-c", script), code=3,
           out_lines=["0", "1", "2", "3", "4", "5"],
           err_lines=["launch: ranks 1,3,5 on localhost: ended with exit code 3"])


@test
def without_it_the_first_failure_ends_the_others():
    result = launch("-n", "4", "sh", "-c", "test $LAUNCH_RANK != 2 || exit 5; sleep 60")
    expect(result, code=5, within=5,
           err_lines=["launch: rank 2 on localhost: ended with exit code 5; 3 other ranks were ended"])


@test
def ranks_that_fail_together_are_all_told_of():
    result = launch("-n", "4", "sh", "-c", "trap '' TERM; sleep 0.3; exit 3")
    named = re.fullmatch(r"launch: rank (\d) on localhost: ended with exit code 3; (ranks? .*) too\n", result.err_text)
    if result.code != 3 or not named or "0123".replace(named[1], "") != expand(named[2]):
        fail(str(result))
    expect(launch("-n", "3", "/no/such"), code=127, err_lines=[
        "launch: rank 0 on localhost: /no/such: cannot execute: No such file or directory; ranks 1,2 too"])


def expand(ranks):
    """ "ranks 0-2" as "012"."""
    ends = [part.split("-") for part in ranks.split()[1].split(",")]
    return "".join(str(rank) for part in ends for rank in range(int(part[0]), int(part[-1]) + 1))


@test
def ranks_know_who_they_are():
    names = "RANK SIZE LOCAL_RANK LOCAL_SIZE NODE NODES HOST".split()
    script = "echo " + " ".join("$LAUNCH_" + name for name in names)
    expect(launch(*PLAY, "-hosts", "a:2,b:1", "-n", "3", "sh", "-c", script),
           out_lines=["0 3 0 2 0 2 a", "1 3 1 2 0 2 a", "2 3 0 1 1 2 b"])
    expect(launch(*PLAY, "-hosts", "a:2,b:2", "--map-by", "host", "sh", "-c", script),
           out_lines=["0 4 0 2 0 2 a", "1 4 0 2 1 2 b", "2 4 1 2 0 2 a", "3 4 1 2 1 2 b"])
    jobs = {launch("-n", "2", "sh", "-c", "echo $LAUNCH_JOB_ID").text for _ in range(2)}
    for job in jobs:
        first, second = job.split()
        if first != second:
            fail(f"two ranks of one job have different job ids: {job}")
    if len(jobs) != 2:
        fail("two jobs have the same id")


def variables(result):
    if result.code != 0:
        fail(str(result))
    return dict(line.split("=", 1) for line in result.lines if "=" in line)


@test
def inside_a_rank_of_another_job():
    """A launch there starts, and its ranks learn nothing of the rank that started it."""
    # What the outer launchers set that is no identity, or that a user could have set.
    harmless = {"GFORTRAN_UNBUFFERED_PRECONNECTED", "HFI_NO_BACKTRACE", "IPATH_NO_BACKTRACE", "PMIX_MCA_mca_base_component_show_load_errors",
                "OMPI_MCA_mpi_oversubscribe", "OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_rmaps_base_oversubscribe"}
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | {"OMPI_MCA_btl": "self,tcp"}
    inner = [LAUNCH, *PLAY, "-hosts", "a,b", "--pmi", "none"]
    plain = variables(run([*inner, "env"], env=env))
    for outer in (["mpiexec.hydra"], ["mpirun.openmpi", "--allow-run-as-root"], [LAUNCH]):
        if shutil.which(outer[0]) is None:
            print("    not installed:", outer[0])
            continue
        print("   ", outer[0])
        seen = variables(run([*outer, "-n", "1", *inner, "env"], env=env))
        foreign = set(seen) - set(plain) - harmless
        if foreign:
            fail(f"a rank below {outer[0]} sees {sorted(foreign)}")
        if seen["OMPI_MCA_btl"] != "self,tcp" or seen["LAUNCH_SIZE"] != "2":
            fail(f"a rank below {outer[0]} sees {seen}")
        set_by_user = variables(run([*outer, "-n", "1", *inner, "-genv", "PMI_RANK", "7", "-x", "PMIX_RANK=8", "env"], env=env))
        if (set_by_user["PMI_RANK"], set_by_user["PMIX_RANK"]) != ("7", "8"):
            fail(f"below {outer[0]} what the user sets does not arrive")


@test
def a_dry_run_tells_which_pmi_fits():
    rows = [(["mpich/mpi_empty"], "PMI-1 and PMI-2: .* links libmpich"), (["openmpi/mpi_empty"], "PMIx: .* links libmpi.so.40"),
            (["nice", "-5", "sh", "-c", "exec openmpi/mpi_empty"], "PMIx: .* links libmpi.so.40"),
            (["hostname"], "PMI-1 and PMI-2: no MPI library is found")]
    for argv, wanted in rows:
        needed = [name for name in ("mpich/mpi_empty", "openmpi/mpi_empty") if name in " ".join(argv)]
        if not all(os.path.exists(os.path.join(HELPERS, name)) for name in needed):
            print("    not built:", *needed)
            continue
        offers = [line for line in run([LAUNCH, "--dry-run", "--explain", *argv], cwd=HELPERS).lines if line.startswith("offers")]
        if len(offers) != 1 or not re.search(wanted, offers[0]):
            fail(f"{argv}: {offers}, expected {wanted}")


@test
def several_programs_in_one_job():
    expect(launch("-n", "1", "sh", "-c", "echo master $LAUNCH_RANK", ":", "-n", "3", "-env", "X", "y", "sh", "-c",
                  "echo worker $LAUNCH_RANK $X"),
           out_lines=["master 0", "worker 1 y", "worker 2 y", "worker 3 y"])


@test
def every_topology_and_degree_reaches_every_host():
    wanted = [str(rank) for rank in range(40)]
    for topology in (["-k", "1"], ["-k", "2"], ["-k", "3"], ["-k", "32"], ["--topology", "flat"],
                     ["--topology", "binomial"], ["--topology", "chain"], []):
        print("   ", topology)
        expect(launch(*PLAY, "-hosts", "n[01-40]", *topology, "sh", "-c", "echo $LAUNCH_RANK"), out_lines=wanted, err="")


@test
def output_streams_stay_apart_and_lines_whole():
    script = "i=0; while [ $i -lt 300 ]; do echo out-$LAUNCH_RANK-$i-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; " \
             "echo err-$LAUNCH_RANK-$i >&2; i=$((i+1)); done; printf last-$LAUNCH_RANK"
    result = launch(*PLAY, "-hosts", "n[1-6]:2", "-k", "2", "sh", "-c", script)
    if result.code != 0:
        fail(str(result))
    for rank in range(12):
        mine = re.findall(rf"out-{rank}-\d+-x+\n", result.text)
        if mine != [f"out-{rank}-{i}-" + "x" * 43 + "\n" for i in range(300)]:
            fail(f"rank {rank}: {len(mine)} good lines of 300")
        if f"last-{rank}" not in result.text:
            fail(f"the unfinished line of rank {rank} is lost")
    errors = [line for line in result.err_lines if line.startswith("err-")]
    if len(errors) != 12 * 300 or len(result.err_lines) != len(errors):
        fail(f"{len(errors)} lines of standard error, expected 3600")


@test
def a_thousand_ranks_and_the_limits_they_expect():
    result = run(["bash", "-c", f'ulimit -Sn 256; "{LAUNCH}" -n 1000 sh -c "ulimit -Sn"'], timeout=60)
    expect(result, out_lines=["256"] * 1000, err="")


@test
def labels():
    expect(launch(*PLAY, "-hosts", "n[1-3]", "-l", "sh", "-c", "printf 'a\\nb'; echo e >&2"),
           out_contains=["[0] a\n", "[1] a\n", "[2] a\n", "[0] b\n", "[1] b\n", "[2] b\n"],
           err_lines=["[0] e", "[1] e", "[2] e"])
    expect(launch("-n", "2", "--label", "sh", "-c", "echo $LAUNCH_RANK"), out_lines=["[0] 0", "[1] 1"])


@test
def bytes_come_through_as_they_are():
    blob = os.urandom(20_000_000)
    for words in (["-n", "1"], [*PLAY, "-hosts", "n[1-4]", "-n", "1"], [*PLAY, "-hosts", "n[1-4]", "-k", "1", "--stdin", "3"]):
        program = ["sh", "-c", "if [ $LAUNCH_RANK = $((LAUNCH_SIZE - 1)) ]; then cat; fi"]
        result = launch(*words, *program, stdin=blob)
        if result.out != blob:
            fail(f"{words}: {len(result.out)} bytes came back, first differing from what was sent\n{result.err_text}")


@test
def standard_input_goes_to_whom_it_is_for():
    script = "echo $LAUNCH_RANK: $(cat)"
    hosts = [*PLAY, "-hosts", "n[1-3]:2", "-k", "1"]
    nobody = [f"{rank}: " for rank in range(6)]
    rows = [([], ["0: hello"] + nobody[1:]), (["--stdin", "all"], [f"{rank}: hello" for rank in range(6)]),
            (["--stdin", "none"], nobody), (["--stdin", "4"], nobody[:4] + ["4: hello"] + nobody[5:])]
    for words, wanted in rows:
        print("   ", words)
        lines = [line.rstrip() for line in wanted]
        result = launch(*hosts, *words, "sh", "-c", script, stdin=b"hello")
        result.out = b"\n".join(line.rstrip() for line in result.out.splitlines()) + b"\n"
        expect(result, out_lines=lines)


@test
def input_that_nobody_reads_is_left_to_the_next_command():
    for words in (["-n", "2"], [*PLAY, "-hosts", "n[1-2]"]):
        script = f'while read line; do "{LAUNCH}" {" ".join(words)} sleep 0.05; echo $line; done'
        expect(run(["bash", "-c", script], stdin=b"a\nb\nc\n"), out="a\nb\nc\n")


@test
def a_rank_that_reads_one_line_gets_it_at_a_terminal():
    job = Job([LAUNCH, "-n", "2", "sh", "-c", "if [ $LAUNCH_RANK = 0 ]; then read x; echo got $x; fi"], pty=True)
    job.write("hello\n")
    job.until("got hello")
    expect(job.wait(10))


@test
def a_background_job_is_not_stopped_by_the_terminal():
    script = f'set -m; "{LAUNCH}" -n 1 sh -c "cat & sleep 0.6; kill \\$!; echo done" & sleep 1; jobs; wait; echo end'
    job = Job(["bash", "-c", script], pty=True)
    job.until("end", timeout=15)
    if b"Stopped" in job.out or b"done" not in job.out:
        fail(str(job.result()))
    job.wait(5)


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def resident(pids):
    total = []
    for pid in pids:
        try:
            with open(f"/proc/{pid}/status") as status:
                total += [int(line.split()[1]) for line in status if line.startswith("VmRSS")]
        except OSError:
            pass
    return max(total, default=0)


def launch_pids():
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.samefile(f"/proc/{pid}/exe", LAUNCH):
                found.append(pid)
        except OSError:
            pass
    return found


def children(pid):
    return [int(child) for child in read(f"/proc/{pid}/task/{pid}/children").split()]


@test
def a_slow_reader_stops_the_ranks_and_memory_stays_flat():
    job = Job([LAUNCH, *PLAY, "-hosts", "n[1-6]", "-k", "2", "yes", "0123456789" * 7])
    for _ in range(15):
        time.sleep(0.1)
    most = resident(launch_pids())
    if most > 40_000 and "asan" not in LAUNCH and "tsan" not in LAUNCH:
        fail(f"{most} KiB resident with a stalled reader")
    job.close_stdout()
    result = job.wait(10)
    expect(result, code=141, err="")


@test
def a_late_reader_loses_nothing():
    """Output waits in the tree when its last rank has ended: longer than any relay may take to leave."""
    for tree in (["--topology", "chain"], ["-k", "1"]):
        command = f'"{LAUNCH}" --transport local -hosts n[1-3] {" ".join(tree)} sh -c "test \\$LAUNCH_RANK != 2 || ' \
                  'head -c 1900000 /dev/zero" | (sleep 7; wc -c); echo ${PIPESTATUS[0]}'
        expect(run(["bash", "-c", command]), out_lines=["1900000", "0"], err="")


@test
def output_in_a_pipe_is_nobodys_who_is_late():
    """Also where the tree takes no more of it for now: the last of it is still in the rank's own pipe."""
    for size in range(1_600_000, 2_000_000, 50_000):
        command = f'"{LAUNCH}" --transport local -hosts n1 head -c {size} /dev/zero | (sleep 0.7; wc -c)'
        expect(run(["bash", "-c", command]), out=f"{size}\n", err="")


@test
def a_reader_that_has_stopped_does_not_keep_a_job_that_is_told_to_end():
    for words in (["-n", "1"], [*PLAY, "-hosts", "n[1-3]", "-k", "1"]):
        job = Job([LAUNCH, *words, "--kill-grace", "0.5", "yes"])
        time.sleep(0.7)
        job.signal(signal.SIGTERM)
        eventually(lambda: not job.running, 5, "the end of launch")
        expect(job.wait(5), code=143, err="")


@test
def only_signals_to_end_give_up_output_that_is_not_read_yet():
    job = Job([LAUNCH, "-n", "1", "head", "-c", "900000", "/dev/zero"])
    eventually(lambda: job.running and not [pid for pid in descendants_of(job.pid) if read(f"/proc/{pid}/comm") == "head\n"])
    time.sleep(0.5)
    for number in (signal.SIGUSR1, signal.SIGCONT, signal.SIGTSTP, signal.SIGCONT):
        job.signal(number)
        time.sleep(0.2)
    if not job.running:
        fail("a signal that ends nothing ended it")
    result = job.wait(10)
    expect(result)
    if len(result.out) != 900_000:
        fail(f"{len(result.out)} bytes of 900000")
    job = Job([LAUNCH, "-n", "1", "head", "-c", "900000", "/dev/zero"])
    time.sleep(0.7)
    job.signal(signal.SIGTERM)
    eventually(lambda: not job.running, 5, "the end of launch")
    expect(job.wait(5), code=143)


@test
def closed_standard_streams_are_nobody_elses():
    expect(run(["bash", "-c", f'"{LAUNCH}" -n 1 sh -c "cat; echo over" <&-']), out="over\n", err="")
    expect(run(["bash", "-c", f'"{LAUNCH}" -n 2 echo hello >&-']), out="", err="")


@test
def long_times_are_times():
    expect(launch(*PLAY, "-hosts", "a,b", "--kill-grace", "1300h", "--start-timeout", "2000h", "true"), err="")


@test
def a_job_that_writes_can_be_stopped_for_long():
    script = f'set -m; "{LAUNCH}" --transport local -hosts n[1-3] -k 1 yes > /dev/null & ' \
             'sleep 0.7; kill -TSTP %1; sleep 7; jobs; kill -CONT %1; sleep 0.5; jobs; kill -TERM %1; wait %1; echo code $?'
    result = run(["bash", "-c", script])
    if "Stopped" not in result.text or "Running" not in result.text or "code 143" not in result.text:
        fail(str(result))


@test
def a_reader_that_goes_away_ends_the_job():
    result = run(["bash", "-c", f'"{LAUNCH}" --transport local -hosts n[1-4] yes | head -1; echo ${{PIPESTATUS[0]}}'])
    expect(result, out_lines=["y", "141"], err="", within=5)


@test
def a_full_disk_is_said():
    result = run(["bash", "-c", f'"{LAUNCH}" -n 2 echo hello > /dev/full'])
    expect(result, code=74, err_lines=["launch: write standard output: No space left on device"])


@test
def signals_reach_every_rank():
    program = ["sh", "-c", "trap 'echo got $LAUNCH_RANK; exit 0' USR1; echo ready; while :; do sleep 0.05; done"]
    for words in (["-n", "3"], [*PLAY, "-hosts", "n[1-3]", "-k", "1"]):
        job = Job([LAUNCH, *words, *program])
        for _ in range(3):
            job.until("ready")
        job.signal(signal.SIGUSR1)
        result = job.wait(10)
        expect(result, out_contains=["got 0", "got 1", "got 2"])


@test
def children_that_a_shell_had_before_it_became_us_are_left_alone():
    with scratch() as folder:
        out = os.path.join(folder, "out")
        # bash -c becomes its last command: launch inherits the reader as a child.
        result = run(["bash", "-c", f'exec "{LAUNCH}" -n 1 seq 1 200000 > >(while read line; do echo $line; done > "{out}")'])
        expect(result, out="", err="")
        eventually(lambda: open(out).read().endswith("\n200000\n"), 20)
        result = run(["bash", "-c", f'sleep 600 > /dev/null 2>&1 & echo $! > "{out}"; exec "{LAUNCH}" -n 1 sh -c "exit 7"'])
        expect(result, code=7, err_lines=1)
        child = int(open(out).read())
        os.kill(child, signal.SIGKILL)  # fails if it was gone
        os.waitpid(child, 0)  # orphans are the harness's


@test
def an_interrupt_is_the_ranks_to_answer():
    job = Job([LAUNCH, "-n", "2", "sleep", "60"])
    eventually(lambda: len(launch_pids()) >= 2)
    time.sleep(0.3)
    job.signal(signal.SIGINT)
    expect(job.wait(5), code=130)


@test
def what_ranks_say_when_interrupted_is_not_lost():
    job = Job([LAUNCH, "-n", "1", "sh", "-c", "trap 'head -c 3000000 /dev/zero; exit 0' INT; echo ready; while :; do sleep 0.05; done"])
    job.until("ready")
    job.signal(signal.SIGINT)
    time.sleep(1)  # a reader that takes its time
    result = job.wait(10)
    expect(result)
    if len(result.out) != 3_000_006:
        fail(f"{len(result.out)} bytes of 3000006")


@test
def a_second_interrupt_kills():
    job = Job([LAUNCH, *PLAY, "-hosts", "n[1-3]", "sh", "-c", "trap '' INT TERM; echo ready; while :; do sleep 0.1; done"])
    for _ in range(3):
        job.until("ready")
    job.signal(signal.SIGINT)
    time.sleep(0.5)
    if not job.running:
        fail("one interrupt ended ranks that ignore it")
    job.signal(signal.SIGINT)
    expect(job.wait(5), code=130)


@test
def terminate_gives_the_ranks_their_grace_and_then_kills():
    program = ["sh", "-c", "trap 'echo cleaning; sleep 0.3; echo clean; exit 0' TERM; echo ready; while :; do sleep 0.1; done"]
    job = Job([LAUNCH, *PLAY, "-hosts", "n[1-2]", *program])
    job.until("ready")
    job.until("ready")
    job.signal(signal.SIGTERM)
    expect(job.wait(10), code=143, out_contains=["clean\n"])
    job = Job([LAUNCH, "-n", "1", "--kill-grace", "0.5", "sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"])
    job.until("ready")
    job.signal(signal.SIGTERM)
    expect(job.wait(5), code=143)


@test
def stop_and_continue_as_a_shell_does():
    for words in ("-n 2", "--transport local -hosts n[1-2] -n 2"):
        script = f'set -m; "{LAUNCH}" {words} sh -c "echo ready; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; echo over" & ' \
                 'sleep 0.4; kill -TSTP %1; sleep 6; jobs; echo ==; kill -CONT %1; wait %1; echo code $?'
        result = run(["bash", "-c", script], timeout=30)
        before, after = [part.splitlines() for part in result.text.split("==")]
        if not any("Stopped" in line for line in before) or "over" in before:
            fail(f"not stopped\n{result}")
        if after.count("over") != 2 or "code 0" not in after:  # lines
            fail(f"not continued\n{result}")


@test
def keys_at_a_terminal():
    job = Job(["bash", "--norc", "-i"], pty=True, env={"PS1": "$ "})
    job.until(r"\$ ")
    job.write(f"'{LAUNCH}' -n 2 sleep 50\n")
    time.sleep(0.6)
    job.write("\x1a")
    job.until("Stopped", timeout=5)
    job.write("fg\n")
    time.sleep(0.4)
    job.write("\x03")
    time.sleep(0.5)
    job.write("echo code=$?\n")
    job.until("code=130", timeout=5)
    job.write("exit\n")
    job.wait(5)


@test(grace=5)
def nothing_survives_a_kill():
    """SIGKILL of the process a user sees, of the one behind it, of relays: the check after the test looks for what is left."""
    program = ["sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"]
    for words, ranks in ((["-n", "2"], 2), ([*PLAY, "-hosts", "n[1-5]", "-k", "1"], 5)):
        for victim in range(0, 6 if "-k" in words else 2):
            job = Job([LAUNCH, *words, *program])
            for _ in range(ranks):
                job.until("ready")
            pids = sorted(map(int, launch_pids()))
            os.kill(pids[victim], signal.SIGKILL)
            result = job.wait(8)
            if result.code == 0:
                fail(f"success after a kill of process {victim}\n{result}")
            eventually(lambda: not launch_pids(), 5, "all of launch to be gone")


@contextlib.contextmanager
def own_cgroup(name):
    """A new cgroup v2 below ours, next to others of this test and to nobody else's."""
    own = [line[3:].rstrip("/") for line in read("/proc/self/cgroup").splitlines() if line.startswith("0::/")]
    above = [f"{at}{own[0]}" for at in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
             if own and os.access(f"{at}{own[0]}/cgroup.procs", os.W_OK)]
    if not above:
        raise Skip("no writable cgroup v2 here")
    folder = f"{above[0]}/test-{os.getpid()}/{name}"
    os.makedirs(folder)
    try:
        yield folder
    finally:
        for pid in daemons():
            os.kill(int(pid), signal.SIGKILL)
        eventually(lambda: not read(f"{folder}/cgroup.procs"), 2, "an empty cgroup")
        os.rmdir(folder)
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(folder))


def kill_at_once(pids):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in sorted(pids):
            os.kill(pid, number)


DAEMONS = ["sh", "-c", "setsid sleep 1007 >/dev/null 2>&1 & echo ready; sleep 1000"]


def daemons():
    return [pid for pid in filter(str.isdigit, os.listdir("/proc")) if read(f"/proc/{pid}/cmdline") == "sleep\x001007\0"]


@test(grace=1)
def what_a_kill_of_all_processes_spares_is_ended_by_the_next_launch():
    with own_cgroup("a") as first, own_cgroup("b") as second:
        inside = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
        for session in (first, second):
            job = Job(["sh", "-c", inside, first, LAUNCH, "-n", "2", *DAEMONS])
            job.until("ready")
            job.until("ready")
            alive = Job(["sh", "-c", inside, first, LAUNCH, "-n", "1", "sh", "-c", "echo here; sleep 2; echo there"])
            alive.until("here")
            kill_at_once({int(pid) for pid in launch_pids()} - {alive.pid, *children(alive.pid)})
            job.wait(5)
            if len(daemons()) != 2:
                fail(f"{len(daemons())} daemons are left: nothing to test")
            expect(run(["sh", "-c", inside, session, LAUNCH, "-n", "1", "true"]), err="")
            eventually(lambda: not daemons(), 2, "the daemons to be gone")
            expect(alive.wait(5), out_contains=["there"])


@test
def without_a_writable_cgroup_nothing_is_different():
    script = f'for at in /sys/fs/cgroup /sys/fs/cgroup/unified; do mount -o remount,bind,ro $at 2>/dev/null; done; ' \
             f'"{LAUNCH}" -n 2 sh -c "grep 0:: /proc/self/cgroup || true" | grep launch-; "{LAUNCH}" -n 1 echo over'
    expect(run(["unshare", "-m", "sh", "-c", script]), out="over\n", err="")


@contextlib.contextmanager
def freezer():
    """A cgroup (v1) whose processes, once frozen, wait uninterruptibly: not even SIGKILL ends them."""
    folder = f"/sys/fs/cgroup/freezer/test-{os.getpid()}"
    try:
        os.mkdir(folder)
    except OSError:
        raise Skip("no writable cgroup v1 freezer here") from None
    try:
        yield folder
    finally:
        with open(f"{folder}/freezer.state", "w") as file:
            file.write("THAWED")
        eventually(lambda: not read(f"{folder}/cgroup.procs"), 5, "an empty freezer")
        os.rmdir(folder)


@test
def a_rank_that_not_even_a_kill_ends_is_reported_and_left():
    for words, host in (([], "localhost"), ([*PLAY, "-hosts", "n[1-2]:2", "-k", "1"], "n2")):
        with freezer() as folder:
            script = f"test $LAUNCH_RANK != 3 || echo $$ > {folder}/cgroup.procs; echo ready; exec sleep 1000"
            job = Job([LAUNCH, *words, "-n", "4", "--kill-grace", "0.3", "sh", "-c", script])
            for _ in range(4):
                job.until("ready")
            pid = read(f"{folder}/cgroup.procs").strip()
            with open(f"{folder}/freezer.state", "w") as file:
                file.write("FROZEN")
            begin = time.monotonic()
            job.signal(signal.SIGTERM)
            result = job.wait(15)
            expect(result, code=143, err_lines=1, err_contains=[
                f"launch: rank 3 (pid {pid}) on {host} does not end after SIGKILL: in uninterruptible sleep (state D"])
            if time.monotonic() - begin > 7:
                fail(f"took {time.monotonic() - begin:.1f} s")
    launch("-n", "1", "true")  # sees to the cgroups that could not be removed


@test(grace=1)
def processes_that_ranks_leave_behind_are_ended_with_the_job():
    expect(launch("-n", "2", "sh", "-c", "(setsid sleep 1000 >/dev/null 2>&1 &); echo done"), out_lines=["done"] * 2,
           within=5)
    expect(launch("-n", "1", "--kill-grace", "0.3", "sh", "-c", "sleep 1000 & echo done"), out_lines=["done"], within=3,
           err_contains=["rank 0 left processes that held its output open; they were ended"])


@test(grace=1)
def what_ranks_leave_behind_is_no_news_when_the_job_is_being_ended():
    stubborn = "sh -c \"trap '' INT TERM; echo ready; sleep 1000; sleep 1000\" & "
    script = f"if [ $LAUNCH_RANK = 1 ]; then sleep 0.4; exit 3; fi; {stubborn} sleep 1000"
    expect(launch("-n", "2", "--kill-grace", "0.3", "sh", "-c", script), code=3, within=3, err_lines=[
        "launch: rank 1 on localhost: ended with exit code 3; 1 other rank was ended"])
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        job = Job([LAUNCH, "-n", "1", "--kill-grace", "0.3", "sh", "-c", stubborn + "sleep 1000"])
        job.until("ready")
        job.signal(number)
        expect(job.wait(5), code=code, err_lacks=["left processes"])


@test
def output_of_a_short_lived_background_process_is_not_lost():
    expect(launch("-n", "1", "sh", "-c", "(sleep 0.3; echo late) & echo early"), out="early\nlate\n")


@test
def programs_are_wrapped_as_they_are_typed():
    expect(launch("-n", "1", "nice", "-5", "sh", "-c", "echo $0 $1", "a b", "-n"), out="a b -n\n")
    expect(launch("-n", "1", "env", "X=1", "sh", "-c", "echo $X"), out="1\n")


@test
def a_launch_inside_a_launch():
    expect(launch("-n", "2", LAUNCH, "-n", "2", "sh", "-c", "echo $LAUNCH_RANK of $LAUNCH_SIZE"),
           out_lines=["0 of 2", "0 of 2", "1 of 2", "1 of 2"])


@test(grace=1)
def no_memory_for_launch_itself_is_an_internal_fault_and_no_hang():
    if re.search(r"lib[at]san", run(["ldd", LAUNCH]).text):
        raise Skip("a sanitizer needs its address space")
    script = "setsid sleep 1000 & echo ready; while ! test -e $0; do sleep 0.02; done; exec head -c 50000000 /dev/zero"
    for words, code, loss in ((["-n", "2"], 70, []), ([*PLAY, "-hosts", "n[1-2]", "-k", "1"], 69, ["launch: n2: run: "])):
        with scratch() as folder:
            job = Job([LAUNCH, *words, "sh", "-c", script, f"{folder}/go"], stdout=open(os.devnull, "w"))
            eventually(lambda: len(of_the_job(job.pid, "sleep 1000")) == 2)
            worker = of_the_job(job.pid, LAUNCH)[-1]
            resource.prlimit(worker, resource.RLIMIT_AS, (4096, 4096))
            with open(f"{folder}/go", "w"):
                pass
            expect(job.wait(10), code=code, err_contains=["launch: internal fault: std::bad_alloc", *loss], within=8)


def of_the_job(head, command):
    return sorted(pid for pid in descendants_of(head) if read(f"/proc/{pid}/cmdline").replace("\0", " ").startswith(command))


@test
def inherited_ignored_signals_stay_ignored():
    job = Job(["sh", "-c", f'trap "" HUP; exec "{LAUNCH}" -n 1 sh -c "echo ready; sleep 0.7; echo end"'])
    job.until("ready")
    job.signal(signal.SIGHUP)
    expect(job.wait(5), out_contains=["end"])


if __name__ == "__main__":
    main()
