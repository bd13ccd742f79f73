#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ranks on this machine, without ssh: who they are, and what becomes of the job."""
import os
import re
import resource
import shutil
import signal
import tempfile

from harness import *
from held_exec import held_exec
from programs import mpi, need
from this_machine import PLAY


@test(tier="gate")
def the_first_line_of_the_readme():
    host = os.uname().nodename
    expect(launch("-n", "4", "hostname"), out_lines=[host] * 4, err="")


@test(tier="gate")
def hosts_that_are_this_machine_need_no_ssh():
    """There is no sshd where this runs, nor may ssh ask anything there."""
    host = os.uname().nodename
    for names in ("localhost", "127.0.0.1", host):
        expect(launch("-hosts", f"{names}:2", "-ppn", "2", "sh", "-c", "echo $LAUNCH_RANK $(hostname)"),
               out_lines=[f"0 {host}", f"1 {host}"], err="")
    with scratch() as folder:
        path = os.path.join(folder, "hosts")
        with open(path, "w") as file:
            file.write("localhost slots=3\n")
        expect(launch("-f", path, "hostname"), out_lines=[host] * 3, err="")
        expect(launch("--transport", "ssh", "--ssh-config", "none", "-hosts", "localhost", "hostname", env={**os.environ, "HOME": folder}),
               code=69, out="", err_contains=["localhost: "])


@test(tier="clock")
def exit_codes_are_as_documented():
    rows = [
        ("all succeed", ["-n", "3", "true"], 0, []),
        ("the first failing rank's code", ["-n", "3", "sh", "-c", "exit $((LAUNCH_RANK == 1 ? 7 : 0))"], 7,
         ["rank 1 on localhost: ended with exit code 7"]),
        ("128 + signal", ["-n", "1", "sh", "-c", "kill -SEGV $$"], 139,
         ["rank 0 on localhost: ended by signal 11 (Segmentation fault)"]),
        ("not found", ["-n", "1", "/no/such/program"], 127,
         ["/no/such/program: cannot execute: No such file or directory"]),
        ("not found in PATH", ["-n", "1", "no-such-program"], 127, 
         ["no-such-program: cannot execute: No such file or directory (", "./no-such-program)"]),
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


@test(tier="gate")
def why_a_program_cannot_be_executed_is_told():
    with scratch() as folder:
        def script(name, text):
            path = os.path.join(folder, name)
            with open(path, "w", newline="") as file:
                file.write(text)
            os.chmod(path, 0o755)
            return path
        rows = [
            (script("strange", "#!/no/such/interpreter -x\n"), "its interpreter /no/such/interpreter: No such file or directory"),
            (script("red", "#!/no\033[31m\007such\n"), r"its interpreter /no\x1b[31m\x07such: No such file or directory"),
            (script("dos", "#!/bin/sh\r\necho ran\r\n"),
             "its first line, #!/bin/sh, ends with CR LF (dos2unix converts the file)"),
            (without_loader(script("elf", "")), "its loader is missing (was the program built for another system?)"),
        ]
        for path, why in rows:
            expect(launch("-n", "3", path), code=126, out="",
                   err_lines=[f"launch: ranks 0-2 on localhost: {path}: cannot execute: {why}"])
            expect(launch(*PLAY, "-hosts", "a,b", path), code=126, out="", err_contains=f"ranks 0,1 on a,b: {path}: cannot execute: {why}")


def without_loader(path):
    """An executable whose loader is on no system."""
    with open("/bin/true", "rb") as program:
        data = program.read()
    at = data.index(b"/lib64/ld-linux-x86-64.so.2\0")
    with open(path, "wb") as file:
        file.write(data[:at] + b"/lib64/ld-nowhere-86-64.so.2"[:27] + data[at + 27:])
    return path


@test
def open_files_that_run_out_are_called_that():
    """launch itself may have as many as the hard limit says."""
    for limit in (16, 24, 32):
        ran = run(["sh", "-c", f'ulimit -n {limit}; exec "$0" -n 16 sleep 1', LAUNCH])
        expect(ran, code=70, out="", err_contains=f"too many open files (ulimit -n {limit})")
        ran = run(["sh", "-c", f'ulimit -n {limit}; exec "$0" --transport local -hosts "n[1-16]" true', LAUNCH])
        expect(ran, code=69, out="", err_contains=f"too many open files (ulimit -n {limit})")
    expect(run(["sh", "-c", 'ulimit -Sn 32; exec "$0" -n 16 sh -c "ulimit -Sn"', LAUNCH]), out_lines=["32"] * 16)


@test(tier="gate")
def no_rank_starts_where_one_program_cannot():
    for where in ([], ["--transport", "local", "-hosts", "n1"]):
        for bad, code in ((["no-such-program"], 127), (["/etc/passwd"], 126), (["--wdir", "/no/such/folder", "true"], 126)):
            result = launch(*where, "-n", "2", "echo", "ran", ":", "-n", "1", *bad)
            expect(result, code=code, out="", err_contains="rank 2 on ")
        expect(launch(*where, "--keep-going", "-n", "2", "echo", "ran", ":", "-n", "1", "no-such-program"), code=127, out="ran\n" * 2)
        expect(launch(*where, "-n", "2", "echo", "ran", ":", "-n", "1", "echo", "ran"), out="ran\n" * 3)


@test
def threads_and_processes_that_run_out_end_the_job_with_the_limits_name():
    stack = " (ulimit -d 2000;"
    for words in (["-n", "2"], ["--transport", "local", "-hosts", "n[1-2]"]):
        expect(run(["sh", "-c", 'ulimit -d 2000; exec "$@"', "sh", LAUNCH, *words, "echo", "ran"]), code=70, out="", err_contains=stack)
    if os.geteuid() != 0:
        raise Skip("only root can be a user without other processes")
    with tempfile.TemporaryDirectory() as folder:  # the build may lie where no other user can go
        os.chmod(folder, 0o755)
        copy = shutil.copy(LAUNCH, folder)
        for count in ("1", "2"):
            result = run(["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups", "env", "HOME=/nowhere",
                          "bash", "-c", 'ulimit -u 3; exec "$@"', "bash", copy, "-n", count, "true"], cwd="/")
            expect(result, code=70, out="", err_lines=1,
                   err_contains="too many processes and threads of this user (ulimit -u 3;")


@test(tier="gate")
def a_program_that_is_slow_to_execute_holds_up_no_other_rank():
    with held_exec("echo") as held:
        job = Job([LAUNCH, "-n", "1", "sh", "-c", "read line; echo $line", ":", "-n", "1", held.path, "late"])
        held.wait_until_asked()
        job.write(b"early\n")
        job.until("early\n")
        held.let_go()
        expect(job.wait(), out="early\nlate\n", err="")


@test(tier="gate")
def a_job_ends_while_a_program_is_slow_to_execute():
    """Nothing of it runs later."""
    for number in (signal.SIGINT, signal.SIGTERM):
        with held_exec("touch") as held:
            job = Job([LAUNCH, "-n", "3", held.path, f"{held.path}-ran"])
            held.wait_until_asked()
            job.signal(number)
            expect(job.wait(), code=128 + number, out="")
            held.let_go()
            if os.path.exists(f"{held.path}-ran"):
                fail("a rank ran after the end of its job")


@test(tier="gate")
def with_keep_going_all_run_to_the_end_and_each_is_reported():
    script = "sleep 0.$LAUNCH_RANK; echo $LAUNCH_RANK; exit $((LAUNCH_RANK % 2 * 3))"
    expect(launch("-n", "6", "--keep-going", "sh", "-c", script), code=3,
           out_lines=["0", "1", "2", "3", "4", "5"],
           err_lines=1, err_contains=["ranks 1,3,5 on localhost", "exit code 3"])


@test(tier="gate")
def without_it_the_first_failure_ends_the_others():
    result = launch("-n", "4", "sh", "-c", "test $LAUNCH_RANK != 2 || exit 5; sleep 60")
    expect(result, code=5,
           err_lines=1, err_contains=["rank 2 on localhost", "exit code 5", "3 other ranks"])


@test
def ranks_that_fail_together_are_all_told_of():
    result = launch("-n", "4", "sh", "-c", "trap '' TERM; sleep 0.3; exit 3")
    named = re.fullmatch(r"launch: rank (\d) on localhost: ended with exit code 3; (ranks? .*) too\n", result.err_text)
    if result.code != 3 or not named or "0123".replace(named[1], "") != expand(named[2]):
        fail(str(result))
    expect(launch("-n", "3", "/no/such"), code=127, err_lines=1, err_contains="ranks 0-2 on localhost: /no/such: ")


def expand(ranks):
    """ "ranks 0-2" as "012"."""
    ends = [part.split("-") for part in ranks.split()[1].split(",")]
    return "".join(str(rank) for part in ends for rank in range(int(part[0]), int(part[-1]) + 1))


@test(tier="gate")
def ranks_know_who_they_are():
    names = "RANK SIZE LOCAL_RANK LOCAL_SIZE NODE NODES HOST".split()
    script = "echo " + " ".join("$LAUNCH_" + name for name in names)
    expect(launch(*PLAY, "-hosts", "a:2,b:1", "-n", "3", "sh", "-c", script),
           out_lines=["0 3 0 2 0 2 a", "1 3 1 2 0 2 a", "2 3 0 1 1 2 b"])
    expect(launch(*PLAY, "-hosts", "a:2,b:2", "--map-by", "host", "sh", "-c", script),
           out_lines=["0 4 0 2 0 2 a", "1 4 0 2 1 2 b", "2 4 1 2 0 2 a", "3 4 1 2 1 2 b"])
    hosts = ["sh", "-c", "echo $LAUNCH_FIRST_HOST $LAUNCH_HOSTLIST"]
    expect(launch("-n", "2", *hosts), out_lines=["localhost localhost"] * 2)
    expect(launch(*PLAY, "-hosts", "a,n[1-2]", *hosts), out_lines=["localhost a,n[1-2]"] * 3)
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


def inside_a_rank_of(*outer):
    """A launch there starts, and its ranks learn nothing of the rank that started it."""
    # What the outer launchers set that is no identity, or that a user could have set.
    harmless = {"GFORTRAN_UNBUFFERED_PRECONNECTED", "HFI_NO_BACKTRACE", "IPATH_NO_BACKTRACE", "PMIX_MCA_mca_base_component_show_load_errors",
                "OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_rmaps_base_oversubscribe", "PMIX_MCA_gds"}
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ} | {"OMPI_MCA_btl": "self,tcp"}
    inner = [LAUNCH, *PLAY, "-hosts", "a,b", "--pmi", "none"]
    plain = variables(run([*inner, "env"], env=env))
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
def inside_a_rank_of_hydra():
    need("mpiexec.hydra", "mpich")
    inside_a_rank_of("mpiexec.hydra")


@test(tier="gate")
def inside_a_rank_of_open_mpi():
    need("mpirun.openmpi", "openmpi-bin")
    inside_a_rank_of("mpirun.openmpi", "--allow-run-as-root")


@test(tier="gate")
def inside_a_rank_of_launch():
    inside_a_rank_of(LAUNCH)


@test
def inside_a_rank_of_launch_that_offers_pmix():
    inside_a_rank_of(LAUNCH, "--pmi", "pmix")


@test
def a_dry_run_tells_which_pmi_fits():
    mpi("mpich", "mpi_empty"), mpi("openmpi", "mpi_empty")
    rows = [(["mpich/mpi_empty"], "PMI-1 and PMI-2: .* links libmpich"), (["openmpi/mpi_empty"], "PMIx: .* links libmpi.so.40"),
            (["nice", "-5", "sh", "-c", "exec openmpi/mpi_empty"], "PMIx: .* links libmpi.so.40"),
            (["hostname"], "PMI-1 and PMI-2: no MPI library is found")]
    for argv, wanted in rows:
        offers = [line for line in run([LAUNCH, "--dry-run", "--explain", *argv], cwd=HELPERS).lines if line.startswith("offers")]
        if len(offers) != 1 or not re.search(wanted, offers[0]):
            fail(f"{argv}: {offers}, expected {wanted}")


@test(tier="gate")
def several_programs_in_one_job():
    expect(launch("-n", "1", "sh", "-c", "echo master $LAUNCH_RANK", ":", "-n", "3", "-env", "X", "y", "sh", "-c",
                  "echo worker $LAUNCH_RANK $X"),
           out_lines=["master 0", "worker 1 y", "worker 2 y", "worker 3 y"])


WHERE = ["sh", "-c", "echo $0 $LAUNCH_RANK of $LAUNCH_SIZE on $LAUNCH_HOST, node $LAUNCH_NODE of $LAUNCH_NODES"]


@test
def each_program_runs_on_its_own_hosts():
    rows = [
        ("apart", ["-host", "a", "-n", "1", *WHERE, "X", ":", "-host", "b:2", "-n", "2", *WHERE, "Y"],
         ["X 0 of 3 on a, node 0 of 2", "Y 1 of 3 on b, node 1 of 2", "Y 2 of 3 on b, node 1 of 2"]),
        ("named once, for all", ["-hosts", "a,b", "-n", "1", *WHERE, "X", ":", "-n", "1", *WHERE, "Y"],
         ["X 0 of 2 on a, node 0 of 2", "Y 1 of 2 on b, node 1 of 2"]),
        ("one without takes what the others leave", ["-n", "1", *WHERE, "X", ":", "-host", "a", "-n", "1", *WHERE, "Y", ":",
                                                     "-host", "b:2", "-n", "1", *WHERE, "Z"],
         ["X 0 of 3 on b, node 1 of 2", "Y 1 of 3 on a, node 0 of 2", "Z 2 of 3 on b, node 1 of 2"]),
        ("a rank for each slot of its own", ["-host", "a:2", *WHERE, "X", ":", "-host", "b,c", *WHERE, "Y"],
         ["X 0 of 4 on a, node 0 of 3", "X 1 of 4 on a, node 0 of 3", "Y 2 of 4 on b, node 1 of 3", "Y 3 of 4 on c, node 2 of 3"]),
        ("a host that no rank needs is not started", ["-host", "a,b", "-n", "1", *WHERE, "X", ":", "-host", "c", "-n", "1", *WHERE, "Y"],
         ["X 0 of 2 on a, node 0 of 2", "Y 1 of 2 on c, node 1 of 2"]),
        ("in turn", ["-map-by", "node", "-host", "a:2,b:2", "-n", "3", *WHERE, "X", ":", "-host", "c", "-n", "1", *WHERE, "Y"],
         ["X 0 of 4 on a, node 0 of 3", "X 1 of 4 on b, node 1 of 3", "X 2 of 4 on a, node 0 of 3", "Y 3 of 4 on c, node 2 of 3"]),
        ("placed late", ["--allow-missing", "-host", "a,b", "-n", "1", *WHERE, "X", ":", "-host", "c", "-n", "1", *WHERE, "Y"],
         ["X 0 of 2 on a, node 0 of 2", "Y 1 of 2 on c, node 1 of 2"]),
        ("with a spare", ["--spares", "1", "-host", "a", "-n", "1", *WHERE, "X", ":", "-host", "b,c", *WHERE, "Y"],
         ["X 0 of 2 on a, node 0 of 2", "Y 1 of 2 on b, node 1 of 2"]),
    ]
    for name, words, lines in rows:
        print("   ", name)
        for tree in (["-k", "1"], ["-k", "8"]):
            expect(launch(*PLAY, *tree, *words), out_lines=lines, err="")
    expect(launch(*PLAY, "-host", "a", "-n", "3", "true", ":", "-host", "b:4", "-n", "1", "true"),
           err_lines=1, err_contains=["a: ", "3 ranks", "1 slot"])
    with scratch() as folder:
        with open(f"{folder}/one", "w") as one, open(f"{folder}/two", "w") as two:
            one.write("a slots=2\n")
            two.write("b\nc\n")
        expect(launch(*PLAY, "-f", f"{folder}/one", *WHERE, "X", ":", "-hostfile", f"{folder}/two", *WHERE, "Y"), err="",
               out_lines=["X 0 of 4 on a, node 0 of 3", "X 1 of 4 on a, node 0 of 3", "Y 2 of 4 on b, node 1 of 3", "Y 3 of 4 on c, node 2 of 3"])


@test
def hosts_are_left_out():
    names = ["sh", "-c", "echo $LAUNCH_HOST"]
    expect(launch(*PLAY, "-hosts", "n[1-4]", "--exclude", "n[2-3]", *names), out_lines=["n1", "n4"], err="")
    expect(launch(*PLAY, "-hosts", "n[1-2]", "--exclude", "n2,n[8-9]", *names), out_lines=["n1"],
           err_lines=1, err_contains=["--exclude", "n[8-9]"])
    for words in (["--exclude", "n[1-4]"], ["-x", "n2"], ["-x", "n[2-3]"]):
        expect(launch(*PLAY, "-hosts", "n[1-2]", *words, *names), code=2, out="", err_lines=1, err_contains=words[0])


@test
def the_options_of_mpiexec_do_what_they_do_there():
    names = ["sh", "-c", "echo $LAUNCH_RANK $LAUNCH_HOST"]
    with scratch() as folder:
        path = f"{folder}/hosts"
        with open(path, "w") as file:
            file.write("a:2\nb\n")
        for option in ("-f", "-hostfile", "-machinefile", "--hostfile"):
            expect(launch(*PLAY, option, path, *names), out_lines=["0 a", "1 a", "2 b"], err="")
    for option in ("-n", "-np"):
        expect(launch(*PLAY, "-host", "a,b", option, "1", *names), out_lines=["0 a"], err="")
    set_here = {"FOO": "foo", "BAR": "bar"}
    rows = [
        (["-envall"], {"FOO": "foo", "BAR": "bar"}),
        (["-envnone"], {"FOO": None, "BAR": None}),
        (["-envnone", "-env", "FOO", "x"], {"FOO": "x", "BAR": None}),
        (["-envlist", "FOO"], {"FOO": "foo", "BAR": None}),
        (["-genvnone", "-envall"], {"FOO": "foo", "BAR": "bar"}),
        (["-genvnone"], {"FOO": None, "BAR": None}),
        (["-genvlist", "BAR"], {"FOO": None, "BAR": "bar"}),
    ]
    for words, wanted in rows:
        print("   ", *words)
        seen = variables(launch("-n", "1", *words, "/usr/bin/env", env=set_here))
        if {name: seen.get(name) for name in wanted} != wanted:
            fail(f"{words}: {seen}")
    here, there = (["sh", "-c", "echo $0 ${FOO-none}", name] for name in ("here", "there"))
    expect(launch("-n", "1", "-envnone", "-env", "PATH", os.environ["PATH"], *here, ":", "-n", "1", *there, env=set_here),
           out_lines=["here none", "there foo"], err="")


@test(tier="clock")
def the_timeout_of_mpiexec_is_honoured():
    expect(launch("-n", "2", "sleep", "60", env={"MPIEXEC_TIMEOUT": "1"}), code=124, within=10,
           err_contains=["MPIEXEC_TIMEOUT 1 s", "2 ranks"])
    expect(launch("-n", "2", "--timeout", "0.3", "sleep", "60", env={"MPIEXEC_TIMEOUT": "50"}), code=124, within=10,
           err_contains=["--timeout 0.3 s", "2 ranks"])
    expect(launch("--timeout", "20", "sleep", "0.5", env={"MPIEXEC_TIMEOUT": "0.1"}), err="")
    expect(launch("true", env={"MPIEXEC_TIMEOUT": "soon"}), code=2, err_lines=1, err_contains="MPIEXEC_TIMEOUT=soon")


@test
def verbose_tells_of_each_phase():
    time = r"[0-9.]+ s"
    rows = [
        (["-n", "2", "true"], 0, ["hosts: this machine, for 2 ranks", f"end: none of 2 ranks failed; start {time}, run {time}, end {time}"]),
        ([*PLAY, "-k", "2", "-hosts", "n[1-6]", "true"], 0,
         [r"hosts: 6 hosts for 6 ranks: n\[1-6\]", "tree: kary:2 by local: this machine starts 2 hosts, other hosts start the rest",
          f"up: all 6 hosts after {time}", f"run: 6 ranks may start, after {time}", f"end: none of 6 ranks failed; start {time}, run {time}, end {time}"]),
        ([*PLAY, "--spares", "1", "-hosts", "n[1-3]", "sh", "-c", "exit $((LAUNCH_RANK * 3))"], 3,
         [r"hosts: 3 hosts for 2 ranks: n\[1-3\], the last 1 as spares", "tree: .* by local: this machine starts 3 hosts",
          f"up: all 3 hosts after {time}", "ranks: 2 ranks placed on 2 hosts", f"run: 2 ranks may start, after {time}", "rank 1 on n2: ended with exit code 3.*",
          f"end: 1 of 2 ranks failed; start {time}, run {time}, end {time}"]),
    ]
    for words, code, wanted in rows:
        result = expect(launch("-v", *words), code=code)
        if len(result.err_lines) != len(wanted) or not all(
                re.fullmatch(f"launch: {line}", said) for line, said in zip(wanted, result.err_lines)):
            fail(str(result))
        expect(launch("-v", "-q", *words), code=code, err_lacks=["hosts:", "up:", "end:"])


@test(tier="gate")
def every_topology_and_degree_reaches_every_host():
    hosts = 12 if sanitized() else 40  # as processes of ThreadSanitizer's take a quarter of a second to start
    wanted = [str(rank) for rank in range(hosts)]
    for topology in (["-k", "1"], ["-k", "2"], ["-k", "3"], ["-k", "32"], ["--topology", "flat"],
                     ["--topology", "binomial"], ["--topology", "chain"], []):
        print("   ", topology)
        expect(launch(*PLAY, "-hosts", f"n[01-{hosts}]", *topology, "sh", "-c", "echo $LAUNCH_RANK"), out_lines=wanted, err="")


@test
def a_thousand_ranks_and_the_limits_they_expect():
    result = run(["bash", "-c", f'ulimit -Sn 256; "{LAUNCH}" -n 1000 sh -c "ulimit -Sn"'], timeout=60)
    expect(result, out_lines=["256"] * 1000, err="")


@test(tier="clock")
def long_times_are_times():
    expect(launch(*PLAY, "-hosts", "a,b", "--kill-grace", "1300h", "--start-timeout", "2000h", "true"), err="")


@test(tier="gate")
def programs_are_wrapped_as_they_are_typed():
    expect(launch("-n", "1", "nice", "-5", "sh", "-c", "echo $0 $1", "a b", "-n"), out="a b -n\n")
    expect(launch("-n", "1", "env", "X=1", "sh", "-c", "echo $X"), out="1\n")


@test
def a_launch_inside_a_launch():
    expect(launch("-n", "2", LAUNCH, "-n", "2", "sh", "-c", "echo $LAUNCH_RANK of $LAUNCH_SIZE"),
           out_lines=["0 of 2", "0 of 2", "1 of 2", "1 of 2"])


@test(grace=1, tier="clock")
def no_memory_for_launch_itself_is_an_internal_fault_and_no_hang():
    if sanitized():
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
    return sorted(pid for pid in descendants_of(head) if proc(pid, "cmdline").replace("\0", " ").startswith(command))


if __name__ == "__main__":
    main()
