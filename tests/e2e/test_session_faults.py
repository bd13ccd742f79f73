#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A session under random faults, a short run of what tests/faults.py --sessions does by the hour."""
from harness import *
from session_faults import HOSTS, Run


@needs_cluster(HOSTS, timeout=120, tier="clock")
def a_session_outlives_what_breaks_in_it(cluster):
    Run(cluster, 1).steps(lambda count: count == 12)


if __name__ == "__main__":
    main()
