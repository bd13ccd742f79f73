# SPDX-License-Identifier: MIT
"""Breaks one thing under a job on real hosts, and judges what becomes of the job.

A Case says what breaks, where in the tree, in which phase of the job, over which links; run_case() lets it happen and
fails if anything is not as the README says (Verdict). test_faults.py runs a choice of cases, tests/faults.py random ones.
"""
import contextlib
import itertools
import json
import os
import random
import signal
import threading
import time
import traceback

from fault_case import EARLY, CODE, LINES, drawn, every_case
from fault_verdict import GOES_ON, Verdict
from harness import *
from harness import promises
from harness.promises import clean_without_head, end_after_loss

STAGED = 24 << 20  # bytes: on their way for a second or so
LIVENESS = {"long cut": 2, "long stop": 2}  # s: they last until they are noticed
SLOW_START = 1.2  # s: of the last host of a lane, so that the others are caught while the start goes on
HITCH = 8  # s: until a job has ended that lost a link only
EARLY_END = 15  # s: until one has ended that lost a host early; others bear silence for longer, but the start is over soon
OWN_END = 6  # s: that ranks who go on take for their fences and their output
LINGER = 400  # ms: in which ranks end, one after the other
MOST_DRAWN = 100_000  # until there are enough with the words that are asked for
FENCES = 120  # more than there are until a host is dead


class Tree:
    """Which host is where, as the plan says."""

    def __init__(self, words, hosts):
        plan = json.loads(launch("--dry-run", "--format", "json", *words, "true").text)
        self.parent = {entry["name"]: entry.get("routing_parent", entry["parent"]) for entry in plan["hosts"]}
        self.names = hosts

    def children(self, host):
        index = self.names.index(host) + 1
        return [name for name, parent in self.parent.items() if parent == index]

    def below(self, host):
        return [found for child in self.children(host) for found in [child, *self.below(child)]]

    def depth(self, host):
        parent = self.parent[host]
        return 0 if parent == 0 else 1 + self.depth(self.names[parent - 1])

    def at(self, place):
        """A host at such a place; never the last one, which is the slow one."""
        candidates = self.names[:-1]
        if place == "leaf":
            return max((host for host in candidates if not self.children(host)), key=self.depth, default=candidates[-1])
        if place == "inner":
            return max((host for host in candidates if self.children(host)), key=self.depth)
        return max((host for host in candidates if self.depth(host) == 0), key=lambda host: len(self.below(host)))


class SlowJob(Job):
    """Its output is read at some 600 KB/s for a while, so that it piles up behind the head."""

    slow_until = float("inf")

    def read_faster(self):
        """In a second, from when this is called first."""
        self.slow_until = min(self.slow_until, time.monotonic() + 1)

    def pump(self, seconds):
        if time.monotonic() < self.slow_until:
            time.sleep(0.1)
        return super().pump(seconds)


class Run:
    """One job to which one thing happens, on the hosts of its lane."""

    def __init__(self, cluster, case, hosts, folder):
        self.cluster, self.case, self.all, self.folder = cluster, case, hosts, folder
        self.random = random.Random(case.seed)
        self.go, self.data = os.path.join(folder, "go"), os.path.join(folder, "data")
        words = ["-k", str(case.degree), "--routing", case.routing]
        self.tree = Tree(["-hosts", ",".join(hosts), *words], hosts)
        self.host = self.tree.at(case.place)
        self.hosts = self.settle_start()
        listed = ",".join(f"{host}:1:1" if host == self.absent else host for host in hosts)
        words += ["-hosts", listed, *{"whole": [], "missing": ["--allow-missing"], "spare": ["--spares", "1"]}[case.start]]
        self.broken_at = None
        self.stopped = []
        self.liveness = LIVENESS.get(case.fault, promises.LIVENESS.value)
        # On a slow machine a link needs longer to recover, and hosts are silent for longer without a fault.
        liveness = allowed(self.liveness) if case.costs_nothing else self.liveness
        more = ["--keep-going"] if case.tells_codes else []
        kind = SlowJob if case.reader == "slow" else Job
        self.job = kind([LAUNCH, "--transport", case.transport, "--links", case.links, "--liveness", f"{liveness:.1f}",
                         "--on-host-loss", case.policy, *more, *words, *self.files(), *self.program()])

    def settle_start(self):
        """The hosts of ranks 0, 1, ... One that is absent has no sshd where it is asked for one."""
        if self.case.start == "whole":
            self.absent = None
            return self.all
        self.absent = self.random.choice([host for host in self.all[:-1] if host != self.host])
        if self.case.start == "missing":
            return [host for host in self.all if host != self.absent]
        return [self.all[-1] if host == self.absent else host for host in self.all[:-1]]

    def below(self):
        """As planned; where one is absent, the tree is another one, and it may be anybody."""
        return [host for host in self.tree.below(self.host) if host in self.hosts] if self.absent is None else \
            [host for host in self.hosts if host != self.host]

    def files(self):
        if self.case.phase != "staging":
            return []
        with open(self.data, "wb") as file:
            file.write(os.urandom(STAGED))
        return ["--stage", self.data]

    def program(self):
        """That does not end by itself before it is hit."""
        lines = [helper("counted_lines"), "--go", self.go]
        if self.case.phase == "fence":
            fences, mourn = ("40", "0") if self.case.costs_nothing else (str(FENCES), "1") if self.case.goes_on else ("1000", "0")
            return ["sh", "-c", 'echo "$LAUNCH_RANK 0 "; exec "$0" --fences "$1" --delay 40 --read next --mourn "$2"',
                    helper("pmi_cards"), fences, mourn]
        if self.case.phase == "staging":
            return ["sh", "-c", 'cmp "$0" "$LAUNCH_STAGE_DIR/data" && exec "$@"', self.data, *lines]
        if self.case.phase == "output":
            return [*lines, "--lines", str(LINES), "--burst", "10", "--pause", "1500"]
        if self.case.phase == "ending":
            return [*lines, "--linger", str(LINGER), *(["--code", str(CODE)] if self.case.tells_codes else [])]
        return lines

    def wait_for_phase(self):
        if self.case.phase in EARLY:  # no rank runs before all hosts are up, or the file is there
            eventually(lambda: len(self.relay()) == 2, what="the relay")
            time.sleep(self.random.uniform(0.15, 0.5))  # it has greeted
        else:
            begun = set()
            while len(begun) < len(self.hosts):
                begun.add(int(self.job.until(rb"(?m)^(\d+) 0 ").group(1)))
        if self.case.phase in ("idle", "fence", "output"):
            time.sleep(self.random.uniform(0, 0.6))
        if self.case.phase == "ending":
            self.let_go()
            time.sleep(self.random.uniform(0, LINGER / 2000))

    def read_faster(self):
        if isinstance(self.job, SlowJob):
            self.job.read_faster()

    def let_go(self):
        self.read_faster()
        with open(self.go, "w"):
            pass

    def kill(self, pids):
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has ended, or with the other

    def break_it(self):
        fault = self.case.fault
        self.broken_at = time.monotonic()
        if fault == "relay":  # either of its two processes
            relay = self.relay()
            self.kill(self.random.sample(relay, min(1, len(relay))))  # it may have left
        elif fault == "sshd":
            self.kill(sshd_sessions(self.cluster, self.host))
        elif fault == "host":
            self.cluster.kill(self.host)
        elif fault == "head":
            self.job.kill()
        elif fault == "head stop":
            with stopped([head_worker(self.job)]):
                time.sleep(self.random.uniform(2, 8))
            self.broken_at = time.monotonic()
        elif fault == "short stop":  # of either process of the relay, of what carries its link, or of all
            relay = self.relay()  # it may have left
            pids = [*relay, *sshd_sessions(self.cluster, self.host)]
            frozen = self.random.choice([*([pid] for pid in pids), pids])
            alone = frozen and frozen == relay[:1]  # a guard, for which nobody waits before the end
            with stopped(frozen):
                time.sleep(self.random.uniform(0.2, 7 if alone else 2.5))
            self.broken_at = time.monotonic()
        elif fault == "long stop":
            self.stopped = self.relay()[1:]
            for pid in self.stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
        else:
            self.cluster.cut(self.host)
            if fault == "short cut":
                time.sleep(self.random.uniform(0.2, 1))
                self.cluster.heal(self.host)

    def relay(self):
        """Its guard and its worker; not the OpenSSH clients that it runs, whose words name a relay too."""
        return launch_pids(self.cluster, self.host)[:2]

    def wake(self):
        for pid in self.stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def end(self):
        self.wake()
        if self.case.fault in ("short cut", "long cut"):
            self.cluster.heal(self.host)
        self.job.discard()

    def limit(self):
        """Seconds until the job has ended."""
        return allowed(self.promised_limit())

    def promised_limit(self):
        if self.case.costs_nothing:
            return HITCH
        if self.case.phase in EARLY:
            return EARLY_END
        # One that was not heard since it was told that the start is over is waited for as in the start: jobs that end at once
        # are that young.
        young = self.case.fault == "long stop" or self.case.phase == "ending"
        return end_after_loss(self.liveness, starting=young) + (OWN_END if self.case.goes_on and self.case.phase in ("fence", "output") else 0)

    def judge(self):
        if self.case.fault == "head":
            nothing_left(self.cluster, self.all, 5)
            self.job.wait(5)
            return
        if self.case.phase != "ending" and self.case.goes_on:
            if self.stopped and self.case.phase not in EARLY:
                self.job.until(GOES_ON.encode(), stream="err")
                self.wake()
            time.sleep(0.3)  # what it may have broken shows before the job ends
            self.let_go()
        # What has piled up is not thrown away: at that pace it would take longer than all else.
        self.read_faster()
        limit = self.limit()
        result = self.job.wait(limit + 10)
        took = time.monotonic() - self.broken_at
        if self.case.fault == "long cut":
            self.cluster.heal(self.host)
        self.wake()
        Verdict(self.case, self.hosts, self.host, self.below(), result).judge()
        if took > limit:
            fail(f"took {took:.1f} s to end, not {limit}\n{result}")
        living = [host for host in self.all if not (self.case.fault == "host" and host == self.host)]
        nothing_left(self.cluster, living, clean_without_head(self.liveness) if self.case.fault in ("long cut", "long stop") else 6)


def run_case(cluster, case, hosts):
    """None, or what was wrong."""
    with scratch() as folder:
        run = None
        try:
            run = Run(cluster, case, hosts, folder)
            run.wait_for_phase()
            run.break_it()
            run.judge()
        except AssertionError as error:
            return f"{case}, on {run.host if run else '?'}\n{error}"
        except Exception:  # in a thread of its own, where nobody else would tell of it
            return f"{case}\n{traceback.format_exc()}"
        finally:
            if run:
                run.end()
    return None


def run_round(cluster, cases):
    """Several at once, each on hosts of its own. What was wrong."""
    wrong, threads, first = [], [], 0

    def one(case, hosts):
        begin = time.monotonic()
        reason = run_case(cluster, case, hosts)
        print(f"    {'FAIL' if reason else 'ok  '} {case} ({time.monotonic() - begin:.1f} s)", flush=True)
        if reason:
            print(reason, flush=True)  # now: a run of hours may be ended before it tells of all
            wrong.append(reason)

    for case in cases:
        threads.append(threading.Thread(target=one, args=(case, cluster.hosts[first:first + case.hosts])))
        first += case.hosts
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if any(case.fault == "host" for case in cases):
        cluster.reset()
    return wrong


def rounds(cases):
    """As many at once as there are hosts for; what takes as long together."""
    left = sorted(cases, key=lambda case: (case.phase != "spawning", case.hosts, case.fault))
    while left:
        chosen = [left.pop(0)]
        while left and left[0].hosts + sum(case.hosts for case in chosen) <= 24 and \
                (left[0].phase == "spawning") == (chosen[0].phase == "spawning"):
            chosen.append(left.pop(0))
        yield chosen


def run_cases(cluster, cases, end=None):
    """All of them, those of the start first: they need hosts that are slow to start. How many were judged, which is all but
    those that would have begun after `end`; and what was wrong."""
    judged, wrong = 0, []
    slow = cluster.hosts[7:24:8]
    for chosen in rounds(cases):
        if end and time.monotonic() > end:
            break
        if chosen[0].phase == "spawning":
            for host in slow:
                cluster.sshd(host, f'ForceCommand sleep {SLOW_START}; eval "$SSH_ORIGINAL_COMMAND"')
        elif slow:
            cluster.reset()
            slow = []
        wrong += run_round(cluster, chosen)
        judged += len(chosen)
    if slow:
        cluster.reset()
    return judged, wrong


def run_random(cluster, seed, seconds, only=()):
    """Cases at random, for so long: how many were judged, and what was wrong."""
    choice = random.Random(seed)
    every = list(every_case())

    def wanted():
        cases = (drawn(choice, every) for _ in range(MOST_DRAWN))
        return itertools.islice((case for case in cases if all(word in str(case) for word in only)), 12)

    end = time.monotonic() + seconds
    judged, wrong = 0, []
    while time.monotonic() < end:
        count, found = run_cases(cluster, list(wanted()), end)
        if not count:
            break
        judged += count
        wrong += found
    return judged, wrong
