"""A job on hosts that something happens to, and what its nodes told."""
import contextlib
import json

from harness.basics import LAUNCH, fail
from harness.job import Job, eventually


def launch_pids(cluster, host):
    return [int(pid) for name, pid, command in cluster.pids(host) if "--relay" in command]


def sshd_sessions(cluster, host):
    return [int(pid) for name, pid, command in cluster.pids(host) if command.startswith("sshd:")]


def running_job(cluster, hosts, degree, transport="ssh"):
    """Ranks that leave a daemon behind, the hardest to find."""
    program = ["sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"]
    job = Job([LAUNCH, "--transport", transport, "-hosts", hosts, "-k", str(degree), *program])
    return job


def wait_ready(job, count):
    for _ in range(count):
        job.until("ready")


def of_the_job(cluster, hosts):
    """What runs there, but for sshd's own sessions: they may wait for a client that was cut off."""
    return [entry for entry in cluster.pids(*hosts) if not entry[2].startswith("sshd")]


def nothing_left(cluster, hosts, seconds=5):
    eventually(lambda: not of_the_job(cluster, hosts), seconds, "the hosts to be clean: " + str(of_the_job(cluster, hosts)[:5]))


@contextlib.contextmanager
def port_taken(host, port):
    """By somebody else, who listens there."""
    script = f"import socket, time; s = socket.socket(socket.AF_INET6); s.bind(('::', {port})); s.listen(); print('ready', flush=True); time.sleep(60)"
    taken = Job(["python3", "-c", script], host=host)
    taken.until("ready")
    try:
        yield
    finally:
        taken.signal_group(9)
        taken.wait()


def is_stats(line):
    return line.startswith('{"start_us"')


def stats_of(result):
    """What --stats json told, which is one line."""
    lines = [line for line in result.err_lines if is_stats(line)]
    if len(lines) != 1:
        fail(f"not one line of statistics\n{result}")
    return json.loads(lines[0])


def said_beside_stats(result):
    return [line for line in result.err_lines if not is_stats(line)]
