# SPDX-License-Identifier: MIT
"""A session while jobs come and go, relays are killed, and hosts join and leave, at random: what is on no host that was lost or
taken away is not lost, and nothing is left at the end."""
import contextlib
import dataclasses
import os
import random
import time

from harness import *
from harness.basics import TimedOut
from harness.processes import processes
from sessions import session, state

HOSTS = 10
FIRST = 6  # of them are in the session when it starts
AT_ONCE = 4  # jobs
BESIDE = 25  # seconds of a job beside a host that is cut off; of which those below it need some to find another parent
STEPS = ("job", "job", "job_that_goes_on", "job_that_spawns", "detached_job", "abandoned_job", "kill", "add", "add", "remove", "take", "wait",
         "cut", "long_cut", "stop", "long_stop", "job_beside_a_cut")
LIVENESS = 2
TRIES = 3  # one may have begun while the host was still away
ORPHANS_END = 20  # s: after the process that ran their job was killed
SPAWNER = os.path.join(SOURCE_DIR, "tests/helpers/pmi_spawn.py")


@dataclasses.dataclass
class Started:
    """A job that runs, and what should come of it."""
    job: Job
    hosts: list
    out: dict  # lines by host; those of nobody's own by None
    goes_on: bool = False  # where a host of it is lost
    hits: set = dataclasses.field(default_factory=set)  # hosts of it that were lost or taken away

    def judge(self):
        result = self.job.wait(30)
        if not self.hits or result.code != 69:
            return expect(result, out_lines=self.lines(self.out), err="")
        said = result.text + result.err_text  # of a detached job all is in its output
        if not any(host in said for host in self.hits):
            fail(f"none of {sorted(self.hits)} is named\n{result}")
        missing = set(self.lines(host for host in self.out if host not in self.hits)) - set(result.lines) if self.goes_on else ()
        if missing:
            fail(f"{sorted(missing)} are missing, though only {sorted(self.hits)} were hit\n{result}")

    def lines(self, hosts):
        return sorted(line for host in hosts for line in self.out[host])


class Run:
    def __init__(self, cluster, seed):
        self.cluster, self.choice = cluster, random.Random(seed)
        self.members, self.others = list(cluster.hosts[:FIRST]), list(cluster.hosts[FIRST:HOSTS])
        self.jobs, self.orphans, self.count, self.name, self.folder = [], {}, 0, "", ""

    def steps(self, until):
        """Takes them until the function says so; what was found is in an exception."""
        liveness = f"{allowed(LIVENESS):.1f}"
        with scratch() as self.folder, session(",".join(self.members), "-k", "2", "--liveness", liveness, name="faults") as self.name:
            with self.told():
                while not until(self.count):
                    step = self.choice.choice(STEPS)
                    print(f"    {time.strftime('%H:%M:%S')} {step}", flush=True)
                    getattr(self, step)()
                    self.judge(False)
                    self.count += 1
                self.judge(True)
                self.all_are_up()
        eventually(lambda: not self.cluster.pids(*self.cluster.hosts[:HOSTS]), 20, "the hosts to be empty")

    @contextlib.contextmanager
    def told(self):
        """What the session knows of its hosts, and what it noted, beside a failure: it ends with the failure."""
        try:
            yield
        except Exception:
            for what in ("show", "log"):
                print(launch("session", what, self.name).text, flush=True)
            raise

    def job(self):
        self.job_of_lines()

    def job_that_goes_on(self):
        self.job_of_lines("--on-host-loss", "continue")

    def detached_job(self):
        self.job_of_lines("--detach")

    def job_of_lines(self, *options):
        """Two of each host."""
        hosts = self.some_hosts()
        script = f"echo begin $LAUNCH_HOST; sleep {self.choice.uniform(0, 1.5):.2f}; echo $LAUNCH_HOST"
        self.start(hosts, {host: [f"begin {host}", host] for host in hosts}, "begin", *options, "sh", "-c", script)

    def job_that_spawns(self):
        """Two processes, on its own hosts."""
        hosts = self.some_hosts()
        then = f"sleep {self.choice.uniform(0, 1.5):.2f}"
        spawned = [f"process {rank} of 2 of spawn 1, program 0: card_of_{1 - rank} tag#0$here$" for rank in range(2)]
        self.start(hosts, {None: ["spawned 1 rc=0", *spawned]}, "spawned 1", "--pmi", "pmi1",
                   "/usr/bin/python3", SPAWNER, "--then", then, "2", f"host={hosts[0]}")

    def some_hosts(self):
        return self.choice.sample(self.members, self.choice.randint(1, len(self.members)))

    def start(self, hosts, lines, begin, *words):
        if len(self.jobs) == AT_ONCE:
            return self.wait()
        line = [LAUNCH, "--session", self.name, "--share", "-hosts", ",".join(hosts), "-n", str(len(hosts)), *words]
        job = self.attached(line) if "--detach" in words else Job(line)
        job.until(begin)  # before, it has no claim to its hosts
        self.jobs.append(Started(job, hosts, lines, "continue" in words))

    def attached(self, line):
        """What is seen of a job that has no terminal."""
        started = expect(launch(*line[1:], cwd=self.folder), err="", out_contains="job ")
        return Job([LAUNCH, "attach", "--session", self.name, started.text.split()[1]])

    def abandoned_job(self):
        """The process that runs it is killed: its ranks end."""
        mark = f"sleep 400.{self.count}"
        job = Job([LAUNCH, "--session", self.name, "--share", "-hosts", ",".join(self.some_hosts()), "sh", "-c", f"echo begin; exec {mark}"])
        job.until("begin")
        job.kill()
        job.wait()
        job.discard()
        self.orphans[mark] = time.monotonic() + allowed(ORPHANS_END)

    def wait(self):
        time.sleep(self.choice.uniform(0, 0.6))

    def kill(self):
        host = self.choice.choice(self.members)
        self.hit(host)
        before = set(launch_pids(self.cluster, host))
        kill_relay(self.cluster, host)
        # Until then a job that begins there is lost with it.
        eventually(lambda: not self.known()[host] or self.has_others(host, before), 40, f"the loss of {host}")
        self.all_are_up()

    def has_others(self, host, before):
        """It is up again already."""
        now = set(launch_pids(self.cluster, host))
        return now and not now & before

    def cut(self):
        """For less than a host may be silent."""
        host = self.choice.choice(self.members)
        with self.cut_off(host):
            time.sleep(self.choice.uniform(0.2, LIVENESS / 2))

    def long_cut(self):
        """For so long that it is lost: it comes back as another relay."""
        host = self.choice.choice(self.members)
        self.hit(host)
        with self.cut_off(host):
            eventually(lambda: not self.known()[host], 40, f"the loss of {host}")
        self.all_are_up()

    def job_beside_a_cut(self):
        """A job on other hosts begins and ends as if nothing were."""
        host = self.choice.choice(self.members)
        rest = [each for each in self.members if each != host]
        with self.cut_off(host):
            time.sleep(self.choice.uniform(0, LIVENESS / 4))
            begin = time.monotonic()
            self.hit(host)
            result = launch("--session", self.name, "--share", "-hosts", ",".join(rest), "-n", str(len(rest)), "true", timeout=40)
            took = time.monotonic() - begin
            eventually(lambda: not self.known()[host], 40, f"the loss of {host}")
        expect(result, out="", err="")
        if took > allowed(BESIDE):
            fail(f"took {took:.1f} s beside {host}, which was cut off\n{result}")
        self.all_are_up()

    @contextlib.contextmanager
    def cut_off(self, host):
        self.cluster.cut(host)
        try:
            yield
        finally:
            self.cluster.heal(host)

    def processes_of(self, host):
        """Of either process of the relay, of what carries its link, or of all."""
        pids = [*launch_pids(self.cluster, host)[:2], *sshd_sessions(self.cluster, host)]
        return self.choice.choice([*([pid] for pid in pids), pids])

    def stop(self):
        host = self.choice.choice(self.members)
        with stopped(self.processes_of(host)):
            time.sleep(self.choice.uniform(0.2, LIVENESS / 2))

    def long_stop(self):
        """The worker, until it is given up: it finds that it was, and leaves."""
        host = self.choice.choice(self.members)
        self.hit(host)
        with stopped(launch_pids(self.cluster, host)[-1:]):  # one that was given up may be there still
            eventually(lambda: not self.known()[host], 40, f"the loss of {host}")
        self.all_are_up()

    def add(self):
        if self.others:
            host = self.others.pop(0)
            expect(launch("session", "add", "--session", self.name, host, timeout=40), err="")
            self.members.append(host)

    def remove(self):
        """The jobs on it end first."""
        self.leave("--when-idle", False)

    def take(self):
        self.leave("--now", True)

    def leave(self, how, hits):
        if len(self.members) <= 3:
            return
        host = self.members.pop(self.choice.randrange(len(self.members)))
        if hits:
            self.hit(host)
        expect(launch("session", "remove", "--session", self.name, how, host, timeout=60), err="")
        eventually(lambda: host not in self.known(), 30, f"{host} to leave")
        self.others.append(host)

    def hit(self, host):
        for each in self.jobs:
            if host in each.hosts:
                each.hits.add(host)

    def known(self):
        return {host["host"]: host["up"] for host in state(self.name)["hosts"]}

    def all_are_up(self):
        """Those that were lost come back by themselves: the more often that was, the later they are tried again, which is not always
        waited for."""
        down = [host for host, is_up in self.known().items() if not is_up]
        if down and self.choice.random() < 0.9:
            added = launch("session", "add", "--session", self.name, ",".join(down), timeout=60)
            if added.code not in (0, 2):  # 2: some have come back meanwhile
                fail(added)
        for _ in range(TRIES):
            due = self.next_try()
            with contextlib.suppress(TimedOut):
                return eventually(self.is_whole, 40 + max(due - time.time(), 0), "")
        fail(f"{self.members} are not up\n{processes()}")

    def is_whole(self):
        return self.known() == dict.fromkeys(self.members, True)

    def next_try(self):
        """Of those that are down the last; in seconds since 1970."""
        return max((host.get("next_try") or 0 for host in state(self.name)["hosts"]), default=0)

    def judge(self, all_of_them):
        for each in list(self.jobs):
            if all_of_them or not each.job.running:
                self.jobs.remove(each)
                each.judge()
                each.job.discard()
        self.judge_orphans(all_of_them)

    def judge_orphans(self, all_of_them):
        if all_of_them and self.orphans:
            eventually(lambda: not self.alive(), ORPHANS_END, "ranks to end whose job's client was killed")
        late = [mark for mark, limit in self.orphans.items() if time.monotonic() > limit]
        if late and set(late) & self.alive():
            fail(f"ranks go on whose job's client was killed: {late}\n{processes()}")
        for mark in late:
            del self.orphans[mark]

    def alive(self):
        """Marks of ranks that have not ended."""
        commands = [command for _, _, command in self.cluster.pids(*self.cluster.hosts[:HOSTS])]
        return {mark for mark in self.orphans if any(command.endswith(mark) for command in commands)}
