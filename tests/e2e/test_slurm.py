#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Slurm itself on the test hosts: a controller, a daemon on each host, and launch within salloc and sbatch."""
import contextlib
import os
import shlex
import shutil

from harness import *
from programs import NETWORK, PACKAGES, mpi

HOSTS = 3
PROGRAMS = ("munged", "slurmctld", "slurmd", "salloc", "sbatch")
# All that is a host's own is in its /tmp, which is gone with it; MUNGE's socket is where programs look for it. Hosts have fewer processors than they say.
CONF = """\
ClusterName=tests
SlurmctldHost={controller}
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=/run/munge/munge.socket.2
StateSaveLocation=/tmp/slurm/state
SlurmdSpoolDir=/tmp/slurm/spool
SlurmctldPidFile=/tmp/slurm/slurmctld.pid
SlurmdPidFile=/tmp/slurm/slurmd.pid
SlurmctldLogFile=/tmp/slurm/slurmctld.log
SlurmdLogFile=/tmp/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1
InactiveLimit=0
KillWait=1
NodeName={nodes} CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""
MUNGE = ("mkdir -p -m 755 /tmp/slurm && cp {folder}/key /tmp/slurm/key && chmod 400 /tmp/slurm/key && mkdir -p /run/munge && mount --bind /tmp/slurm /run/munge && "
         "munged --force --socket=/run/munge/munge.socket.2 "
         "--key-file=/tmp/slurm/key --pid-file=/tmp/slurm/munged.pid --log-file=/tmp/slurm/munged.log --seed-file=/tmp/slurm/seed")
# The daemons leave the group of who started them, and slurmd's steps have processes of their own.
END = ("for daemon in slurmctld slurmd munged; do kill $(cat /tmp/slurm/$daemon.pid); done 2>/dev/null; "
       "i=0; while pgrep -x 'slurm.*|munged' >/dev/null && test $i -lt 50; do sleep 0.1; i=$((i + 1)); done; "
       "pkill -KILL -x 'slurm.*|munged'; umount -l /run/munge; rm -rf /tmp/slurm")  # all hosts share /run: the empty folder stays


@contextlib.contextmanager
def slurm(cluster):
    """Runs commands in such a cluster, on its first host."""
    for program in PROGRAMS:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed (packages munge and slurm-wlm)")
    hosts = cluster.hosts[:HOSTS]
    with scratch() as folder:
        conf = os.path.join(folder, "slurm.conf")
        with open(conf, "w") as file:
            file.write(CONF.format(controller=hosts[0], nodes=cluster.fold(HOSTS)))
        with open(os.path.join(folder, "key"), "wb") as file:
            file.write(os.urandom(1024))

        def there(*words, **options):
            return cluster.exec(hosts[0], "env", "SLURM_CONF=" + conf, *words, **options)
        try:
            for host in hosts:
                cluster.command("exec", host, "sh", "-ec", MUNGE.format(folder=folder))
            cluster.command("exec", hosts[0], "sh", "-ec", f"mkdir -p /tmp/slurm/state; slurmctld -f {conf}")
            for host in hosts:
                cluster.command("exec", host, "slurmd", "-f", conf, "-N", host)
            eventually(lambda: there("sinfo", "-h", "-t", "idle", "-o", "%D").lines == [str(HOSTS)], 20, "all hosts of Slurm are up")
            yield there, folder
        finally:
            for host in hosts:
                cluster.command("exec", host, "sh", "-c", END)


@needs_cluster(HOSTS, timeout=120, tier="gate")
def a_job_of_slurm_gives_its_hosts_and_slots(cluster):
    """To launch in salloc's command and in sbatch's script, with no option, by ssh."""
    first, second, third = cluster.hosts[:HOSTS]
    with slurm(cluster) as (there, folder):
        result = there("salloc", "-Q", "-N3", "-n5", LAUNCH, "sh", "-c", "echo $LAUNCH_RANK $(hostname)")
        expect(result, code=0, out_lines=[f"0 {first}", f"1 {first}", f"2 {first}", f"3 {second}", f"4 {third}"])
        expect(there("salloc", "-Q", "-N2", "--cpus-per-task=2", "-n4", LAUNCH, "-v", "hostname"), out_lines=[first, first, second, second],
               err_contains=["Slurm, by SLURM_JOB_NODELIST, slots by SLURM_TASKS_PER_NODE"])
        expect(there("salloc", "-Q", "-N2", "--exclusive", LAUNCH, "-n", "2", "-ppn", "1", "sh", "-c", "exit $LAUNCH_RANK"), code=1,
               err_contains=["exit code 1"])
        job, out = os.path.join(folder, "job"), os.path.join(folder, "out")
        with open(job, "w") as file:
            file.write(f"#!/bin/sh\n{LAUNCH} hostname\necho ended with $?\n")
        expect(there("sbatch", "-Q", "-N3", "-n3", "-o", out, job, cwd=folder), code=0)

        def written():
            with contextlib.suppress(OSError), open(out) as file:
                text = file.read()
                return text if "ended" in text else None
        lines = eventually(written, 20, "the end of the batch job").splitlines()
        if sorted(lines) != sorted([first, second, third, "ended with 0"]):
            fail(str(lines))


@needs_cluster(HOSTS, timeout=120)
def mpi_programs_are_one_world(cluster):
    """In salloc's command, in sbatch's script, started by srun, and in a session there."""
    with slurm(cluster) as (there, folder):
        setting = [f"{name}={value}" for name, value in NETWORK.items()]
        for library in PACKAGES:
            world = ["env", *setting, LAUNCH, "-q", "-n", "4", mpi(library, "mpi_ring")]
            in_session = f"{LAUNCH} session start --name mpi && {shlex.join(world[:-1])} --session mpi {world[-1]}; {LAUNCH} session stop mpi"
            for words in (world, [*world[:-1], "--transport", "srun", world[-1]], ["sh", "-c", in_session]):
                result = there("salloc", "-Q", "-N2", "-n4", *words)
                if "ring of 4: token 4" not in result.lines:
                    fail(f"{library}: {words}: {result}")


@needs_cluster(HOSTS, timeout=120)
def srun_starts_all_hosts_at_once(cluster):
    """Its streams are one for all hosts, so that relays call back."""
    first, second, third = cluster.hosts[:HOSTS]
    with slurm(cluster) as (there, _):
        by_srun = [LAUNCH, "--transport", "srun"]
        expect(there("salloc", "-Q", "-N3", "-n5", *by_srun, "hostname"), out_lines=[first, first, first, second, third], err="")
        expect(there("salloc", "-Q", "-N2", "-n2", *by_srun, "sh", "-c", "head -c 3000000 /dev/zero; exit $((LAUNCH_RANK * 7))"), code=7,
               err_contains=["exit code 7"])
        expect(there("salloc", "-Q", "-N2", *by_srun, "-n", "1", "cat", stdin=b"some\n"), out="some\n", err="")
        steps = there("squeue", "-h", "-s")
        if steps.lines:
            fail(f"steps are left: {steps}")
        expect(there("salloc", "-Q", "-N2", *by_srun, "-hosts", cluster.fold(HOSTS), "hostname"), code=69, out="",
               err_contains=[f"launch: {cluster.fold(HOSTS)}: start: srun ended with exit code 1: "])
        expect(there(*by_srun, "-hosts", first, "--push", "always", "hostname"), code=69, err_contains=["cannot send launch", "--push always"])


@needs_cluster(HOSTS, timeout=120)
def srun_gets_the_key_sealed_by_munge(cluster):
    """Slurm's daemons hand standard input on in the clear."""
    with slurm(cluster) as (there, folder):
        handed, by_hand = os.path.join(folder, "handed"), os.path.join(folder, "srun")
        with open(by_hand, "w") as file:
            file.write(f'#!/bin/sh\ntee {handed} | {shutil.which("srun")} "$@"\n')
        os.chmod(by_hand, 0o755)
        result = there("salloc", "-Q", "-N2", "-n2", "sh", "-c",
                       f"PATH={folder}:$PATH exec {LAUNCH} --transport srun sh -c 'echo $LAUNCH_HOST'")
        expect(result, out_lines=cluster.hosts[:2], err="")
        with open(handed, "rb") as file:
            line = file.read()
        if not line.startswith(b"MUNGE:"):
            fail(f"srun was handed {line[:40]}")


if __name__ == "__main__":
    main()
