#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How long ranks take to find each other: launch beside mpiexec.hydra and Open MPI's mpirun, on many real hosts.

    tests/bench/modex_bench.py [--hosts 64,256,900] [--parts exchange,read,pmix,large,mpi,true,output,stage] [--rounds 3] [--skip-slow]

Brings up the test cluster (needs root, and a build with tests), runs the contenders of each part in turn, and prints
tables in Markdown: medians over the rounds, with the wall seconds and CPU seconds of whole runs beside them. CPU is that of
the whole machine: ranks, launchers, daemons on all test hosts. A run is ended when it takes too long or eats the memory.

  exchange  put of 200 B and fence, and an empty fence, one rank a host, over PMI-1 (tests/helpers/pmi_bench.cpp), when
            links have moved to better ones, and the mean of the job's first ten empty fences, before that; beside them a
            barrier of bare TCP along a tree, the least that any launcher takes here (tests/helpers/barrier_floor.cpp)
  read      16 ranks on each of 64 hosts, each reading all cards; Hydra takes minutes (--skip-slow leaves it out)
  pmix      PMIx_Init, put and fence, one rank a host, at up to 256 hosts (more is not survived by all contenders)
  large     a PMIx fence in which each of 64 hosts contributes 100 kB, along the tree and among peers, from start to end
  mpi       an empty MPI program on 64 hosts, from start to end
  true      /bin/true on so many hosts, from start to end
  output    1 GB from eight hosts, from start to end
  stage     a file of 64 MB to the fewest hosts, from start to end
--before names another build of launch, which then takes part in all but pmix, large and mpi.
"""
import argparse
import contextlib
import datetime
import json
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLUSTER = os.path.join(ROOT, "tests/cluster/cluster")
LEAST_MEMORY = 600  # MiB left for everything else: below that a run is ended
NETWORK = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1",
           "OMPI_MCA_btl_tcp_if_include": "eth0"}
FAST_KEX = "-oKexAlgorithms=curve25519-sha256"


# --- one run


class Run:
    def __init__(self, wall, cpu, code, out, error):
        self.wall, self.cpu, self.code, self.out, self.error = wall, cpu, code, out, error

    def figures(self):
        """The line of JSON that a bench program prints, if the run went well."""
        found = re.search(r"^\{.*\}$", self.out, re.M)
        return json.loads(found.group()) if self.code == 0 and found else {} if self.code == 0 else None


def busy_seconds():
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq = map(int, file.readline().split()[1:8])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def free_memory():
    with open("/proc/meminfo") as file:
        return int(re.search(r"MemAvailable:\s+(\d+)", file.read()).group(1)) // 1024


def clean_hosts():
    """After a run that was ended: nothing of it may go on, here it would spoil the next."""
    listed = subprocess.run([CLUSTER, "pids"], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    for line in listed:
        with contextlib.suppress(OSError):
            os.kill(int(line.split()[1]), signal.SIGKILL)


def measure(command, limit):
    begin, cpu, why = time.monotonic(), busy_seconds(), ""
    process = subprocess.Popen([CLUSTER, "run", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, **NETWORK}, start_new_session=True)
    while True:
        try:
            out, error = process.communicate(timeout=0.5)
            break
        except subprocess.TimeoutExpired:
            late, full = time.monotonic() - begin > limit, free_memory() < LEAST_MEMORY
            if not why and (late or full):
                why = f"ended after {limit:.0f} s" if late else "ended: it ate the memory"
                os.killpg(process.pid, signal.SIGKILL)
    result = Run(time.monotonic() - begin, busy_seconds() - cpu, why or process.returncode, out, error.strip()[-300:])
    if why:
        clean_hosts()
    return result


# --- the contenders


class Field:
    """Commands that start `program` with so many ranks on the first `hosts` hosts."""

    def __init__(self, args, hosts):
        self.launch, self.before = args.launch, args.before
        self.hosts = hosts
        # The rivals' daemons connect back: they need an address of the head that they can reach.
        route = subprocess.run(["ip", "route", "get", socket.gethostbyname(hosts[0])], check=True, stdout=subprocess.PIPE, text=True)
        self.address = re.search(r"src (\S+)", route.stdout).group(1)

    def hostfile(self, count):
        path = os.path.join(ROOT, "build", f"bench-hosts-{count}")
        with open(path, "w") as file:
            file.write("".join(host + "\n" for host in self.hosts[:count]))
        return path

    def ours(self, count, ppn, *words, executable=None):
        return [executable or self.launch, "-f", self.hostfile(count), "-n", str(count * ppn), "-ppn", str(ppn), *words]

    def hydra(self, count, ppn, *words, fast=True):
        return [*(["env", f"HYDRA_LAUNCHER_EXTRA_ARGS={FAST_KEX}"] if fast else []), "mpiexec.hydra", "-launcher", "ssh", "-localhost",
                self.address, "-f", self.hostfile(count), "-n", str(count * ppn), "-ppn", str(ppn), *words]

    def open_mpi(self, count, ppn, *words, fast=True):
        network = ".".join(self.address.split(".")[:2]) + ".0.0/16"
        return ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "--mca", "oob_tcp_if_include", network,
                *(["--mca", "plm_rsh_args", FAST_KEX] if fast else []), "--hostfile", self.hostfile(count), "--map-by", f"ppr:{ppn}:node",
                "-n", str(count * ppn), *words]

    def launchers(self, count, ppn, *words):
        yield "launch -k 32", self.ours(count, ppn, "-k", "32", *words)
        yield "launch (its own choice)", self.ours(count, ppn, *words)
        yield from self.earlier("launch -k 32", count, ppn, "-k", "32", *words)

    def earlier(self, name, count, ppn, *words):
        """The same by another build of launch, where one is named."""
        if self.before:
            yield f"{name}, before", self.ours(count, ppn, *words, executable=self.before)

    def links(self, count, ppn, *words):
        yield "launch", self.ours(count, ppn, *words)
        yield "launch --links direct", self.ours(count, ppn, "--links", "direct", *words)
        yield "launch --links ssh", self.ours(count, ppn, "--links", "ssh", *words)
        yield from self.earlier("launch", count, ppn, *words)
        yield from self.earlier("launch --links ssh", count, ppn, "--links", "ssh", *words)


def rivals(name):
    """Whether that one is here."""
    if shutil.which(name):
        return True
    print(f"# {name} is not here", file=sys.stderr)
    return False


# --- parts: (title, columns, [(contender, command, limit)])


def exchange(args, field, count):
    program = [helper("pmi_bench"), "--reps", str(args.reps), "--warm", "100"]
    contenders = list(field.links(count, 1, *program))
    if rivals("mpiexec.hydra"):
        contenders.append(("mpiexec.hydra", field.hydra(count, 1, *program)))
    contenders.append(("the machine's floor", field.ours(count, 1, "-k", "32", helper("barrier_floor"), "--reps", str(args.reps))))
    columns = {"put 200 B + fence, rank 0, ms": "put_fence.rank0", "last rank": "put_fence.median",
               "empty fence, rank 0, ms": "barrier.rank0", "last rank ": "barrier.median",
               "mean of the first ten, ms": "first_ten"}
    return f"PMI-1, {count} hosts, 1 rank each", columns, contenders


def read(args, field, count):
    program = [helper("pmi_bench"), "--reps", "3", "--read"]
    contenders = list(field.launchers(count, 16, *program))
    if not args.skip_slow and rivals("mpiexec.hydra"):
        contenders.append(("mpiexec.hydra", field.hydra(count, 16, *program)))
    columns = {"all cards read, ms": "read_all", "put + fence, ms": "put_fence.median"}
    return f"{16 * count} ranks on {count} hosts, each reads all cards", columns, contenders


def pmix(args, field, count):
    program = [helper("pmix_bench"), str(args.reps)]
    contenders = list(field.links(count, 1, *program))
    if rivals("mpirun.openmpi"):
        contenders.append(("mpirun (Open MPI)", field.open_mpi(count, 1, *program)))
    columns = {"PMIx_Init, longest, ms": "init", "put 200 B + fence, ms": "put_fence.median", "empty fence, ms": "barrier.median",
               "libpmix's CPU in rank 0: init, ms": "init_cpu", "put + fence, ms": "put_fence_cpu"}
    return f"PMIx, {count} hosts, 1 rank each", columns, contenders


def large(args, field, count):
    program = [helper("pmix_cards"), "collect", "100000", "1"]
    contenders = [(f"launch -k 8 --modex {how}", field.ours(count, 1, "-k", "8", "--pmi", "pmix", "--modex", how, *program))
                  for how in ("gather", "auto", "ring", "bruck", "doubling")]
    if rivals("mpirun.openmpi"):
        contenders.append(("mpirun (Open MPI)", field.open_mpi(count, 1, *program)))
    return f"a PMIx fence of 100 kB from each of {count} hosts", {}, contenders


def mpi(args, field, count):
    contenders = []
    if rivals("mpiexec.hydra"):
        program = helper("mpich/mpi_empty")
        contenders += [("MPICH: " + name, command) for name, command in field.launchers(count, 1, program)]
        contenders += [("MPICH: mpiexec.hydra, curve25519", field.hydra(count, 1, program)),
                       ("MPICH: mpiexec.hydra, ssh's defaults", field.hydra(count, 1, program, fast=False))]
    if rivals("mpirun.openmpi"):
        program = helper("openmpi/mpi_empty")
        contenders += [("Open MPI: " + name, command) for name, command in field.launchers(count, 1, program)]
        contenders += [("Open MPI: mpirun, curve25519", field.open_mpi(count, 1, program)),
                       ("Open MPI: mpirun, ssh's defaults", field.open_mpi(count, 1, program, fast=False))]
    return f"an empty MPI program on {count} hosts", {}, contenders


def true(args, field, count):
    return f"/bin/true on {count} hosts", {}, list(field.launchers(count, 1, "/bin/true"))


def output(args, field, count):
    """What the first eight hosts write at once goes to the head's standard output."""
    gigabyte = ["head", "-c", str(10**9 // 8), "/dev/zero"]
    contenders = [("launch", field.ours(8, 1, *gigabyte)), *field.earlier("launch", 8, 1, *gigabyte)]
    if rivals("mpiexec.hydra"):
        contenders.append(("mpiexec.hydra", field.hydra(8, 1, *gigabyte)))
    each = 'while [ "$1" != head ]; do hosts="$hosts $1"; shift; done; for host in $hosts; do ssh "$host" "$*" & done; wait'
    contenders.append(("ssh to each, at once", ["sh", "-c", each, "sh", *field.hosts[:8], *gigabyte]))
    into_nothing = ["sh", "-c", 'exec "$@" > /dev/null', "sh"]
    return "1 GB of output from 8 hosts", {}, [(name, [*into_nothing, *command]) for name, command in contenders]


def stage(args, field, count):
    """The file is new for each run, as hosts keep what they have."""
    sent = ["sh", "-c", 'file=$(mktemp "$0/stage.XXXXXX") && head -c 64000000 /dev/urandom > "$file" && "$@" --stage "$file" true; code=$?; '
            'rm -f "$file"; exit $code', os.path.join(ROOT, "build")]
    contenders = [("launch", field.ours(count, 1)), *field.earlier("launch", count, 1)]
    return f"--stage of 64 MB to {count} hosts", {}, [(name, [*sent, *command]) for name, command in contenders]


def helper(name):
    return os.path.join(os.environ.get("HELPERS") or os.path.join(ROOT, "build/release/tests"), name)


def plan(args, field):
    """Every part with the numbers of hosts it is for, as far as there are so many."""
    smallest = min(args.hosts)
    sizes = {exchange: args.hosts, read: [smallest], pmix: [n for n in args.hosts if n <= 256], large: [smallest], mpi: [smallest], true: args.hosts, output: [smallest], stage: [smallest]}
    for part, counts in sizes.items():
        if part.__name__ in args.parts:
            for count in counts:
                yield part(args, field, count)


# --- results


def value(figures, path):
    for word in path.split("."):
        figures = figures.get(word, {}) if isinstance(figures, dict) else {}
    return figures if isinstance(figures, (int, float)) else None


def number(values):
    known = [v for v in values if v is not None]
    if not known:
        return "-"
    middle = statistics.median(known)
    return f"{middle:.0f}" if middle >= 100 else f"{middle:.1f}" if middle >= 10 else f"{middle:.2f}"


def table(title, columns, results):
    heads = ["launcher", *(name.strip() for name in columns), "run, wall s", "CPU s"]
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for name, runs in results.items():
        good = [run for run in runs if run.figures() is not None]
        if not good:
            print(f"| {name} | {runs[-1].code} |" + " |" * (len(heads) - 2))
            continue
        cells = [number([value(run.figures(), path) for run in good]) for path in columns.values()]
        cells += [number([run.wall for run in good]), number([run.cpu for run in good])]
        print(f"| {name} | {' | '.join(cells)} |")
    sys.stdout.flush()


def contest(args, title, columns, contenders):
    results = {}
    for turn in range(args.rounds):
        for name, command in contenders:
            earlier = results.setdefault(name, [])
            if earlier and isinstance(earlier[-1].code, str):
                continue  # who had to be ended once is not tried again
            run = measure(command, args.limit)
            earlier.append(run)
            print(f"# {title}: {name}: {run.wall:.2f} s wall, {run.cpu:.1f} s CPU, code {run.code} {run.out.strip()[:300]} {run.error if run.code else ''}",
                  file=sys.stderr, flush=True)
            time.sleep(args.pause)
    table(title, columns, results)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=lambda text: sorted(map(int, text.split(","))), default=[64, 256, 900])
    parser.add_argument("--parts", type=lambda text: text.split(","), default=["exchange", "read", "pmix", "large", "mpi", "true", "output", "stage"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--reps", type=int, default=11, help="within a run; the first is told separately")
    parser.add_argument("--limit", type=float, default=240, help="seconds that a run may take")
    parser.add_argument("--pause", type=float, default=2, help="seconds of rest between runs")
    parser.add_argument("--skip-slow", action="store_true")
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--before", help="another build of launch, to compare with; below the checkout, so that hosts see it")
    return parser.parse_args()


def main():
    args = arguments()
    most = max(args.hosts)
    subprocess.run([CLUSTER, "up", str(most)], check=True, stdout=subprocess.DEVNULL)
    hosts = subprocess.run([CLUSTER, "hosts"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[:most]
    field = Field(args, hosts)
    print(f"{platform.machine()}, {os.cpu_count()} cores for all hosts, {datetime.date.today()}; medians of {args.rounds} runs each, in turn")
    for title, columns, contenders in plan(args, field):
        contest(args, title, columns, contenders)


if __name__ == "__main__":
    main()
