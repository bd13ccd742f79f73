#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real MPI programs over real hosts."""
import functools
import os
import re
import subprocess

from harness import *
from programs import HOSTS, NETWORK, PACKAGES, PORT, job, mpi, names, need


def of_each_library(function=None, tier="long"):
    """A test for MPICH and one for Open MPI."""
    if function is None:
        return functools.partial(of_each_library, tier=tier)
    for library in PACKAGES:
        def one(cluster, library=library):
            function(cluster, library)
        one.__name__ = f"{library}_{function.__name__}"
        needs_cluster(HOSTS, timeout=90, tier=tier)(one)
    return function


@of_each_library
def ranks_know_their_places(cluster, library):
    for degree in ("1", "3"):
        expect(job(cluster, "-k", degree, mpi(library, "mpi_names")), err="",
               out_lines=[f"{rank} 16 {rank % 2} 2 {cluster.hosts[rank // 2]}" for rank in range(16)])
    hosts = ",".join(f"{host}:{slots}" for host, slots in zip(cluster.hosts, (3, 1, 2)))
    places = [(0, 0, 3), (1, 0, 1), (2, 0, 2), (0, 1, 3), (2, 1, 2), (0, 2, 3)]
    expect(launch("-hosts", hosts, "-map-by", "cyclic", "-n", "6", mpi(library, "mpi_names"), env=NETWORK), err="",
           out_lines=[f"{rank} 6 {local} {of} {cluster.hosts[host]}" for rank, (host, local, of) in enumerate(places)])


@of_each_library
def ranks_of_programs_with_their_own_hosts_know_their_places(cluster, library):
    """Who shares a host with whom is what the library believes, too, where a host's ranks are not together."""
    a, b, c = cluster.hosts[:3]
    program = mpi(library, "mpi_names")
    places = [(1, 0, 2), (0, 0, 2), (2, 0, 3), (2, 1, 3), (1, 1, 2), (0, 1, 2), (2, 2, 3)]
    result = launch("-host", f"{b},{a}", "-n", "2", program, ":", "-host", f"{c}:3", "-n", "2", program, ":",
                    "-host", f"{b},{a},{c}", "-n", "3", program, env=NETWORK)
    expect(result, out_lines=[f"{rank} 7 {local} {of} {cluster.hosts[host]}" for rank, (host, local, of) in enumerate(places)])


@of_each_library
def ranks_exchange_messages(cluster, library):
    expect(job(cluster, "-k", "2", mpi(library, "mpi_ring")), out="ring of 16: token 16\n", err="")
    expect(job(cluster, "-k", "32", mpi(library, "mpi_allreduce")), out="allreduce of 16: 0 wrong\n", err="")


@of_each_library
def several_programs_are_one_world(cluster, library):
    program = mpi(library, "mpi_ring")
    expect(launch("-hosts", cluster.fold(4), "-n", "1", program, ":", "-n", "3", "env", "A=B", program, env=NETWORK),
           out="ring of 4: token 4\n", err="")


@of_each_library(tier="gate")
def empty_programs_end(cluster, library):
    for words in (["--modex", "gather"], ["--modex", "on-demand"]):
        expect(job(cluster, *words, mpi(library, "mpi_empty")), out="", err="")


@of_each_library(tier="gate")
def abort_names_the_rank(cluster, library):
    result = job(cluster, "-k", "2", mpi(library, "mpi_end"), "abort", "5", "7")
    expect(result, code=7, err_contains=[names(5, cluster.hosts[2]), "abort"])


@of_each_library
def a_crash_is_named(cluster, library):
    result = job(cluster, "-k", "3", mpi(library, "mpi_end"), "segv", "15")
    expect(result, code=139, err_contains=[names(15, cluster.hosts[7]), "signal 11"], err_lines=1)


@of_each_library
def leaving_without_finalize_is_named(cluster, library):
    for code in ("0", "3"):
        result = job(cluster, "-k", "2", mpi(library, "mpi_end"), "exit", "5", code)
        if result.code == 0 or code == "3" and result.code != 3:
            fail(str(result))
        expect(result, code=None, err_contains=[names(5, cluster.hosts[2])] + (["finalize"] if code == "0" else []))


@functools.lru_cache
def python_with_mpi4py():
    for python in ("/usr/bin/python3",):
        if subprocess.run([python, "-c", "import mpi4py"], stderr=subprocess.DEVNULL).returncode == 0:
            return python
    raise Skip("mpi4py is missing (package python3-mpi4py)")


@needs_cluster(HOSTS)
def mpi4py_says_hello(cluster):
    script = os.path.join(SOURCE_DIR, "tests/mpi/hello.py")
    expect(job(cluster, "-k", "2", python_with_mpi4py(), script, ppn=1), err="",
           out_lines=[f"hello from {rank} of 8, sum 36, 8 hosts" for rank in range(8)])


@of_each_library
def wrapped_programs_are_ranks(cluster, library):
    program = mpi(library, "mpi_ring")
    expect(job(cluster, "-n", "16", "nice", "-5", program, hosts=4, ppn=4), out="ring of 16: token 16\n", err="")
    for wrapper in (["env", "A=B", program], ["sh", "-c", f"A=B; {program}; exit $?"]):
        expect(job(cluster, *wrapper, hosts=2), out="ring of 4: token 4\n", err="")


@needs_cluster(HOSTS, timeout=90, tier="gate")
def open_mpi_ranks_share_memory_until_the_last_has_ended(cluster):
    """The first that finalizes does not take away what the others of its host still have open."""
    for _ in range(5):
        expect(job(cluster, mpi("openmpi", "mpi_ring"), hosts=4, ppn=4, env={"OMPI_MCA_btl": "vader,self,tcp"}),
               out="ring of 16: token 16\n", err="")


@needs_cluster(HOSTS, timeout=90)
def open_mpi_ranks_yield_where_they_outnumber_the_cpus(cluster):
    """Each host counts its own, and of those only what it may use."""
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        raise Skip("one CPU: ranks always outnumber it")
    both, one = ",".join(map(str, cpus)), str(cpus[0])

    def of_two(*words, bound=both):
        interface = "eth0" if "-hosts" in words else "lo"
        return run(["taskset", "-c", bound, LAUNCH, *words, mpi("openmpi", "mpi_yield")],
                   env={**NETWORK, "OMPI_MCA_btl_tcp_if_include": interface})

    expect(of_two("-n", "2"), out_lines=["0 no", "1 no"], err="")
    expect(of_two("-n", "3"), out_lines=["0 yes", "1 yes", "2 yes"], err="")
    expect(of_two("-n", "2", bound=one), out_lines=["0 yes", "1 yes"], err="")
    for setting in ("oversubscribe", "yield_when_idle"):
        expect(of_two("-n", "2", "-x", f"OMPI_MCA_mpi_{setting}=0", bound=one), out_lines=["0 no", "1 no"], err="")
        expect(of_two("-n", "2", "-x", f"OMPI_MCA_mpi_{setting}=1"), out_lines=["0 yes", "1 yes"], err="")
    small, large = cluster.hosts[:2]
    try:
        for host, bound in ((small, one), (large, both)):
            cluster.sshd(host, f'ForceCommand taskset -p -c {bound} $$ > /dev/null; eval "$SSH_ORIGINAL_COMMAND"')
        expect(of_two("-hosts", f"{small}:2,{large}:2", bound=one), out_lines=["0 yes", "1 yes", "2 no", "3 no"], err="")
    finally:
        cluster.reset()


@test
def wrappers_find_the_place_of_a_rank_on_its_host():
    """What scripts that choose a GPU for each rank read, whatever launcher they were written for."""
    of_open_mpi = "$OMPI_COMM_WORLD_RANK/$OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK/$OMPI_COMM_WORLD_LOCAL_SIZE " \
                  "$OMPI_COMM_WORLD_NODE_RANK"
    of_hydra = "$MPI_LOCALRANKID/$MPI_LOCALNRANKS"
    hosts = ["--transport", "local", "-hosts", "a:2,b:1", "-map-by", "cyclic"]
    with scratch() as folder:
        wrapper = os.path.join(folder, "choose-gpu")
        with open(wrapper, "w") as file:
            file.write(f'#!/bin/sh\necho "{of_open_mpi} {of_hydra}"\nexec "$@"\n')
        os.chmod(wrapper, 0o755)
        expect(launch(*hosts, wrapper, mpi("openmpi", "mpi_empty"), env={"OMPI_MCA_btl": "tcp,self"}), err="",
               out_lines=["0/3 0/2 0 0/2", "1/3 0/1 0 0/1", "2/3 1/2 1 1/2"])
    # An MPICH program is told nothing of Open MPI, nor of a job that this one is in.
    expect(launch(*hosts, "--pmi", "pmi1", "sh", "-c", f"echo ${{OMPI_COMM_WORLD_LOCAL_RANK-none}} {of_hydra}",
                  env={"OMPI_COMM_WORLD_LOCAL_RANK": "7", "MPI_LOCALRANKID": "7"}),
           out_lines=["none 0/2", "none 0/1", "none 1/2"], err="")
    of_mvapich = " ".join(f"${name}_COMM_WORLD_RANK/${name}_COMM_WORLD_SIZE ${name}_COMM_WORLD_LOCAL_RANK/${name}_COMM_WORLD_LOCAL_SIZE"
                          for name in ("MV2", "MVP"))
    expect(launch(*hosts, "--pmi", "pmi1", "sh", "-c", f"echo {of_mvapich}", env={"MVP_COMM_WORLD_LOCAL_RANK": "7"}),
           out_lines=["0/3 0/2 0/3 0/2", "1/3 0/1 1/3 0/1", "2/3 1/2 2/3 1/2"], err="")


@needs_cluster(HOSTS, timeout=90)
def valgrind_wraps_an_mpi_program(cluster):
    valgrind = need("valgrind", "valgrind")
    expect(job(cluster, valgrind, "-q", mpi("mpich", "mpi_empty"), hosts=2, ppn=1), out="")
    expect(job(cluster, valgrind, "-q", helper("pmi_cards"), hosts=4, ppn=1), out="cards of 4 ranks are right\n", err="")


@of_each_library
def a_job_inside_a_rank_is_its_own(cluster, library):
    """The outer job's identity does not reach the inner one's ranks."""
    inner = f'"{LAUNCH}" --transport local -n 2 {mpi(library, "mpi_names")}'
    stale = {"PMI_RANK": "7", "PMI_SIZE": "9", "PMI_FD": "77", "PMIX_RANK": "7", "PMIX_NAMESPACE": "x", "OMPI_COMM_WORLD_RANK": "7",
             "SLURM_PROCID": "7", "SLURM_JOBID": "1"}
    host = cluster.hosts[0]
    expect(launch("-hosts", host, "-n", "1", "sh", "-c", inner, env={**NETWORK, **stale}), err="",
           out_lines=[f"{rank} 2 {rank} 2 {host}" for rank in range(2)])


@needs_cluster(HOSTS)
def one_program_follows_another_in_a_rank(cluster):
    twice = "{0} && {0}"
    expect(job(cluster, "sh", "-c", twice.format(helper("pmi_cards")), hosts=2), out="cards of 4 ranks are right\n" * 2, err="")
    ring = twice.format(mpi("mpich", "mpi_ring"))
    expect(job(cluster, *PORT, "sh", "-c", ring, hosts=2), out="ring of 4: token 4\n" * 2, err="")
    # MPICH shuts down for all who come after it what it inherited.
    expect(job(cluster, "sh", "-c", ring, hosts=2), code=141, out="ring of 4: token 4\n", err_contains=["try --pmi pmi1-port"])


@test(tier="gate")
def a_second_open_mpi_process_of_a_rank_ends_the_job():
    """libpmix takes both processes for the rank: a fence of one counts for the other, or waits for one that has ended."""
    end, pause, empty = (mpi("openmpi", name) for name in ("mpi_end", "mpi_pause", "mpi_empty"))
    for script in (f"{pause} 1000 | (read line; {empty}; cat)", f"{end} exit 0; {empty}", f"{end} segv 0; {empty}"):
        for ranks in ("1", "2"):
            expect(launch("-n", ranks, "sh", "-c", script), code=76,
                   err_contains=[re.compile(r"^launch: rank [01] on localhost: a second process of this rank called MPI_Init before", re.M)])


@test(tier="gate")
def a_child_that_imports_mpi4py_hangs_no_rank():
    """Python's multiprocessing with `spawn` imports the rank's script anew; the rank finalizes when the child has been killed."""
    with scratch() as folder:
        script = os.path.join(folder, "spawns.py")
        with open(script, "w") as file:
            file.write(SPAWNS)
        expect(launch("-n", "1", python_with_mpi4py(), script), code=76,
               err_contains=["launch: rank 0 on localhost: a second process of this rank called MPI_Init"])


@needs_cluster(HOSTS)
def ranks_that_meet_nobody_are_noticed(cluster):
    """An MPI program that was offered only what it does not speak: each rank is alone."""
    result = job(cluster, "--pmi", "pmix", mpi("mpich", "mpi_empty"), hosts=2, ppn=1)
    expect(result, code=None, err_contains=["PMI"], err_lines=1)


SPAWNS = """
import multiprocessing, signal
from mpi4py import MPI

def body(pipe):
    pipe.send(MPI.COMM_WORLD.rank)
    signal.pause()

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=body, args=(there,))
    child.start()
    here.recv()
    child.kill()
    child.join()
    MPI.Finalize()
"""

# Variables that schedulers and other launchers set in their jobs, steps and ranks. An MPI library may take a rank of ours for theirs.
AROUND = [
    {"SLURM_JOBID": "1", "SLURM_NODELIST": "localhost"},
    {"SLURM_JOBID": "1", "SLURM_NODELIST": "localhost", "SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_NTASKS": "1"},
    {"FLUX_JOB_ID": "1", "FLUX_URI": "local:///nowhere", "FLUX_TASK_RANK": "0"},
    {"JSM_JSRUN_PORT": "1", "JSM_NAMESPACE_RANK": "0", "JSM_NAMESPACE_SIZE": "1"},
    {"PBS_ENVIRONMENT": "PBS_BATCH", "PBS_JOBID": "1", "PBS_NODEFILE": "/dev/null"},
    {"LSB_JOBID": "1", "LSB_HOSTS": "localhost", "LSF_PM_TASKID": "1"},
    {"ALPS_APP_ID": "1", "ALPS_APP_PE": "0", "PALS_APID": "1", "PALS_RANKID": "0", "PMI_NO_FORK": "1"},
    {"PMI_RANK": "0", "PMI_SIZE": "1", "PMI_FD": "9", "PMIX_NAMESPACE": "1", "PMIX_RANK": "0", "PMIX_SERVER_URI2": "1.0;tcp4://127.0.0.1:1"},
    {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "OMPI_MCA_ess": "singleton", "PRTE_LAUNCHED": "1"},
]


@test(tier="gate")
def variables_of_other_launchers_and_schedulers_mislead_no_library():
    for library in PACKAGES:
        for around in AROUND:
            result = launch("-q", "--allocation", "none", "-n", "2", mpi(library, "mpi_names"), env=around)
            if [line.split()[:4] for line in sorted(result.lines)] != [["0", "2", "0", "2"], ["1", "2", "1", "2"]] or result.err:
                fail(f"{library}, {around}: {result}")


@test(tier="gate")
def a_rank_that_exits_without_init_is_named_on_a_lone_host():
    """Though libpmix waits for the ranks of its own host by itself. Whichever comes first, the exit or MPI_Init."""
    for library in PACKAGES:
        program = mpi(library, "mpi_empty")
        for words in (["-n", "1", program, ":", "-n", "1", "true"],
                      ["-n", "2", "sh", "-c", '[ $LAUNCH_RANK = 1 ] || exec "$0"; sleep 0.5', program]):
            expect(launch(*words), code=76, err_contains=["launch: rank 1 on localhost: exited while other ranks wait for it"])
    # Open MPI cannot do without it, however it has gone and whatever the user would rather have.
    program = mpi("openmpi", "mpi_empty")
    for words in (["-n", "1", program, ":", "-n", "1", "false"], ["-n", "1", program, ":", "-n", "1", "/no/such/program"],
                  ["-n", "2", "sh", "-c", '[ $LAUNCH_RANK = 1 ] || exec "$0"; sleep 0.5; exit 3', program]):
        expect(launch("--keep-going", *words), code=76,
               err_contains=["launch: rank 1 on localhost: exited while other ranks wait for it"])


@test
def a_python_script_without_mpi_is_nothing_to_note():
    """Though Python has an MPI: it is strange only if the user has asked for one."""
    silent = [python_with_mpi4py(), "-c", "print('hello')"]
    expect(launch("-n", "2", *silent), out="hello\n" * 2, err="")
    expect(launch("--pmi", "none", "-n", "2", *silent), out="hello\n" * 2, err="")
    expect(launch("-n", "2", "sh", "-c", '"$@"', "sh", *silent), out="hello\n" * 2, err="")
    result = launch("--pmi", "pmi1", "-n", "2", *silent)
    expect(result, out="hello\n" * 2, err_lines=1, err_contains=["launch: note: localhost: all ranks ", "without using PMI"])
    if not result.err_text.endswith("try --pmi pmix\n"):
        fail(str(result))


@test(tier="clock")
def programs_of_two_libraries_are_told_at_once():
    mpich, openmpi = (mpi(library, "mpi_empty") for library in PACKAGES)
    result = launch("--timeout", "2", "-n", "1", mpich, ":", "-n", "1", openmpi)
    expect(result, code=124, err_contains=[f"launch: note: {mpich} links libmpich.so", f" and {openmpi} links libmpi.so"])
    # Who knows what the user does not: each is alone, and that ends.
    expect(launch("--pmi", "none", "-n", "1", mpich, ":", "-n", "1", openmpi), err_lacks=["note"])
    expect(launch("-n", "1", mpich, ":", "-n", "1", mpich), err="")


if __name__ == "__main__":
    main()
