#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""To which CPUs ranks are bound, which GPUs they see, and where those meet who are no MPI programs."""
import contextlib
import os
import re
import signal

from harness import *
from harness.basics import CLUSTER
from programs import pmix
from sessions import on, session

CPUS = sorted(os.sched_getaffinity(0))
SHOW = "echo $LAUNCH_RANK $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)"
MADE_UP = {**os.environ, "HWLOC_SYNTHETIC": "pack:2 numa:2 core:2 pu:2"}


def folded(cpus):
    return f"{cpus[0]}-{cpus[-1]}" if len(cpus) > 1 and cpus == list(range(cpus[0], cpus[-1] + 1)) else ",".join(map(str, cpus))


def show(*options, **how):
    return launch(*options, "sh", "-c", SHOW, **how)


@test(tier="gate")
def ranks_are_bound_to_a_core_each_where_there_is_one_for_each():
    everything = folded(CPUS)
    expect(show("-n", "1"), out_lines=[f"0 {everything}"], err="")
    many = 4 * len(CPUS)
    expect(show("-n", str(many)), out_lines=[f"{rank} {everything}" for rank in range(many)], err="")
    expect(show("-n", "2", "--bind", "none"), out_lines=[f"0 {everything}", f"1 {everything}"], err="")
    if len(CPUS) < 2:
        raise Skip("needs two CPUs")
    result = show("-n", "2")
    expect(result, err="")
    bound = {line.split()[1] for line in result.text.splitlines()}
    if len(bound) != 2 or everything in bound:
        fail(f"two ranks are bound to {bound}")


@test
def relays_that_play_hosts_here_do_not_all_take_the_same_cores():
    everything = folded(CPUS)
    result = show("--transport", "local", "-hosts", "a,b", "-ppn", "2")
    expect(result, out_lines=[f"{rank} {everything}" for rank in range(4)], err="")
    expect(launch("--dry-run", "--transport", "local", "-hosts", "a,b", "-ppn", "2", "true"), err="")


@test
def a_binding_is_drawn_by_what_the_kernel_then_says():
    result = show("-n", "1", "--bind", "hwthread", "--report-bindings")
    expect(result, out_lines=[f"0 {CPUS[0]}"], err_contains=[f"rank 0 is bound to CPU {CPUS[0]} [", "B"])
    quiet = launch("-q", "-n", "1", "--bind", "hwthread", "--report-bindings", "true")
    expect(quiet, err_contains=[f"rank 0 is bound to CPU {CPUS[0]} ["], err_lines=1)  # it was asked for
    expect(show("-n", "1", "--bind", f"user:{CPUS[-1]}"), out_lines=[f"0 {CPUS[-1]}"], err="")


HELD = "echo $(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status); exec sleep 100"


@test(tier="clock")
def launches_that_know_nothing_of_each_other_get_cores_that_no_other_has():
    """While there are any, and again when the one that had them has ended, whatever ended it."""
    if len(CPUS) < 2:
        raise Skip("needs two CPUs")
    everything = folded(CPUS)
    jobs = []
    for _ in CPUS:
        jobs.append(Job([LAUNCH, "-n", "1", "--bind", "core", "sh", "-c", HELD]))
        jobs[-1].until(r"\d+\n")
    if sorted(int(job.out) for job in jobs) != CPUS:
        fail(f"launches are bound to {[bytes(job.out) for job in jobs]}")
    expect(show("-n", "1", "--bind", "core", "--report-bindings"), out_lines=[f"0 {CPUS[0]}"],
           err_contains=[f"ranks of other jobs are bound to CPUs {everything}", f"rank 0 is bound to CPU {CPUS[0]} ["])
    note = f"ranks are not bound to cores, because ranks of other jobs are bound to CPUs {everything} "
    expect(show("-n", "2"), out_lines=[f"0 {everything}", f"1 {everything}"], err="")
    expect(show("-n", "2", "--report-bindings"), err_contains=[f"launch: note: localhost: {note}", "--bind core", "--bind none"])
    expect(show("-n", "2", "--bind", "none"), err="")
    expect(launch("--dry-run", "-n", "2", "true"), out_contains=[note], err="")
    expect(launch("--dry-run", "--explain", "-n", "1", "--bind", "core", "true"), out_contains=["ranks of other jobs are bound to CPUs"])
    freed = int(jobs[-1].out)
    jobs[-1].signal(signal.SIGKILL)
    jobs[-1].wait(10)
    eventually(lambda: show("-n", "1", "--bind", "core").text == f"0 {freed}\n", what=f"a launch that is bound to CPU {freed}")
    for job in jobs[:-1]:
        job.signal(signal.SIGTERM)
        job.wait(10)
    if everything in show("-n", "2").text:
        fail("not bound, though all others have ended")


@test
def mpi_ranks_know_that_they_are_bound_and_what_they_share():
    """As their own launchers tell them: Open MPI and MPICH choose by it, and need not look at the machine themselves."""
    client = pmix("pmix_client")
    told = "echo ${OMPI_MCA_orte_bound_at_launch-no} ${HYDRA_USER_PROVIDED_BINDING-no} ${MV2_ENABLE_AFFINITY-no}"
    for pmi, bound, unbound in (("pmi1", "no 1 0", "no no no"), ("pmix", "1 no no", "1 no no")):
        expect(launch("-n", "1", "--bind", "core", "--pmi", pmi, "sh", "-c", told), out=f"{bound}\n", err="")
        expect(launch("-n", "1", "--pmi", pmi, "sh", "-c", told, env={"HYDRA_USER_PROVIDED_BINDING": "1"}), out=f"{unbound}\n", err="")
    expect(launch("-n", "1", "--pmi", "pmix", "sh", "-c", told, env={"OMPI_MCA_hwloc_base_binding_policy": "core"}), out="no no no\n", err="")
    if len(CPUS) < 2:
        raise Skip("needs two CPUs")
    result = launch("-n", "2", "--bind", "hwthread", "--pmi", "pmix", client, "bindings")
    expect(result, err="")
    lines = sorted(line.split()[1:] for line in result.lines)
    if len(lines) != 2 or lines[0] != lines[1]:
        fail(f"ranks do not hear the same: {result}")
    for place, cpu in zip(lines[0], CPUS):
        cpuset, locality = place.split("/")
        parts = locality.split(":")
        if cpuset != str(cpu) or not {"CR", "HT"} <= {part[:2] for part in parts}:
            fail(f"not bound to {cpu}: {place}")
    if len({re.search(r"HT(\d+)", place)[1] for place in lines[0]}) != 2:
        fail(f"one hardware thread for both: {lines[0]}")


@test(tier="gate")
def only_what_taskset_left_is_used():
    last = CPUS[-1]
    result = run(["taskset", "-c", str(last), LAUNCH, "-n", "1", "--bind", "core", "sh", "-c", SHOW])
    expect(result, out_lines=[f"0 {last}"], err="")
    result = run(["taskset", "-c", str(last), LAUNCH, "-n", "2", "--bind", "core", "true"])
    expect(result, code=126, err_contains=["2 ranks", "1 core", "--bind core:overload"])


@contextlib.contextmanager
def cgroup_with(cpus):
    """The folder of a cgroup that has these CPUs alone, as schedulers and containers make them."""
    first, second = "/sys/fs/cgroup/cpuset", "/sys/fs/cgroup"  # of version 1 and 2
    with contextlib.suppress(OSError), open(f"{second}/cgroup.subtree_control") as file:
        first = second if "cpuset" in file.read().split() else first
    if not os.access(f"{first}/cpuset.cpus", os.W_OK) and first != second:
        raise Skip("no cgroup can limit CPUs here")
    folder = f"{first}/test-of-launch-{os.getpid()}"
    os.mkdir(folder)
    try:
        for name, value in (("mems", "0"), ("cpus", folded(cpus))):
            with open(f"{folder}/cpuset.{name}", "w") as file:
                file.write(value)
        yield folder
    finally:
        eventually(lambda: ends(folder), 10, "the cgroup to be empty")


def ends(folder):
    with contextlib.suppress(OSError):
        os.rmdir(folder)
    return not os.path.exists(folder)


@test
def only_what_a_cgroup_has_is_used():
    if len(CPUS) < 2:
        raise Skip("needs two CPUs")
    last = CPUS[-1]
    with cgroup_with([last]) as folder:
        def within(*words):
            return run(["sh", "-c", f'echo $$ > {folder}/cgroup.procs && exec "$@"', "sh", LAUNCH, *words])
        expect(within("-n", "1", "--bind", "core", "sh", "-c", SHOW), out_lines=[f"0 {last}"], err="")
        expect(within("-n", "2", "sh", "-c", SHOW), out_lines=[f"{rank} {last}" for rank in range(2)])
        expect(within("-n", "2", "--bind", "core", "true"), code=126, err_contains=["2 ranks", "1 core"])
        expect(within("-n", "1", "--bind", "cpuset", "sh", "-c", SHOW), out_lines=[f"0 {last}"], err="")


@test
def what_cannot_be_bound_is_told_before_anything_starts():
    expect(launch("-n", "4096", "--bind", "core", "sh", "-c", "echo no"), code=126, out="", err_contains=[" for 4096 ranks"])
    expect(launch("-n", "1", "--bind", "cores", "true"), code=2, err_contains=["--bind cores: "])
    expect(launch("-n", "1", "--bind", "core", "true", env=MADE_UP), code=126, err_contains=["describes another machine"])


@test(tier="gate")
def dry_run_shows_it_in_the_words_of_any_launcher():
    rows = [
        (["--bind", "core"], ["rank 0 is bound to CPUs 0-1 [BB/../../..][../../../..]", "rank 1 is bound to CPUs 2-3"]),
        (["--bind-to", "core", "--map-by", "socket"], ["rank 1 is bound to CPUs 8-9 [../../../..][BB/../../..]"]),
        (["-bind-to", "numa"], ["rank 1 is bound to CPUs 4-7"]),
        (["--map-by", "slot:PE=2"], ["rank 1 is bound to CPUs 4-7"]),
        (["--bind", "core", "--rank-by", "socket", "-n", "8"], ["rank 1 is bound to CPUs 8-9"]),
        (["--bind", "core", "-map-by", "ppr:2:numa"], ["rank 1 is bound to CPUs 2-3"]),
        (["--bind", "core", "-map-by", "numa:2"], ["rank 1 is bound to CPUs 8-9"]),
        (["--bind", "cpuset"], ["rank 0 is bound to CPUs 0-15 [BB/BB/BB/BB][BB/BB/BB/BB]", "rank 1 is bound to CPUs 0-15"]),
    ]
    # As ranks are bound unasked there, not where this is typed.
    expect(launch("--dry-run", "-n", "8", "true", env=MADE_UP), out_contains=["rank 7 is bound to CPUs 14-15"])
    expect(launch("--dry-run", "-n", "2", "--rank-by", "l1", "true", env=MADE_UP), out_contains=["cannot be done here: ", "no l1"])
    for options, lines in rows:
        count = [] if "-n" in options else ["-n", "2"]
        expect(launch("--dry-run", *count, *options, "true", env=MADE_UP), out_contains=lines)
    with_caches = {**os.environ, "HWLOC_SYNTHETIC": "pack:2 l3:2 core:2 pu:1"}
    for words in (["--bind", "l3"], ["-bind-to", "l3dcache"], ["--bind-to", "L3cache"], ["--map-by", "l3"], ["--map-by", "L3cache"],
                  ["--map-by", "core:2"]):
        expect(launch("--dry-run", "-n", "4", *words, "true", env=with_caches),
               out_contains=["rank 0 is bound to CPUs 0-1 [B/B/./.][./././.]", "rank 1 is bound to CPUs 2-3 [././B/B][./././.]",
                             "rank 2 is bound to CPUs 4-5 [./././.][B/B/./.]", "rank 3 is bound to CPUs 6-7 [./././.][././B/B]"])
    expect(launch("--dry-run", "-n", "5", "--bind", "core", "--map-by", "l3", "true", env=with_caches),
           out_contains=["rank 1 is bound to CPU 2 [././B/.][./././.]", "rank 4 is bound to CPU 1 [./B/./.][./././.]"])


def hwloc_mask(cpus):
    """As hwloc writes a set of CPUs: words of 32 bits, the last one first."""
    bits = sum(1 << cpu for cpu in cpus)
    words = [bits >> 32 * i & 0xffffffff for i in range(max(cpus) // 32 + 1)]
    return ",".join(f"0x{word:08x}" for word in reversed(words))


def machine_with_gpus(vendor, buses):
    """The XML of this machine as if each of two CPUs were a socket of its own, with a GPU at the bus of that place.

    Without libxml2 hwloc's own small parser takes only what has its head on lines of their own.
    """
    def sets(cpus):
        return f'cpuset="{hwloc_mask(cpus)}" complete_cpuset="{hwloc_mask(cpus)}" nodeset="0x1" complete_nodeset="0x1"'

    def socket(i, cpu):
        gpu = ""
        if buses:
            gpu = (f'<object type="Bridge" gp_index="4{i}" bridge_type="0-1" depth="0" bridge_pci="0000:[{buses[i]}-{buses[i]}]">'
                   f'<object type="PCIDev" gp_index="5{i}" pci_busid="0000:{buses[i]}:00.0" '
                   f'pci_type="0302 [{vendor}:0001] [0000:0000] 00" pci_link_speed="0.0">'
                   f'<object type="OSDev" gp_index="6{i}" name="card{i}" osdev_type="1"/></object></object>')
        return (f'<object type="Package" os_index="{i}" {sets([cpu])} gp_index="1{i}">'
                f'<object type="Core" os_index="{i}" {sets([cpu])} gp_index="2{i}">'
                f'<object type="PU" os_index="{cpu}" {sets([cpu])} gp_index="3{i}"/></object>{gpu}</object>')

    both = CPUS[:2]
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n'
            f'<topology version="2.0"><object type="Machine" os_index="0" {sets(both)} allowed_cpuset="{hwloc_mask(both)}" '
            'allowed_nodeset="0x1" gp_index="1">'
            f'<object type="NUMANode" os_index="0" {sets(both)} gp_index="2" local_memory="1073741824"/>'
            + "".join(socket(i, cpu) for i, cpu in enumerate(both)) + "</object></topology>\n")


@test(tier="gate")
def each_rank_sees_the_gpu_that_is_nearest_to_its_cpus():
    """Those of a machine that hwloc is told is this one."""
    if len(CPUS) < 2:
        raise Skip("needs two CPUs")
    with scratch() as folder:
        def with_gpus(vendor, buses):
            path = os.path.join(folder, f"{vendor}.xml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(machine_with_gpus(vendor, buses))
            return {**os.environ, "HWLOC_XMLFILE": path, "HWLOC_THISSYSTEM": "1"}

        def seen(variable, *options, env):
            return launch("-n", "2", *options, "sh", "-c", f"echo $LAUNCH_RANK ${variable}", env=env)

        amd = with_gpus("1002", ["01", "41"])
        expect(seen("ROCR_VISIBLE_DEVICES", "--gpus-per-rank", "1", env=amd), out_lines=["0 0", "1 1"], err="")
        # The GPU of the second socket comes first on the bus, by which CUDA is made to count, too.
        nvidia = with_gpus("10de", ["41", "01"])
        expect(seen("CUDA_VISIBLE_DEVICES/$CUDA_DEVICE_ORDER", "--gpus-per-rank", "1", env=nvidia),
               out_lines=["0 1/PCI_BUS_ID", "1 0/PCI_BUS_ID"], err="")
        expect(seen("CUDA_VISIBLE_DEVICES", "--gpus-per-rank", "1", "--bind", "none", env=nvidia), out_lines=["0 0", "1 1"], err="")
        expect(seen("CUDA_VISIBLE_DEVICES", "--gpus-per-rank", "1", "--report-bindings", env=nvidia),
               err_contains=[f"rank 0 is bound to CPU {CPUS[0]} [B][.], CUDA_VISIBLE_DEVICES=1",
                             f"rank 1 is bound to CPU {CPUS[1]} [.][B], CUDA_VISIBLE_DEVICES=0"])
        expect(launch("-n", "1", "--gpus-per-rank", "auto", "sh", "-c", "echo $CUDA_VISIBLE_DEVICES", env=nvidia), out="0,1\n", err="")
        too_few = launch("-n", "3", "--gpus-per-rank", "1", "sh", "-c", "echo no", env=nvidia)
        expect(too_few, code=126, out="", err_contains=["3 ranks", "has 2", "--gpus-per-rank auto"])
        intel = with_gpus("8086", ["41", "01"])
        expect(seen("ZE_AFFINITY_MASK/$ZE_ENABLE_PCI_ID_DEVICE_ORDER", "--gpus-per-rank", "1", env=intel),
               out_lines=["0 1/1", "1 0/1"], err="")
        without = with_gpus("none", [])
        expect(launch("-n", "2", "--gpus-per-rank", "1", "sh", "-c", "echo no", env=without), code=126, out="",
               err_contains=["2 ranks", "has 0", "--gpus-per-rank auto"])
        expect(seen("CUDA_VISIBLE_DEVICES", "--gpus-per-rank", "auto", env=without), out_lines=["0", "1"], err="")


@test
def more_ranks_than_slots_may_be_forbidden():
    lists = ["--transport", "local", "-hosts", "a:2,b:1", "--map-by"]
    expect(launch("-n", "3", *lists, "slot:NOOVERSUBSCRIBE", "true"), err="")
    expect(launch("-n", "4", *lists, "slot:NOOVERSUBSCRIBE", "sh", "-c", "echo no"), code=2, out="",
           err_contains=["4 ranks on 3 slots"])
    expect(launch("-n", "4", *lists, "slot:OVERSUBSCRIBE", "true"), err_contains=["4 ranks on 3 slots"])


@test
def words_of_other_launchers_that_have_no_like_here_are_refused_with_advice():
    for words, advice in ((["--bind-to", "slot"], "--bind-to slot: a slot has no CPUs of its own: use core, hwthread or socket"),
                          (["-bind-to", "gpu0"], "-bind-to gpu0: ranks are not placed by devices: use numa, and --gpus-per-rank N"),
                          (["--map-by", "seq"], "--map-by seq: ranks go to hosts in the order of -hosts or -f"),
                          (["--rank-by", "socket:SPAN"], "--rank-by socket:SPAN: ranks are numbered over the hosts in turn by -map-by node")):
        expect(launch("-n", "2", *words, "true"), code=2, out="", err_contains=[advice], err_lines=1)


@test
def ranks_that_are_no_mpi_programs_meet_at_a_port_that_is_free():
    expect(launch("-n", "4", "--rendezvous", "torch", "python3", "-c", MEET), out_lines=["met 4"], err="")


MEET = """
import os, socket, time
rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
where = (os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]))
assert os.environ["LOCAL_RANK"] == os.environ["LAUNCH_LOCAL_RANK"]
if rank == 0:
    server = socket.create_server(("", where[1]), backlog=64)
    seen = {0}
    while len(seen) < size:
        one, _ = server.accept()
        seen.add(int(one.recv(16)))
        one.close()
    print("met", len(seen))
else:
    for attempt in range(200):
        try:
            one = socket.create_connection(where, timeout=5)
            break
        except OSError:
            time.sleep(0.05)
    one.sendall(str(rank).encode())
    one.recv(1)
"""


@needs_cluster(3)
def ranks_on_hosts_are_told_the_port_of_the_first(cluster):
    for options in ([], ["--allow-missing"]):
        expect(launch("-hosts", cluster.fold(3), "-ppn", "2", *options, "--rendezvous", "env", "python3", "-c", MEET), out_lines=["met 6"])


@needs_cluster(3, timeout=60)
def ranks_are_told_the_interface_by_which_their_host_is_reached(cluster):
    """Unless the user names one; by ssh, by whatever called back, and by who starts this machine without a login."""
    told = ["sh", "-c", "echo $NCCL_SOCKET_IFNAME $GLOO_SOCKET_IFNAME $TP_SOCKET_IFNAME"]
    for more in (["-k", "1"], ["--rendezvous", "torch"], ["--transport", "openssh"]):
        expect(launch("-hosts", cluster.fold(3), "--rendezvous-interface", *more, *told), out_lines=["=eth0 eth0 eth0"] * 3, err="")
    expect(launch("-hosts", cluster.fold(3), *told), out_lines=[""] * 3, err="")
    expect(launch("-hosts", cluster.fold(3), "--rendezvous-interface", "-x", "GLOO_SOCKET_IFNAME=ib0", *told), out_lines=["=eth0 ib0 eth0"] * 3, err="")
    expect(launch("-n", "1", "--rendezvous-interface", *told), out_lines=[""], err="")
    host = cluster.hosts[0]
    every = f"command:sh -c '{CLUSTER} exec \"$0\" \"$@\"' {{hosts}} {{argv}}"
    expect(launch("--transport", every, "-hosts", host, "--rendezvous-interface", *told), out_lines=["=eth0 eth0 eth0"], err="")
    one = f"command:{CLUSTER} exec {{host}} {{argv}}"
    expect(launch("--transport", one, "-hosts", host, "--rendezvous-interface", *told), out_lines=[""],
           err_lines=1, err_contains=f"launch: note: {host}: ")
    result = launch("-hosts", f"localhost,{host}", "--rendezvous-interface", *told)
    names = {line.split()[1] for line in expect(result, err="").lines}
    if len(result.lines) != 2 or "lo" in names or "eth0" not in names:
        fail(str(result))


@needs_cluster(2, timeout=60)
def jobs_of_a_session_get_cores_that_no_other_has(cluster):
    """While there are any, and again when the job that had them has ended."""
    if len(CPUS) < 2:
        raise Skip("needs two CPUs")
    host, everything = cluster.hosts[0], folded(CPUS)
    with session(f"{host}:{4 * len(CPUS)}") as name:
        alone = [LAUNCH, "--session", name, "-n", "1", "--bind", "core", "sh", "-c"]
        jobs = []
        for _ in CPUS:
            jobs.append(Job([*alone, HELD]))
            jobs[-1].until(r"\d+\n")
        if sorted(int(job.out) for job in jobs) != CPUS:
            fail(f"jobs are bound to {[bytes(job.out) for job in jobs]}")
        # Nothing is left: who asked shares a core, who did not is not bound, and is told so if he asks how they are bound.
        expect(on(name, "-n", "1", "--bind", "core", "sh", "-c", SHOW), out_lines=[f"0 {CPUS[0]}"], err="")
        expect(on(name, "-n", "2", "sh", "-c", SHOW), out_lines=[f"0 {everything}", f"1 {everything}"], err="")
        expect(on(name, "-n", "2", "--report-bindings", "sh", "-c", SHOW),
               err_contains=[f"note: {host}: ranks are not bound to cores, ", f" CPUs {everything} "])
        freed = int(jobs[-1].out)
        jobs[-1].signal(signal.SIGTERM)
        jobs[-1].wait(10)
        expect(on(name, "-n", "1", "--bind", "core", "sh", "-c", SHOW), out_lines=[f"0 {freed}"], err="")
        for job in jobs[:-1]:
            job.signal(signal.SIGTERM)
            job.wait(10)
        for _ in range(3):  # one after the other, each finds all of them free
            result = on(name, "-n", "2", "sh", "-c", SHOW)
            expect(result, err="")
            if everything in {line.split()[1] for line in result.lines}:
                fail(f"not bound: {result}")


if __name__ == "__main__":
    main()
