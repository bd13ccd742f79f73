# SPDX-License-Identifier: MIT
"""What may break under a job, where in its tree, when and over which links, and which of that is tried."""
import dataclasses
import itertools
import random

FAULTS = ("relay", "sshd", "host", "short cut", "long cut", "short stop", "long stop", "head", "head stop")
PLACES = ("leaf", "inner", "head's child")
PHASES = ("spawning", "exchanging", "staging", "idle", "fence", "output", "ending")
EARLY = ("spawning", "exchanging", "staging")  # perhaps before ranks run
LINKS = ("auto", "ssh", "direct")
DEGREES = (1, 2, 3, 8)
POLICIES = ("abort", "continue")
ROUTINGS = ("spawn", "binomial", "kary:2", "chain")
STARTS = ("whole", "missing", "spare")  # all hosts start; one is missing, and the job goes on without it, or a spare takes its place
READERS = ("fast", "slow")  # of the job's output
LINES = 8000  # of a rank, where output matters
CODE = 10  # and its number: what a rank exits with


@dataclasses.dataclass(frozen=True)
class Case:
    fault: str
    place: str
    phase: str
    links: str
    degree: int
    policy: str = "abort"
    routing: str = "spawn"
    transport: str = "ssh"
    start: str = "whole"
    reader: str = "fast"
    seed: int = 1

    def __str__(self):
        where = "" if self.of_head else f" of {self.place}"
        return f"{self.fault}{where}, {self.phase}, links {self.links}, degree {self.degree}, {self.policy}, " \
               f"routing {self.routing}, {self.transport}, {self.start} start, {self.reader} reader, seed {self.seed}"

    @property
    def of_head(self):
        return self.fault in ("head", "head stop")

    @property
    def hosts(self):
        """So many hosts it takes to have such a place in the tree."""
        wide = self.degree == 8 and self.place != "leaf" or self.degree == 3 and self.place == "inner"
        return 24 if wide and not self.of_head else 8

    @property
    def makes_sense(self):
        if self.of_head and (self.place != "leaf" or self.policy != "abort"):
            return False
        if self.routing != "spawn" and (self.links == "ssh" or self.phase == "spawning"):
            return False
        if self.start != "whole" and (self.phase in EARLY or self.links == "ssh"):
            return False  # who is lost early counts as missing, too; over ssh alone it counts who was below whom in the end
        if self.reader == "slow" and self.phase != "output":
            return False
        return self.routing != "spawn" or self.phase != "exchanging"

    @property
    def costs_nothing(self):
        """Nothing of the job is lost with it."""
        return self.fault in ("short cut", "short stop", "head stop") or self.fault == "sshd" and self.links != "ssh"

    @property
    def goes_on(self):
        """Whoever lives runs to its own end."""
        return self.costs_nothing or self.policy == "continue"

    @property
    def tells_codes(self):
        """Every rank fails by itself, each in its own way."""
        return self.phase == "ending" and self.policy == "continue"


def every_case():
    for values in itertools.product(FAULTS, PLACES, PHASES, LINKS, DEGREES, POLICIES, ROUTINGS):
        case = Case(*values)
        if case.makes_sense:
            yield case


def drawn(choice, every):
    """One of these at random, under circumstances that every_case() has no more than one of."""
    chosen = choice.choice(every)
    transport, seed = choice.choice(("ssh", "openssh")), choice.randrange(1 << 30)
    start, reader = choice.choice(STARTS), choice.choice(READERS)
    chosen = dataclasses.replace(chosen, transport=transport, seed=seed)
    for more in ({"start": start}, {"reader": reader}):
        varied = dataclasses.replace(chosen, **more)
        chosen = varied if varied.makes_sense else chosen
    return chosen


def meetings(case):
    """Each two of its circumstances; and what breaks in which phase, under either policy."""
    values = [case.fault, case.place, case.phase, case.links, case.degree, case.policy, case.routing]
    return {(case.fault, case.phase, case.policy), *itertools.combinations(enumerate(values), 2)}


def covering(seed=1):
    """Cases in which all meet that can; few of them, and few that take all hosts."""
    choice = random.Random(seed)
    left = list(every_case())
    open_meetings = set().union(*(meetings(case) for case in left))
    chosen = []
    while open_meetings:
        candidates = choice.sample(left, min(len(left), 150))
        best = max(candidates, key=lambda case: (len(meetings(case) & open_meetings), -case.hosts))
        if meetings(best) & open_meetings:
            chosen.append(dataclasses.replace(best, seed=len(chosen)))
            open_meetings -= meetings(best)
    return chosen
