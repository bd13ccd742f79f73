#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Breaks one thing after the other under jobs on real hosts, at random, and says what was not as it should be.

    tests/faults.py [--seed N] [--minutes M] [--only WORD]...
    tests/faults.py --sessions [--seed N] [--minutes M]

As root from the checkout; LAUNCH, HELPERS and LAUNCH_CLUSTER as for tests/e2e. The same seed breaks the same things in the
same order; --only keeps the cases whose description has the words. --sessions breaks things in one session in which jobs come
and go, and hosts too. tests/e2e/test_faults.py and test_session_faults.py run short ones.
"""
import argparse
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "e2e"))
from faults import run_random  # noqa: E402
from harness import cluster  # noqa: E402
from harness.leftovers import Snapshot, leftovers  # noqa: E402
import session_faults  # noqa: E402


def in_session(options):
    deadline = time.monotonic() + options.minutes * 60
    with cluster(session_faults.HOSTS) as hosts:
        before = Snapshot()
        run = session_faults.Run(hosts, options.seed)
        run.steps(lambda count: time.monotonic() > deadline)
        left = leftovers(before)
    if left:
        print("left behind:\n  " + "\n  ".join(left))
    print(f"{run.count} steps, {'something left' if left else 'nothing wrong'}")
    sys.exit(1 if left else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--only", action="append", default=[], metavar="WORD")
    parser.add_argument("--sessions", action="store_true")
    options = parser.parse_args()
    if options.sessions:
        return in_session(options)
    with cluster(24) as hosts:
        count, wrong = run_random(hosts, options.seed, options.minutes * 60, options.only)
    for reason in wrong:
        print(f"\n{reason}")
    print(f"{count} cases judged, {len(wrong)} wrong")
    sys.exit(1 if wrong or not count else 0)


if __name__ == "__main__":
    main()
