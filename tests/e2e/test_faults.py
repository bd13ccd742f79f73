#!/usr/bin/env python3
"""The fault matrix: what breaks, where, when and over which links, and what becomes of the job. More of the same, at
random: tests/faults.py."""
import dataclasses

from faults import covering, every_case, run_cases
from harness import *


@needs_cluster(24, timeout=240, grace=8)
def any_two_circumstances_meet(cluster):
    wrong = run_cases(cluster, covering())
    if wrong:
        fail("\n\n".join(wrong))


if __name__ == "__main__":
    main()
