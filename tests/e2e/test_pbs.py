#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hosts of a job of PBS by pbsdsh, which starts what it is given once for each slot, without standard input."""
import contextlib
import os
import re
import signal
import stat
import time

from dead_file_server import dead_file_server
from harness import *
from harness.basics import CLUSTER
from services import path_with, program
from this_machine import kill_at_once, launches_here, no_cgroups

# As pbsdsh of OpenPBS and PBS Pro: the output of what it starts is the job's and not its own, and so is its exit code 0. What it says itself of
# tasks stays with it until it ends, unless it speaks to a terminal, as C's stdio has it. A host may be told to see an empty folder where others
# see one ({blind}), to run something else ({broken}) or to be slow, for as long as there is a pbsdsh. Each slot has the few variables that PBS gives.
PBSDSH = """#!/bin/sh
test -n "$PBS_ENVIRONMENT" || {{ echo "pbsdsh: not executing under PBS" >&2; exit 1; }}
test "$1" = -- || {{ echo "Usage: $0 [-c copies][-s][-v][-o] -- program [args...]" >&2; exit 1; }}
shift
said=/dev/fd/1
test -t 1 || said={folder}/said
echo "$@" >> {folder}/asked
slot=0
for host in $(cat "$PBS_NODEFILE"); do
    (
        case $host in
        {blind}) set -- unshare -m sh -c 'mount -t tmpfs none {hidden} && exec "$@"' sh "$@";;
        {broken}) set -- sh -c 'exit 9';;
        {slow}) exec setpriv --pdeathsig KILL sleep 1000;;
        esac
        {cluster} exec "$host" /usr/bin/env -i PBS_ENVIRONMENT=PBS_BATCH PBS_JOBID=1.server PBS_NODENUM=$((slot / 2)) PBS_VNODENUM=$slot \\
            PBS_TASKNUM=$((slot + 2)) "$@" < /dev/null >> {folder}/output 2>&1
        code=$?
        test $code = 0 || printf 'pbsdsh: task 0x%08X exit status %d\\n' $slot $code >> $said
    ) &
    slot=$((slot + 1))
done
wait
test -t 1 || cat {folder}/said
"""
# As that of Torque, which numbers tasks in another way, and says so on standard error.
TORQUE = PBSDSH.replace("task 0x%08X", "task %d").replace(">> $said", ">&2")
SLOTS = 2
NONE_STARTED = "; no rank was started"


class PbsJob:
    """Its hosts have two slots each. `shared` is a folder that all of them see, and this machine."""

    def __init__(self, cluster, count, folder, pbsdsh):
        self.hosts = cluster.hosts[:count]
        self.folder = folder
        self.shared = os.path.join(folder, "shared")
        self.pbsdsh = pbsdsh
        nodes = os.path.join(folder, "nodes")
        with open(nodes, "w") as file:
            file.write("".join(f"{host}\n" * SLOTS for host in self.hosts))
        self.env = {"PBS_ENVIRONMENT": "PBS_BATCH", "PBS_NODEFILE": nodes, "LAUNCH_OPT_CALL_FOLDER": self.shared, **path_with(pbsdsh)}

    def launch(self, *words, **options):
        return launch("--transport", "pbsdsh", *words, env=self.env, **options)

    def secrets(self):
        return [name for name in os.listdir(self.shared) if name.startswith(".launch-call-")]

    def text(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return ""
        with open(path) as file:
            return file.read()

    def check_clean(self, cluster):
        if self.secrets():
            fail(f"{self.secrets()} is left")
        nothing_left(cluster, self.hosts)


@contextlib.contextmanager
def pbs_job(cluster, count=4, blind="none", broken="none", slow="none", text=PBSDSH):
    with scratch() as folder:
        os.mkdir(os.path.join(folder, "shared"))
        script = text.format(cluster=CLUSTER, folder=folder, hidden=f"{folder}/shared", blind=blind, broken=broken, slow=slow)
        with program("pbsdsh", script) as pbsdsh:
            yield PbsJob(cluster, count, folder, pbsdsh)


@needs_cluster(4)
def a_job_of_pbs_is_started_by_pbsdsh(cluster):
    for text in (PBSDSH, TORQUE):
        with pbs_job(cluster, text=text) as job:
            ranks = [host for host in job.hosts for _ in range(SLOTS)]
            expect(job.launch("hostname"), out_lines=ranks, err="")
            job.check_clean(cluster)
            expect(job.launch("-n", "1", "cat", stdin=b"some\n" * 10000), out="some\n" * 10000, err="")
            expect(job.launch("sh", "-c", "test $LAUNCH_RANK = 3 && kill -9 $$; sleep 60"), code=137, err_contains=["signal 9"])
            # Ranks know who their user is, though PBS may have told the relay nothing of that.
            expect(job.launch("-n", "1", "sh", "-c", "echo $USER $HOME $SHELL && cd"), out="root /root /bin/bash\n", err="")
            # Hosts of the job that are not asked for leave without a word.
            expect(job.launch("-hosts", ",".join(job.hosts[1:3]), "hostname"), out_lines=job.hosts[1:3], err="")
            expect(launch("--transport", f"command:'{job.pbsdsh}' -- {{argv}}", "-ppn", "1", "hostname", env=job.env), out_lines=job.hosts, err="")
            expect(job.launch("--call-folder", job.folder, "-ppn", "1", "hostname"), out_lines=job.hosts, err="")
            job.check_clean(cluster)
            if job.text("output"):
                fail("relays have written to the output of the job of PBS:\n" + job.text("output"))
            if job.text("asked").count("\n") != 7:
                fail("pbsdsh ran more than once for a job:\n" + job.text("asked"))


@needs_cluster(4, tier="gate")
def the_secret_is_the_users_alone(cluster):
    """While hosts are awaited: under a name that nobody guesses, for nobody else, and not in any command line."""
    with pbs_job(cluster, slow=cluster.hosts[1]) as job:
        run = Job([LAUNCH, "--transport", "pbsdsh", "hostname"], env=job.env)
        name, = eventually(job.secrets, 10, "a secret")
        path = os.path.join(job.shared, name)
        if not re.fullmatch(r"\.launch-call-[0-9a-f]{32}", name) or stat.S_IMODE(os.stat(path).st_mode) != 0o600:
            fail(f"{name} {os.stat(path)}")
        eventually(lambda: name in job.text("asked"), 10, "pbsdsh to be asked")
        with open(path) as file:
            secret = file.read().strip()
        if secret in job.text("asked"):
            fail("the secret is in the command line")
        run.signal(signal.SIGTERM)
        expect(run.wait(10), code=143, out="")
        job.check_clean(cluster)


@needs_cluster(4, tier="clock")
def a_host_that_fails_is_told_at_once(cluster):
    """By its name and by why, whatever the others do, and long before any limit of time."""
    a, b = cluster.hosts[:2]
    for text in (PBSDSH, TORQUE):
        with pbs_job(cluster, blind=b, text=text) as job:
            expect(job.launch("hostname"), within=15, code=69, out="",
                   err_lines=1, err_contains=[f"launch: {b}: call back: ", f" wrote to {job.shared} (", "--call-folder", NONE_STARTED])
            expect(job.launch("--allow-missing", "-ppn", "1", "hostname"), within=15, out_lines=[host for host in job.hosts if host != b],
                   err_contains=[f"launch: note: {b}: call back: the host does not see"])
            job.check_clean(cluster)
    with pbs_job(cluster, broken=a) as job:
        expect(job.launch("hostname"), within=10, code=69, out="",
               err_lines=1, err_contains=[f"launch: {a}: start launch there: ", "exit code 9", NONE_STARTED])
        expect(job.launch("-hosts", f"{b},elsewhere", "hostname"), within=10, code=69, out="",
               err_lines=1, err_contains=["launch: elsewhere: start: ", "PBS_NODEFILE", NONE_STARTED])
        job.check_clean(cluster)


@needs_cluster(4, tier="clock")
def where_no_host_can_be_started_it_is_told_why(cluster):
    with pbs_job(cluster) as job:
        folded = cluster.fold(4)
        # /tmp is each host's own.
        expect(job.launch("--call-folder", "/tmp", "hostname"), within=15, code=69, out="",
               err_lines=1, err_contains=[f"launch: {folded}: call back: ", " wrote to /tmp (", "--call-folder", NONE_STARTED])
        expect(job.launch("--call-folder", "/no/such", "hostname"), within=10, code=69, out="", err_contains=[
            f"launch: {folded}: write a file in /no/such: No such file or directory (", "--call-folder DIR"])
        expect(job.launch("--push", "always", "hostname"), within=10, code=69, out="", err_contains=["cannot send launch", "--push always"])
        job.check_clean(cluster)
        outside = {name: value for name, value in job.env.items() if not name.startswith("PBS_")}
        expect(launch("--transport", "pbsdsh", "-hosts", folded, "hostname", env=outside), within=10, code=69, out="", err_contains=[
            f"launch: {folded}: start: pbsdsh ended with exit code 1: pbsdsh: not executing under PBS (try: pbsdsh -- true)"])
        no_pbsdsh = {**job.env, "PATH": os.environ["PATH"]}
        expect(launch("--transport", "pbsdsh", "hostname", env=no_pbsdsh), within=10, code=69, out="", err_contains=[
            f"launch: {folded}: execute pbsdsh: No such file or directory (", "PATH"])
        explained = job.launch("--dry-run", "--explain", "hostname")
        expect(explained, out_contains=["pbsdsh -- ", f" --relay --call-back {job.shared}/.launch-call-..."])
        # By default the file is in the home folder, and each of the test hosts has one of its own.
        at_home = {name: value for name, value in job.env.items() if name != "LAUNCH_OPT_CALL_FOLDER"}
        expect(launch("--transport", "pbsdsh", "hostname", env=at_home), within=15, code=69, out="", err_contains=[
            f"launch: {folded}: call back: ", " wrote to /"])
        job.check_clean(cluster)


@needs_cluster(4)
def nothing_is_left_of_a_launch_that_is_killed(cluster):
    """Not of one that runs, and not of one that starts; and if all of its processes are killed at once, the next launch removes its secret."""
    with pbs_job(cluster) as job:
        for of_head in (True, False):
            run = Job([LAUNCH, "--transport", "pbsdsh", "-ppn", "1", "sh", "-c", "setsid sleep 1000 & echo ready; sleep 1000"], env=job.env)
            wait_ready(run, 4)
            os.kill(run.pid if of_head else launch_pids(cluster, job.hosts[1])[0], signal.SIGKILL)
            job.check_clean(cluster)
            result = run.wait(15)
            if not of_head:
                expect(result, code=69, err_contains=[f"launch: {job.hosts[1]}: run: the connection ended"])
    with pbs_job(cluster, slow=cluster.hosts[1]) as job:
        for all_of_them in (False, True):
            run = Job(no_cgroups(LAUNCH, "--transport", "pbsdsh", "hostname"), env=job.env)
            eventually(lambda job=job: job.secrets() and job.text("asked"), 10, "a secret")
            mine = set(map(int, launches_here()))
            kill_at_once(mine) if all_of_them else os.kill(min(mine), signal.SIGKILL)
            run.wait(10)
            if all_of_them:
                if len(job.secrets()) != 1:
                    fail("the secret is gone already: nothing to test")
                expect(launch("-n", "1", "true"), err="")
            eventually(lambda job=job: not job.secrets(), 5, "the secret to be gone")
            job.check_clean(cluster)


@test(tier="clock")
def a_file_server_that_is_down_is_told():
    with scratch() as folder, program("pbsdsh", "#!/bin/sh\necho ran >&2\n") as pbsdsh:
        nodes = os.path.join(folder, "nodes")
        with open(nodes, "w") as file:
            file.write("a\nb\n")
        env = {"PBS_ENVIRONMENT": "PBS_BATCH", "PBS_NODEFILE": nodes, **path_with(pbsdsh)}
        with dead_file_server() as server:
            words = ["--transport", "pbsdsh", "--call-folder", server.file, "--connect-timeout", "1", "--start-timeout", "1"]
            job = Job([LAUNCH, *words, "true"], env=env)
            job.until(re.escape(f"launch: a,b: write a file in {server.file}: no answer within 1 s (") + ".*--call-folder.*" + NONE_STARTED, stream="err", timeout=20)
        # Its thread that waits in the kernel keeps launch there until the server is gone.
        expect(job.wait(10), code=69, out="", err_lacks=["ran\n"])


@needs_cluster(2)
def a_session_is_started_by_pbsdsh(cluster):
    """And hosts that join it later are, too."""
    with pbs_job(cluster, count=2) as job:
        a, b = job.hosts
        expect(launch("session", "start", "--transport", "pbsdsh", "--name", "pbs", "-hosts", a, env=job.env), err="", out_contains=["session pbs: 1 host"])
        try:
            for hosts in ([a], [a, b]):
                if job.secrets():
                    fail("the secret is kept")
                expect(launch("--session", "pbs", "-ppn", "1", "hostname", env=job.env), out_lines=hosts, err="")
                if len(hosts) == 1:
                    expect(launch("session", "add", "--session", "pbs", b, env=job.env), code=0)
        finally:
            launch("session", "stop", "pbs", env=job.env)
        job.check_clean(cluster)


@needs_cluster(2)
def who_is_not_let_in_by_ssh_learns_of_pbsdsh(cluster):
    with pbs_job(cluster, count=2) as job:
        known_hosts = os.path.join(job.folder, "config")
        with open(known_hosts, "w") as file:
            file.write("UserKnownHostsFile /dev/null\nGlobalKnownHostsFile /dev/null\n")
        words = ["--ssh-config", known_hosts, "hostname"]
        hint = "launch: a job of PBS also starts its hosts without ssh: --transport pbsdsh (see launch help ssh)"
        for transport in ([], ["--transport", "openssh"]):
            result = launch(*transport, *words, env=job.env)
            expect(result, code=69, out="", err_contains=["verify the host key: "])
            if result.err_lines[-1] != hint:
                fail(str(result))
        expect(launch(*words[:-1], "-hosts", cluster.fold(2), "hostname", env=job.env), code=69, out="", err_lacks=["pbsdsh"])
        expect(launch("session", "start", "--name", "no", *words[:-1], env=job.env), code=69, err_contains=[hint])


RELAY = [LAUNCH, "--relay", "--call-back"]


@test(tier="clock")
def a_relay_says_by_its_exit_code_why_it_does_not_call():
    with scratch() as folder:
        path = os.path.join(folder, ".launch-call-1")
        begin = time.monotonic()
        expect(run([*RELAY, path]), code=66, out="", err="")
        if time.monotonic() - begin < 1.5:
            fail("a file that a server shows a little later is not waited for")
        with open(path, "w") as file:
            file.write("no call\n")
        os.chmod(path, 0o640)
        expect(run([*RELAY, path]), code=67, out="", err_contains=[f"{path} belongs to another user, or others may read it"])
        os.chmod(path, 0o600)
        expect(run([*RELAY, path]), code=65, out="", err_contains=[f"{path} is from another build of launch"])
        os.symlink(path, path + "2")
        expect(run([*RELAY, path + "2"]), code=66, out="", err="")
        os.chmod(path, 0)
        os.unlink(path)
        os.mkfifo(path, 0o600)
        expect(run([*RELAY, path]), within=5, code=67, out="")


if __name__ == "__main__":
    main()
