"""A session while jobs come and go, relays are killed, and hosts join and leave, at random: what is on no host that was lost or
taken away is not lost, and nothing is left at the end."""
import contextlib
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
STEPS = ("job", "job", "job", "kill", "add", "remove", "take", "wait", "cut", "long_cut", "stop", "long_stop", "job_beside_a_cut")
LIVENESS = 2
TRIES = 3  # one may have begun while the host was still away


class Run:
    def __init__(self, cluster, seed):
        self.cluster, self.choice = cluster, random.Random(seed)
        self.members, self.others = list(cluster.hosts[:FIRST]), list(cluster.hosts[FIRST:HOSTS])
        self.jobs, self.count, self.name = [], 0, ""

    def steps(self, until):
        """Takes them until the function says so; what was found is in an exception."""
        with session(",".join(self.members), "-k", "2", "--liveness", f"{allowed(LIVENESS):.1f}", name="faults") as self.name:
            while not until(self.count):
                step = self.choice.choice(STEPS)
                print(f"    {step}", flush=True)
                getattr(self, step)()
                self.judge(False)
                self.count += 1
            self.judge(True)
            self.all_are_up()
        eventually(lambda: not self.cluster.pids(*self.cluster.hosts[:HOSTS]), 20, "the hosts to be empty")

    def job(self):
        if len(self.jobs) == AT_ONCE:
            return self.wait()
        hosts = self.choice.sample(self.members, self.choice.randint(1, len(self.members)))
        script = f"echo begin; sleep {self.choice.uniform(0, 1.5):.2f}; echo $LAUNCH_HOST"
        words = [LAUNCH, "--session", self.name, "--share", "-hosts", ",".join(hosts), "-n", str(len(hosts)), "sh", "-c", script]
        job = Job(words)
        job.until("begin")  # before, it has no claim to its hosts
        self.jobs.append((job, hosts, set()))

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
        for _, hosts, hits in self.jobs:
            if host in hosts:
                hits.add(host)

    def known(self):
        return {host["host"]: host["up"] for host in state(self.name)["hosts"]}

    def all_are_up(self):
        """Those that were lost come back by themselves: the more often that was, the later they are tried again."""
        for _ in range(TRIES):
            due = self.next_try()
            with contextlib.suppress(TimedOut):
                return eventually(self.is_whole, 40 + max(due - time.time(), 0), "")
        told = [launch("session", what, self.name).out_text for what in ("show", "log")]
        fail("\n".join([f"{self.members} are not up", *told, processes()]))

    def is_whole(self):
        return self.known() == dict.fromkeys(self.members, True)

    def next_try(self):
        """Of those that are down the last; in seconds since 1970."""
        return max((host.get("next_try") or 0 for host in state(self.name)["hosts"]), default=0)

    def judge(self, all_of_them):
        for each in list(self.jobs):
            job, hosts, hits = each
            if not all_of_them and job.running:
                continue
            result = job.wait(30)
            self.jobs.remove(each)
            if hits and result.code == 69 and any(host in result.err_text for host in hits):
                continue
            expect(result, out_lines=sorted(["begin"] * len(hosts) + hosts), err="")
            job.discard()
