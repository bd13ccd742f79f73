#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A job of a scheduler around launch, played by the variables and files that schedulers write: its hosts and slots are used."""
import contextlib
import itertools
import os
import re

from harness import *
from programs import NETWORK, mpi

HOSTS = 4
WHERE = ["sh", "-c", "echo $LAUNCH_HOST"]
EXPLAIN = ("--dry-run", "--explain")


@contextlib.contextmanager
def jobs_of(first, second, third):
    """What each scheduler writes of two slots on the first of these hosts and one on each of the others."""
    with scratch() as folder:
        def file(name, text):
            with open(os.path.join(folder, name), "w") as out:
                out.write(text)
            return out.name
        lines = file("nodes", f"{first}\n{second}\n{first}\n{third}\n")
        grid = "".join(f"{host} {slots} all.q@{host} UNDEFINED\n" for host, slots in ((first, 2), (second, 1), (third, 1)))
        yield {
            "slurm": {"SLURM_JOB_ID": "4711", "SLURM_JOB_NODELIST": f"{first},{second},{third}", "SLURM_NTASKS": "4",
                      "SLURM_TASKS_PER_NODE": "2,1(x2)", "SLURM_JOB_CPUS_PER_NODE": "8(x3)"},
            "pbs": {"PBS_NODEFILE": lines, "PBS_JOBID": "7.server", "PBS_ENVIRONMENT": "PBS_BATCH", "NCPUS": "2"},
            "lsf": {"LSB_MCPU_HOSTS": f"{first} 2 {second} 1 {third} 1", "LSB_JOBID": "7"},
            "sge": {"PE_HOSTFILE": file("pe", grid), "PE": "mpi", "NSLOTS": "4", "JOB_ID": "7"},
            "oar": {"OAR_NODEFILE": lines, "OAR_JOB_ID": "7"},
            "cobalt": {"COBALT_NODEFILE": lines, "COBALT_JOBID": "7"},
        }


@needs_cluster(HOSTS, timeout=90, tier="gate")
def the_hosts_and_slots_of_the_job_are_used(cluster):
    first, second, third, other = cluster.hosts[:4]
    with jobs_of(first, second, third) as jobs:
        for name, env in jobs.items():
            print("   ", name)
            expect(launch("sh", "-c", "echo $(hostname)", env=env), err="", out_lines=[first, first, second, third])
        env = jobs["slurm"]
        expect(launch("-n", "3", *WHERE, env=env), err="", out_lines=[first, first, second])
        expect(launch("-ppn", "1", *WHERE, env=env), err="", out_lines=[first, second, third])
        expect(launch("--exclude", second, *WHERE, env=env), err="", out_lines=[first, first, third])
        expect(launch("--allocation", "slurm", "-n", "1", *WHERE, env=env), err="", out_lines=[first])
        # Of named hosts the allocation says nothing.
        expect(launch("-hosts", other, *WHERE, env=env), err="", out_lines=[other])
        expect(launch("-f", jobs["pbs"]["PBS_NODEFILE"], "-n", "1", *WHERE, env={"LSB_HOSTS": other}), err="", out_lines=[first])
        expect(launch(*WHERE, env={**env, "LAUNCH_OPT_HOSTS": other}), err="", out_lines=[other])
        expect(launch("--allocation", "none", "-n", "1", *WHERE, env=env), err="", out_lines=["localhost"])
        # Its ranks would all take the same hosts again.
        inner = f'"{LAUNCH}" -n 1 sh -c \'echo $LAUNCH_HOST\''
        expect(launch("-n", "3", "sh", "-c", inner, env=env), err="", out_lines=["localhost"] * 3)


@needs_cluster(HOSTS, timeout=90)
def the_variables_of_the_job_say_nothing_to_its_ranks(cluster):
    """MPI libraries know schedulers as well, and would ask them."""
    first, second, third = cluster.hosts[:3]
    stale = {"SLURM_PROCID": "7", "SLURM_STEP_NUM_TASKS": "1", "PMI_RANK": "7", "PMIX_RANK": "7"}
    with jobs_of(first, second, third) as jobs:
        for library, (name, env) in itertools.product(("mpich", "openmpi"), jobs.items()):
            print("   ", library, name)
            expect(launch(mpi(library, "mpi_names"), env={**NETWORK, **env, **stale}), err="",
                   out_lines=[f"{rank} 4 {local} {size} {host}" for rank, local, size, host in
                              ((0, 0, 2, first), (1, 1, 2, first), (2, 0, 1, second), (3, 0, 1, third))])


@test
def what_was_taken_is_explained():
    with jobs_of("n1", "n2", "n3") as jobs:
        rows = {"slurm": "Slurm, by SLURM_JOB_NODELIST, slots by SLURM_TASKS_PER_NODE", "pbs": "PBS, by PBS_NODEFILE",
                "lsf": "LSF, by LSB_MCPU_HOSTS", "sge": "Grid Engine, by PE_HOSTFILE", "oar": "OAR, by OAR_NODEFILE",
                "cobalt": "Cobalt, by COBALT_NODEFILE"}
        for name, text in rows.items():
            print("   ", name)
            expect(launch(*EXPLAIN, "hostname", env=jobs[name]), err="", out_contains=["4 ranks on 3 hosts", f"\nallocation {text}\n"])
            expect(launch("-v", "--dry-run", "hostname", env=jobs[name]),
                   err=f"launch: note: hosts of the allocation of {text}: n1:2,n[2-3]\n")
        env = {**jobs["pbs"], **jobs["lsf"]}
        expect(launch(*EXPLAIN, "hostname", env=env), err="",
               out_contains=re.compile("^allocation PBS, .*--allocation lsf$", re.M))
        expect(launch(*EXPLAIN, "--allocation", "lsf", "hostname", env=env), err="", out_contains="\nallocation LSF, ")
        expect(launch(*EXPLAIN, "--allocation", "none", "hostname", env=env), err="", out_contains="\nallocation none: --allocation none\n")
        expect(launch(*EXPLAIN, "-hosts", "a", "hostname", env=env), err="", out_contains="\nallocation none: hosts are named\n")
        expect(launch("-n", "1", "true", env={**jobs["slurm"], "SLURM_STEP_NUM_TASKS": "16"}),
               err_lines=1, err_contains=["16 tasks of srun", "--allocation slurm"])


@test
def what_is_wrong_is_a_usage_error():
    go_on = "(name hosts by -hosts or -f, or run on this machine: --allocation none)"
    with scratch() as folder:
        nodes = os.path.join(folder, "nodes")
        with open(nodes, "w") as out:
            out.write("n1\nn 2\nn;3\n")
        rows = [
            ((), {"PBS_NODEFILE": nodes}, f'PBS_NODEFILE: {nodes}:3: "n;3": the character ";" is not allowed in a name {go_on}'),
            ((), {"PBS_NODEFILE": folder}, f"PBS_NODEFILE: {folder}: Is a directory {go_on}"),
            ((), {"SLURM_JOB_NODELIST": "n[1-2"}, f'SLURM_JOB_NODELIST: "n[1-2": a bracket is not closed {go_on}'),
            (("--allocation", "pbs"), {"SLURM_JOB_NODELIST": "n1"},
             "--allocation pbs: launch was not started in a job of PBS, which sets PBS_NODEFILE (see launch help hosts)"),
            ((), {"LAUNCH_OPT_ALLOCATION": "sge"},
             "LAUNCH_OPT_ALLOCATION sge: launch was not started in a job of Grid Engine, which sets PE_HOSTFILE (see launch help hosts)"),
        ]
        for words, env, error in rows:
            print("   ", *words, *env)
            expect(launch(*words, "true", env=env), code=2, out="", err=f"launch: {error}\n")
            expect(launch("--allocation", "none", "true", env=env), err="")


@test
def a_job_of_this_machine_alone_needs_no_ssh():
    here = os.uname().nodename
    expect(launch(*WHERE, env={"SLURM_JOB_NODELIST": here, "SLURM_JOB_CPUS_PER_NODE": "3"}), err="", out_lines=[here] * 3)


# As flux, which knows the resources of the instance, and of one job in it.
FLUX = """#!/bin/sh
case "$*" in
"resource list -n -s up -o {{nnodes}} {{ncores}} {{nodelist}}") {instance};;
"jobs -n -o {{nnodes}} {{ncores}} {{nodelist}} f2WxAn") echo "1 2 {second}";;
*) echo "flux: unknown words $*" >&2; exit 1;;
esac
"""


@contextlib.contextmanager
def in_flux(instance, second="b"):
    """The environment of such a job."""
    with scratch() as folder:
        with open(os.path.join(folder, "flux"), "w") as file:
            file.write(FLUX.format(instance=instance, second=second))
            os.fchmod(file.fileno(), 0o755)
        yield {"FLUX_URI": "local:///run/flux/local", "PATH": folder + ":" + os.environ["PATH"]}


@needs_cluster(HOSTS)
def flux_is_asked(cluster):
    first, second, third = cluster.hosts[:3]
    with in_flux(f'echo "2 4 {first},{second}"; echo "1 1 {third}"', second) as env:
        expect(launch(*WHERE, env=env), err="", out_lines=[first, first, second, second, third])
        expect(launch("-n", "2", "-ppn", "1", "--allocation", "flux", *WHERE, env=env), err="", out_lines=[first, second])
        expect(launch(*WHERE, env={**env, "FLUX_JOB_ID": "f2WxAn", "FLUX_JOB_SIZE": "1"}), err="", out_lines=[second, second])
        expect(launch("-hosts", third, *WHERE, env=env), err="", out_lines=[third])
        expect(launch(*EXPLAIN, "hostname", env=env), err="",
               out_contains=["5 ranks on 3 hosts", "\nallocation Flux, by flux resource\n"])
        expect(launch("-n", "1", *WHERE, env={**env, "FLUX_JOB_ID": "f2WxAn", "FLUX_JOB_SIZE": "4"}), out_lines=["localhost"],
               err_lines=1, err_contains=["4 tasks of flux run", "--allocation flux"])


@test
def flux_that_does_not_answer_is_told():
    advice = 'for its hosts type -hosts "$(flux getattr hostlist)"'
    here = "launch: note: all ranks run on this machine: this is a job of Flux, and flux resource"
    for instance, why in (("exit 1", "ended with exit code 1"), ("sleep 60", "did not answer within 5 s"), ("echo what", 'not a list of hosts: "what"')):
        with in_flux(instance) as env:
            expect(launch("-n", "1", *WHERE, env=env), out_lines=["localhost"], err_lines=1, err_contains=[here, why, advice])
            expect(launch("--allocation", "flux", "true", env=env), code=2, err_lines=1, err_contains=["--allocation flux: flux resource", why])
    with scratch() as folder:
        env = {"FLUX_URI": "local:///run/flux/local", "PATH": folder}
        expect(launch("-n", "1", "/bin/true", env=env), err_lines=1, err_contains=[here, "cannot be run", advice])
    expect(launch("--allocation", "flux", "true"), code=2,
           err_lines=1, err_contains=["--allocation flux: ", "FLUX_URI"])


if __name__ == "__main__":
    main()
