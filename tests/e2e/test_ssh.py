#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Real hosts over ssh: trees, output, input, signals, and what is left when something is killed."""
import os
import resource
import shlex
import signal
import time

from harness import *
from harness.promises import END_AFTER_KILL, HEAD_MIB, RELAY_MIB, end_after_loss, most_kib
from this_machine import SIGNALS, every_process_group_gets

TRANSPORTS = ["ssh", "openssh"]


@needs_cluster(20, tier="gate")
def every_host_answers_with_its_name(cluster):
    for transport in TRANSPORTS:
        for tree in (["-k", "1"], ["-k", "2"], ["-k", "3"], ["-k", "32"], ["--topology", "binomial"], []):
            count = 6 if tree == ["-k", "1"] else 20
            print("   ", transport, tree)
            expect(launch("--transport", transport, "-hosts", cluster.fold(count), *tree, "hostname"),
                   out_lines=cluster.hosts[:count], err="")


@needs_cluster(16)
def hosts_come_from_files_and_standard_input(cluster):
    with scratch() as folder:
        path = os.path.join(folder, "hosts")
        with open(path, "w") as file:
            file.write("# a comment\n%s slots=2 max_slots=4\n%s:2\n\n%s\n" % tuple(cluster.hosts[:3]))
        a, b, c = cluster.hosts[:3]
        expect(launch("-f", path, "hostname"), out_lines=[a, a, b, b, c])
        with open(path, "rb") as file:
            expect(launch("-f", "-", "-n", "3", "hostname", stdin=file.read()), out_lines=[a, a, b])
    expect(launch("-hosts", f"root@{a}:22,{b}-v6", "-k", "1", "sh", "-c", "echo $LAUNCH_HOST $(hostname)"),
           out_lines=[f"{a} {a}", f"{b}-v6 {b}"])


@needs_cluster(16, tier="gate")
def ranks_carry_the_users_environment_and_folder(cluster):
    with scratch() as folder:
        expect(launch("-hosts", cluster.fold(3), "-x", "COLOUR=blue", "-genv", "SIZE", "12", "sh", "-c",
                      "echo $INHERITED $COLOUR $SIZE $HOME; pwd", cwd=folder, env={"INHERITED": "yes"}),
               out_lines=["yes blue 12 /root", os.path.realpath(folder)] * 3)


@needs_cluster(16)
def ranks_carry_the_users_umask_and_limits(cluster):
    """As far as each host allows; a host that does not is no reason to fail."""
    plain, strict = cluster.hosts[:2]
    show = ["bash", "-c", "echo $LAUNCH_RANK $(umask) $(ulimit -Sn) $(ulimit -Ss) $(ulimit -Sc) $(ulimit -Sl)"]

    def below(*words):
        settings = "umask 027; ulimit -Sn 500; ulimit -Ss 4096; ulimit -Sc 0; ulimit -Sl 16"
        result = run(["bash", "-c", settings + '; exec "$@"', "sh", LAUNCH, "-hosts", f"{plain},{strict}", *words, *show])
        expect(result, code=0)
        return [tuple(line.split()[1:5]) for line in sorted(result.lines)], {line.split()[5] for line in result.lines}, result
    try:
        cluster.sshd(strict, 'ForceCommand ulimit -n 400; ulimit -Sn 300; ulimit -Ss 2048; eval "$SSH_ORIGINAL_COMMAND"')
        limits, locked, result = below()
        expect(result, err="")
        if limits != [("0027", "500", "4096", "0"), ("0027", "400", "4096", "0")] or "16" in locked:
            fail(f"{limits}, locked memory {locked}")
        expect(below("-v")[2], err_contains=[
            f"launch: note: {strict}: the limit nofile of the job, 500, is above the hard limit there; ranks get 400"])
        (_, (mask, files, stack, _)), _, _ = below("--propagate", "none")
        if (mask, files, stack) != ("0027", "300", "2048"):
            fail(f"with nothing propagated: {(mask, files, stack)}")
        (_, (_, files, stack, _)), _, _ = below("--propagate", "core,stack")
        if (files, stack) != ("300", "4096"):
            fail(f"of files and stack the latter: {(files, stack)}")
    finally:
        cluster.reset()
    expect(launch("--propagate", "stak", "true"), code=2, err_contains=["--propagate stak: ", "stack"])


@needs_cluster(16)
def ranks_know_the_hosts_of_their_job(cluster):
    show = ["sh", "-c", "echo $LAUNCH_NODE $LAUNCH_FIRST_HOST $LAUNCH_HOSTLIST"]
    a, b, c = cluster.hosts[:3]
    prefix = a.rstrip("0123456789")
    for pmi in ("auto", "none"):
        expect(launch("--pmi", pmi, "-hosts", cluster.fold(5), "-k", "2", *show), err="",
               out_lines=[f"{node} {a} {cluster.fold(5)}" for node in range(5)])
    expect(launch("-hosts", f"root@{c}:22:2,{a}", "-map-by", "node", *show), err="",
           out_lines=[f"{node} {c} {prefix}[{c[len(prefix):]},{a[len(prefix):]}]" for node in (0, 0, 1)])
    # Not those that are missing, and in their places who stands in for them.
    expect(launch("-hosts", f"no-such-host,{b},{c}", "--allow-missing", "-q", *show), code=None,
           out_lines=[f"{node} {b} {cluster.fold(2, first=1)}" for node in range(2)])


@needs_cluster(16, tier="gate")
def what_only_ssh_can_decide_of_its_config_stands(cluster):
    """No option of ours is stronger; and what libssh does not take of it is left to ssh, not ignored."""
    host = cluster.hosts[4]
    with scratch() as folder:
        path, known = os.path.join(folder, "config"), os.path.join(folder, "known")
        for transport in TRANSPORTS:
            with open(path, "w") as file:
                file.write(f"UserKnownHostsFile {known}\nGlobalKnownHostsFile none\n"
                           f"Match exec \"test %h = {host}\"\n  StrictHostKeyChecking accept-new\n  Ciphers aes256-ctr\n")
            expect(launch("--transport", transport, "--ssh-config", path, "-hosts", host, "hostname"), out_lines=[host])
            os.unlink(known)
        with open(path, "w") as file:
            file.write("RequiredRSASize 512\n")
        expect(launch("-v", "--ssh-config", path, "-hosts", host, "hostname"), out_lines=[host],
               err_contains=[f"{host}: started by OpenSSH's client: RequiredRSASize"])


@needs_cluster(16, tier="gate")
def jump_hosts_of_the_ssh_config_are_used(cluster):
    first, host = cluster.hosts[0], cluster.hosts[4]
    path = os.path.join(cluster.home, ".ssh/config")
    with open(path) as file:
        saved = file.read()
    try:
        with open(path, "a") as file:
            file.write(f"Host {host}\n  ProxyJump {first}\n")
        result = launch("-v", "-hosts", host, "sh", "-c", "echo ${SSH_CONNECTION%% *}")
        direct = launch("-hosts", first, "hostname", "-I").text.split()
        expect(result, err_contains=[f"launch: {host}: started by OpenSSH's client: ProxyJump in the ssh config"])
        if result.text.strip() not in direct:
            fail(f"came from {result.text.strip()}, not from {first}: {direct}")
    finally:
        with open(path, "w") as file:
            file.write(saved)


@needs_cluster(16, tier="clock")
def hosts_are_started_as_explained(cluster):
    host = cluster.hosts[0]
    for transport in TRANSPORTS:
        words = ["--transport", transport, "-hosts", host, "--connect-timeout", "7", "sleep", "60"]
        line = launch("--dry-run", "--explain", *words).lines[-1].strip()
        job = Job([LAUNCH, *words])
        eventually(lambda: [pid for name, pid, command in cluster.pids(host) if command == "sleep 60"], what="the rank")
        clients = [proc(pid, "cmdline").split("\0")[:-1] for pid in descendants_of(job.pid) if proc(pid, "comm").strip() == "ssh"]
        if clients != ([shlex.split(line)] if transport == "openssh" else []):
            fail(f"explained: {line}\nrunning: {clients}")
        begins, ends = f"in process, by libssh: root@{host} port 22: exec /bin/sh -c ", f" {LAUNCH} --relay"
        if transport == "ssh" and not (line.startswith(begins) and line.endswith(ends)):
            fail(line)
        job.signal(signal.SIGTERM)
        expect(job.wait(15), code=143)


@needs_cluster(16)
def the_agent_is_forwarded_only_on_request(cluster):
    host = cluster.hosts[4]
    script = f'eval $(ssh-agent) > /dev/null; ssh-add -q ~/.ssh/id_ed25519; "{LAUNCH}" $1 -hosts {host} ssh-add -l; ' \
             'code=$?; ssh-agent -k > /dev/null; exit $code'
    expect(run(["bash", "-c", script, "sh", ""]), code=2)
    expect(run(["bash", "-c", script, "sh", "--forward-agent"]), out_contains=["ED25519"])


@needs_cluster(16, tier="gate")
def bytes_through_a_deep_tree_come_back(cluster):
    blob = os.urandom(8_000_000)
    for transport in TRANSPORTS:
        result = launch("--transport", transport, "-hosts", cluster.fold(4), "-k", "1", "--stdin", "3", "sh", "-c",
                        "if [ $LAUNCH_RANK = 3 ]; then cat; fi", stdin=blob)
        if result.out != blob:
            fail(f"{transport}: {len(result.out)} of {len(blob)} bytes\n{result.err_text}")


@needs_cluster(16)
def much_output_from_many_ranks_is_complete(cluster):
    script = "i=0; while [ $i -lt 400 ]; do echo $LAUNCH_RANK.$i; i=$((i+1)); done"
    result = launch("-hosts", cluster.fold(16), "-ppn", "4", "-k", "2", "sh", "-c", script)
    expect(result, out_lines=[f"{rank}.{i}" for rank in range(64) for i in range(400)])


@needs_cluster(16, tier="gate")
def the_failing_rank_is_named_with_its_host(cluster):
    result = launch("-hosts", cluster.fold(16), "-k", "3", "sh", "-c", "sleep 1; test $LAUNCH_RANK != 11 || exit 9; sleep 60")
    expect(result, code=9, err_lines=1,
           err_contains=[f"launch: rank 11 on {cluster.hosts[11]}: ended with exit code 9; 15 other ranks were ended"])


@needs_cluster(16, timeout=120)
def signals_reach_process_groups_at_the_end_of_the_tree(cluster):
    for number, code in SIGNALS.items():
        print("   ", number.name)
        every_process_group_gets(number, code, 5, "-hosts", cluster.fold(5), "-k", "1")


@needs_cluster(16, tier="gate")
def interrupt_ends_ranks_everywhere(cluster):
    job = Job([LAUNCH, "-hosts", cluster.fold(16), "-k", "2", "sh", "-c", "echo ready; exec sleep 100"])
    for _ in range(16):
        job.until("ready")
    job.signal(signal.SIGINT)
    expect(job.wait(10), code=130)


def in_time(begin, limit):
    took, limit = time.monotonic() - begin, allowed(limit)
    print(f"    {took:.1f} s of {limit:.1f}")
    if took > limit:
        fail(f"took {took:.1f} s to end, not {limit:.1f}")


@needs_cluster(16, timeout=120, tier="clock")
def kill_of_the_head_ends_everything_in_five_seconds(cluster):
    for transport in TRANSPORTS:
        for who in ("seen", "worker"):
            job = running_job(cluster, cluster.fold(8), 2, transport)
            wait_ready(job, 8)
            pid = job.pid
            if who == "worker":
                with open(f"/proc/{job.pid}/task/{job.pid}/children") as children:
                    pid = int(children.read().split()[0])
            os.kill(pid, signal.SIGKILL)
            nothing_left(cluster, cluster.hosts[:8])
            job.wait(10)


@needs_cluster(16, timeout=200, tier="clock")
def kill_of_any_relay_ends_the_job_and_names_the_host(cluster):
    for position, host in (("inner", cluster.hosts[0]), ("leaf", cluster.hosts[7])):
        for process in (0, 1):
            job = running_job(cluster, cluster.fold(8), 2)
            wait_ready(job, 8)
            os_pid = launch_pids(cluster, host)[process]
            os.kill(os_pid, signal.SIGKILL)
            begin = time.monotonic()
            result = job.wait(15)
            expect(result, code=69, err_contains=[f"launch: {host}: run: the connection ended"])
            nothing_left(cluster, cluster.hosts[:8])
            in_time(begin, END_AFTER_KILL)


@needs_cluster(16, timeout=120, tier="clock")
def what_a_kill_of_all_of_a_relay_spares_is_ended_by_the_next_job_there(cluster):
    host = cluster.hosts[2]
    job = running_job(cluster, cluster.fold(4), 4)
    wait_ready(job, 4)
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in launch_pids(cluster, host):
            os.kill(pid, number)
    expect(job.wait(15), code=69, err_contains=[f"launch: {host}: run: the connection ended"])
    nothing_left(cluster, [other for other in cluster.hosts[:4] if other != host])
    if not of_the_job(cluster, [host]):
        fail("nothing is left: nothing to test")
    expect(launch("-hosts", cluster.fold(4), "hostname"), out_lines=cluster.hosts[:4], err="")
    nothing_left(cluster, [host])


@needs_cluster(16, timeout=120)
def the_last_words_of_a_relay_are_heard(cluster):
    if sanitized():
        raise Skip("a sanitizer needs its address space")
    host = cluster.hosts[1]
    for transport in TRANSPORTS:
        with scratch() as folder:
            job = Job([LAUNCH, "--transport", transport, "-hosts", cluster.fold(2), "-k", "1", "sh", "-c",
                       "echo ready; while ! test -e $0; do sleep 0.02; done; exec head -c 50000000 /dev/zero", f"{folder}/go"])
            wait_ready(job, 2)
            resource.prlimit(launch_pids(cluster, host)[-1], resource.RLIMIT_AS, (4096, 4096))
            with open(f"{folder}/go", "w"):
                pass
            expect(job.wait(15), code=69, err_contains=[
                f"launch: {host}: run: its relay ended: internal fault: std::bad_alloc"])
        nothing_left(cluster, cluster.hosts[:2])


@needs_cluster(16, timeout=120, tier="gate")
def kill_of_a_rank_is_reported_as_its_signal(cluster):
    host = cluster.hosts[5]
    job = running_job(cluster, cluster.fold(8), 2)
    wait_ready(job, 8)
    rank = [pid for name, pid, command in cluster.pids(host) if command.startswith("sh -c setsid")]
    os.kill(int(rank[0]), signal.SIGKILL)
    result = job.wait(15)
    expect(result, code=137, err_contains=[f"rank 5 on {host}: ended by signal 9 (Killed)"])
    nothing_left(cluster, cluster.hosts[:8])


@needs_cluster(16, timeout=120, tier="clock")
def a_host_that_dies_ends_the_job(cluster):
    host = cluster.hosts[2]
    job = running_job(cluster, cluster.fold(4), 2)
    wait_ready(job, 4)
    cluster.kill(host)
    begin = time.monotonic()
    expect(job.wait(20), code=69, err_contains=[f"{host}: run: "])
    nothing_left(cluster, [other for other in cluster.hosts[:4] if other != host])
    in_time(begin, end_after_loss())
    cluster.reset()


@needs_cluster(16, timeout=120, tier="clock")
def a_killed_sshd_session_costs_a_job_nothing_that_has_other_links(cluster):
    """Killed with SIGKILL; what becomes of the output then: test_faults.py."""
    host = cluster.hosts[1]
    for transport in TRANSPORTS:
        for links in ("auto", "ssh"):
            print("   ", transport, links)
            with scratch() as folder:
                job = Job([LAUNCH, "--transport", transport, "--links", links, "-hosts", cluster.fold(3), "-k", "1", "sh", "-c",
                           "echo ready; while ! test -e $0; do sleep 0.05; done; echo over", f"{folder}/go"])
                wait_ready(job, 3)
                for session in sshd_sessions(cluster, host):
                    os.kill(session, signal.SIGKILL)
                time.sleep(0.5)
                with open(f"{folder}/go", "w"):
                    pass
                if links == "auto":
                    expect(job.wait(15), out_lines=["ready"] * 3 + ["over"] * 3, err="")
                else:
                    expect(job.wait(15), code=69, err_contains=[f"launch: {host}: run: the connection ended"])
            nothing_left(cluster, cluster.hosts[:3])


@needs_cluster(16)
def a_stopped_job_lives_on(cluster):
    """Stopped for longer than silence is borne, then continued: nobody takes the head for dead."""
    script = f'set -m; "{LAUNCH}" -hosts {cluster.fold(4)} -k 2 sh -c "echo ready; for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; done; echo over" & ' \
             'sleep 2; kill -TSTP %1; sleep 7; jobs; echo ==; kill -CONT %1; wait %1; echo code $?'
    script = script.replace("1 2 3 4 5 6 7 8 9", " ".join(map(str, range(30))))
    result = run(["bash", "-c", script], timeout=40)
    before, after = [part.splitlines() for part in result.text.split("==")]
    if not any("Stopped" in line for line in before) or "over" in before or after.count("over") != 4 or "code 0" not in after:
        fail(str(result))


@needs_cluster(24)
def memory_is_as_promised(cluster):
    if sanitized():
        raise Skip("a sanitizer needs memory of its own")
    result = launch("-hosts", cluster.fold(24), "-k", "8", "--stats", "json", "hostname")
    expect(result, out_lines=cluster.hosts[:24])
    head, *relays = [node["private_kib"] for node in stats_of(result)["nodes"]]
    most_in(relays, most_kib(RELAY_MIB, direct=False, flow=False))
    most_in([head], most_kib(HEAD_MIB, direct=False, flow=False))


def most_in(private, limit):
    print(f"    {max(private)} KiB of {limit}")
    if max(private) > limit:
        fail(f"KiB of their own: {private}, not {limit}")


@needs_cluster(16, tier="clock")
def memory_stays_bounded_with_a_stalled_reader(cluster):
    if sanitized():
        raise Skip("a sanitizer needs memory of its own")
    for links in ("ssh", "direct"):
        job = Job([LAUNCH, "-hosts", cluster.fold(16), "-k", "3", "--links", links, "yes", "x" * 79])
        relays = eventually(lambda: (lambda all_of_them: len(all_of_them) == 32 and all_of_them)(relays_of(cluster)), what="the relays")
        time.sleep(3)
        most_in([private_kib(pid) for pid in relays], most_kib(RELAY_MIB, direct=links == "direct"))
        job.close_stdout()
        expect(job.wait(15), code=141, err="")


def relays_of(cluster):
    return [pid for host in cluster.hosts[:16] for pid in launch_pids(cluster, host)]


if __name__ == "__main__":
    main()
