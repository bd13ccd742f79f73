# SPDX-License-Identifier: MIT
"""Whether a job under which something broke said and did what it must: the README's words, case by case."""
import re

from fault_case import CODE, EARLY, LINES
from harness import expect, fail

# Where the tree of the start has to heal, all may stay on it; of a host that is missing it is told that it is, and who replaces it;
# of a start that takes long, whom it waits for.
NOTE = re.compile(r"launch: note: (--routing |goes on without |\S+ takes the place of |\S+(, from \S+)?: connect: |starting: |staging: )")
GOES_ON = "; its ranks are lost, the others go on"
# It was lost while all were leaving, or had not left when launch did.
HAD_ENDED = ("; all ranks had ended, but output may be missing",
             ": end the job: no confirmation that the job has ended there; output may be missing")
ENDED = r"launch: rank (\d+) on (\S+): ended with exit code (\d+)"


class Verdict:
    """Of one job's result. `host` is where it broke, on rank number `hosts.index(host)`; `below` are those below it."""

    def __init__(self, case, hosts, host, below, result):
        self.case, self.hosts, self.host, self.result = case, hosts, host, result
        self.rank = hosts.index(host)
        self.below = {hosts.index(name) for name in below}
        self.ranks = set(range(len(hosts)))
        self.lines = [line for line in result.err_lines if not NOTE.match(line)]
        self.told = [line for line in self.lines if not re.fullmatch(ENDED, line)]

    def fail(self, message):
        fail(f"{message}\n{self.result}")

    def judge(self):
        # Who ends may have said all before it was hit.
        ended = self.case.phase == "ending" and self.result.code != 69
        if self.case.costs_nothing or ended:
            self.judge_success()
        elif self.case.policy == "abort" or self.never_up():
            self.judge_end()
        else:
            self.judge_survival()

    def judge_success(self):
        if self.told:
            self.fail("something is said")
        codes = [CODE + rank for rank in self.ranks] if self.case.tells_codes else 0
        expect(self.result, code=codes)
        if self.case.phase == "fence":
            expect(self.result, out_contains=f"cards of {len(self.hosts)} ranks are right")
        else:
            self.judge_living(self.ranks)

    def judge_living(self, living):
        """They said all they had to say, and how each ended is told."""
        outputs = self.outputs()
        lines = LINES if self.case.phase == "output" else 1
        for rank in living:
            if outputs[rank] != (lines, lines):
                self.fail(f"of rank {rank} on {self.hosts[rank]} came {outputs[rank]} of {lines} lines")
            ended = f"launch: rank {rank} on {self.hosts[rank]}: ended with exit code {CODE + rank}"
            if self.case.tells_codes and ended not in self.lines:
                self.fail(f"no line {ended!r}")

    def judge_names(self):
        """What is told is told of this host and no other."""
        expect(self.result, code=69, err_contains=re.compile(rf"(?m)^launch: {self.host}(, from \S+)?: "))
        told = re.sub(r"(?m)^(launch: \S+), from \S+: ", r"\1: ", "\n".join(self.told))
        others = [host for host in self.hosts if host != self.host and host in told]
        if others:
            self.fail(f"names {others}, not {self.host} alone")

    def judge_end(self):
        """It ended because of this host, and who lived and had begun said all it had to say."""
        self.judge_names()
        if "no rank was started" in self.result.err_text and (self.result.out or self.case.phase not in EARLY):
            self.fail("ranks ran that were not started")
        if self.case.phase == "fence":
            return
        gone = {self.rank} | (self.below if self.case.links == "ssh" else set())
        for rank, (count, told) in self.outputs().items():
            begun = count > 0 or self.case.phase not in EARLY
            if rank not in gone and begun and count != told:
                self.fail(f"of rank {rank} on {self.hosts[rank]}, which lives, came {count} of {told} lines")

    def never_up(self):
        """It was hit before it had greeted: like any host that cannot be started it is fatal, and no rank runs."""
        never = self.case.phase in EARLY and re.search(rf"(?m)^launch: {self.host}(, from \S+)?: (connect|start launch there): ", self.result.err_text)
        if never and self.result.out:
            self.fail("a host was missing, and ranks ran")
        return never

    def judge_survival(self):
        """Its ranks are lost, and of those below it as many as is told; the others ran to their end."""
        self.judge_names()
        if self.case.phase == "ending" and len(self.told) == 1 and self.told[0].endswith(HAD_ENDED):
            self.judge_living(self.ranks - {self.rank} - self.below)  # those below may have left, too, by way of it
            return
        if len(self.told) != 1 or not self.told[0].endswith(GOES_ON):
            self.fail("not told of once, with what becomes of it")
        lost = {self.rank} | self.lost_below()
        if self.case.phase == "fence":
            self.judge_fences(self.ranks - lost, lost)
        else:
            self.judge_living(self.ranks - lost)

    def lost_below(self):
        """Over ssh alone they are lost too, but those of whom nothing had been heard: these are started another way."""
        told = re.search(r"; (\d+) hosts? below it in the tree (?:is|are) lost", self.told[0])
        count = int(told[1]) if told else 0
        lost = self.below if self.case.links == "ssh" else set()
        if lost and self.case.phase in EARLY:
            outputs = self.outputs()
            lost = {rank for rank in lost if outputs[rank][1] is None}
        if len(lost) != count:
            self.fail(f"{count} hosts below it are told to be lost, not {len(lost)}")
        return lost

    def judge_fences(self, living, lost):
        """Each came through all its fences, and has learned who died."""
        said = dict(re.findall(r"(?m)^(\d+): (\S*) died$", self.result.text))
        for rank in living:
            ranges = re.findall(r"(\d+)(?:-(\d+))?", said.pop(str(rank), ""))
            died = {dead for first, last in ranges for dead in range(int(first), int(last or first) + 1)}
            if died != lost:
                self.fail(f"rank {rank} on {self.hosts[rank]} has learned that {died} died, not {lost}")
        if said:
            self.fail(f"ranks {set(said)} are lost, and ran on")

    def outputs(self):
        """{rank: (lines, lines that it says it wrote, or None)}: each line once and in order."""
        counts = {rank: 0 for rank in range(len(self.hosts))}
        told = dict.fromkeys(counts)
        lines = self.result.text.split("\n")
        for line in lines[:-1]:
            words = re.fullmatch(r"(\d+) (?:(\d+) (x*)|last (\d+))", line)
            if not words or int(words[1]) not in counts:
                self.fail(f"not a line of a rank: {line!r}")
            rank = int(words[1])
            if words[4]:
                told[rank] = int(words[4])
            elif int(words[2]) != counts[rank] or len(words[3]) != counts[rank] % 100:
                self.fail(f"rank {rank}: expected line {counts[rank]}, got {line!r}")
            else:
                counts[rank] += 1
        return {rank: (counts[rank], told[rank]) for rank in counts}
