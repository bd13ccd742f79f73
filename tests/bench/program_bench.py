#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real programs under launch beside the same under the launcher of their MPI library: mpirun of Open MPI, mpiexec.hydra of MPICH.

    tests/bench/program_bench.py [--rounds 7] [--hosts 4] [--only lammps] [--places bound crowded hosts] [--launch ./launch]

Needs, beyond what the tests do, Debian's packages lammps and hpcc (what is missing is left out), and root for the test hosts.
Debian builds them, and mpi4py, with Open MPI; for both libraries there is programs/mpi_mix.c. Each is run

  bound    on this machine with a rank for each of its cores, which the launchers bind to a core each (Hydra: told to)
  crowded  on this machine with two ranks for each core
  hosts    on test hosts, one rank each

by both launchers in turn, which of them is first alternating. Of a run there are: wall seconds of the whole command; and of the
ranks alone (programs/rank_cost.c, preloaded), from the first one's start to the last one's end wall seconds, processor seconds,
and how often they waited and were put off. A machine that does other things changes the wall most and processor seconds least.
Printed are medians, and the median of the quotients of the pairs.
"""
import argparse
import datetime
import os
import platform
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLUSTER = os.path.join(ROOT, "tests/cluster/cluster")
PROGRAMS = os.path.join(ROOT, "tests/bench/programs")
BUILT = os.path.join(ROOT, "build", "bench-programs")
CORES = len(os.sched_getaffinity(0))
# Test hosts share one kernel and its cores: only the network is common to them, and who waits is to let others run.
ON_HOSTS = {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl_tcp_if_include": "eth0", "OMPI_MCA_mpi_yield_when_idle": "1",
            "UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}
FIGURES = ("wall", "ranks' wall", "ranks' CPU", "waits", "put off")


def build():
    os.makedirs(BUILT, exist_ok=True)
    compile_one = ["-O2", "-o"]
    subprocess.run(["cc", "-shared", "-fPIC", *compile_one, f"{BUILT}/rank_cost.so", f"{PROGRAMS}/rank_cost.c"], check=True)
    for library in ("openmpi", "mpich"):
        if shutil.which(f"mpicc.{library}"):
            subprocess.run([f"mpicc.{library}", *compile_one, f"{BUILT}/mix_{library}", f"{PROGRAMS}/mpi_mix.c"], check=True)


def programs(place):
    """Name, MPI library, command; sized to run for some seconds on two cores."""
    steps = {"bound": "20000", "crowded": "200", "hosts": "200"}[place]
    rounds = {"bound": "200", "crowded": "5", "hosts": "5"}[place]
    if shutil.which("mpirun.openmpi"):
        yield "mpi4py", "openmpi", ["/usr/bin/python3", f"{PROGRAMS}/mpi4py_mix.py", rounds]
        yield "mix", "openmpi", [f"{BUILT}/mix_openmpi", steps]
    # MPICH's ranks do not yield: where they outnumber the cores nothing but chance is measured. Over UCX's TCP they may hang in
    # MPI_Finalize, whoever started them.
    if shutil.which("mpiexec.hydra") and place == "bound":
        yield "mix", "mpich", [f"{BUILT}/mix_mpich", steps]
    if shutil.which("lmp"):
        yield "lammps", "openmpi", ["lmp", "-in", f"{PROGRAMS}/in.lj", "-var", "n", "16", "-var", "steps",
                                    "100" if place == "hosts" else "300", "-log", "none"]
    if shutil.which("hpcc"):
        yield "hpcc", "openmpi", ["hpcc"]


def head_address(host):
    """Hydra's proxies connect back: they need an address of the head that they can reach."""
    route = subprocess.run(["ip", "route", "get", socket.gethostbyname(host)], check=True, stdout=subprocess.PIPE, text=True).stdout
    return re.search(r"src (\S+)", route).group(1)


def starters(args, library, place, hosts, ranks):
    """The command of each launcher, without the program."""
    told = {"LD_PRELOAD": f"{BUILT}/rank_cost.so", "RANK_COST": os.path.join(BUILT, "costs")}
    listed = ",".join(hosts)
    on = place == "hosts"
    launch = [args.launch, "-n", ranks, *(["-hosts", listed] if on else [])]
    for name, value in told.items():
        launch += ["-x", f"{name}={value}"]
    if library == "openmpi":
        words = ["--host", listed, "--map-by", "node"] if on else ["--oversubscribe"] if place == "crowded" else []
        for name, value in told.items():
            words += ["-x", f"{name}={value}"]
        return launch, ["mpirun.openmpi", "--allow-run-as-root", "-n", ranks, *words]
    words = ["-launcher", "ssh", "-hosts", listed, "-localhost", head_address(hosts[0])] if on else []
    words += ["-bind-to", "core"] if place == "bound" else []
    for name, value in told.items():
        words += ["-genv", name, value]
    return launch, ["mpiexec.hydra", *words, "-n", ranks]


def costs():
    with open(os.path.join(BUILT, "costs")) as file:
        rows = [[float(word) for word in line.split()] for line in file]
    return [max(row[1] for row in rows) - min(row[0] for row in rows), *(sum(row[i] for row in rows) for i in (2, 3, 4))]


def measure(command, place, folder, limit):
    """None: it failed, or did not end."""
    with open(os.path.join(BUILT, "costs"), "w"):
        pass
    env = {**os.environ, **(ON_HOSTS if place == "hosts" else {})}
    begin = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder, env=env,
                              timeout=limit)
    except subprocess.TimeoutExpired:
        print(f"# not ended in {limit} s: {' '.join(command)}", file=sys.stderr)
        return None
    wall = time.monotonic() - begin
    if done.returncode:
        print(f"# code {done.returncode}: {' '.join(command)}: {done.stdout.decode(errors='replace')[-500:]}", file=sys.stderr)
        return None
    return [wall, *costs()]


def hpcc_input(place, ranks):
    """The sizes that are open in hpccinf.txt. What small steps cost among crowded ranks, or over a network, is what takes long there."""
    rows = max(row for row in range(1, ranks + 1) if ranks % row == 0 and row * row <= ranks)
    size = {"bound": 600, "crowded": 200, "hosts": 200}[place]
    return {"hpl_rows": size, "ptrans_rows": 2 * size, "grid_rows": rows, "grid_columns": ranks // rows}


def compare(args, name, library, words, place, hosts):
    ranks = {"bound": CORES, "crowded": 2 * CORES, "hosts": len(hosts)}[place]
    pair = starters(args, library, place, hosts, str(ranks))
    runs = []
    with tempfile.TemporaryDirectory(dir=BUILT) as folder:
        if name == "hpcc":
            with open(f"{PROGRAMS}/hpccinf.txt") as file, open(f"{folder}/hpccinf.txt", "w") as mine:
                mine.write(file.read().format(**hpcc_input(place, ranks)))
        for turn in range(args.rounds):
            both = [None, None]
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                both[which] = measure([*pair[which], *words], place, folder, args.limit)
            if None not in both:
                runs.append(both)
    print(row(f"{name} ({library})", ranks, place, args.rounds, runs), flush=True)


def row(name, ranks, place, rounds, runs):
    if not runs:
        return f"| {name} | {place} | {ranks} | no pair of {rounds} | | | | |"
    cells = []
    for figure in range(len(FIGURES)):
        mine, its = (statistics.median(run[which][figure] for run in runs) for which in (0, 1))
        digits = 2 if figure < 3 else 0
        quotient = statistics.median(run[0][figure] / max(run[1][figure], 1e-9) for run in runs)
        cells.append(f"{mine:.{digits}f} / {its:.{digits}f}" + (f" ({100 * (quotient - 1):+.0f} %)" if figure < 3 else ""))
    return f"| {name} | {place} | {ranks} | " + " | ".join(cells) + " |"


def inside(args):
    """As the head of the test cluster."""
    hosts = subprocess.run([CLUSTER, "hosts"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[:args.hosts]
    print(f"launch / its own launcher; {platform.machine()}, {CORES} cores for all, {datetime.date.today()}; medians of {args.rounds} pairs\n")
    print("| program | where | ranks | " + " | ".join(FIGURES) + " |\n|" + " --- |" * (3 + len(FIGURES)))
    for place in args.places:
        for name, library, words in programs(place):
            if not args.only or name in args.only:
                compare(args, name, library, words, place, hosts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("--places", nargs="+", default=["bound", "crowded", "hosts"], choices=["bound", "crowded", "hosts"])
    parser.add_argument("--only", nargs="+", choices=["mpi4py", "mix", "lammps", "hpcc"])
    parser.add_argument("--launch", default=os.path.join(ROOT, "launch"))
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        return inside(args)
    build()
    subprocess.run([CLUSTER, "up", str(args.hosts)], check=True, stdout=subprocess.DEVNULL)
    return subprocess.run([CLUSTER, "run", sys.executable, os.path.abspath(__file__), "--inside", *sys.argv[1:]]).returncode


if __name__ == "__main__":
    sys.exit(main())
