# SPDX-License-Identifier: MIT
"""How long tests wait. A test of the tier `clock` has bounds of time, which grow with a sanitizer's build, which is for what is
wrong in it and not for its speed, and on a machine that is slower than usual or busy. All other tests wait for an event until
their watchdog ends them."""
import functools
import os
import re
import time

from harness.basics import LAUNCH

USUAL_START = 0.0012  # s: of a program that does nothing, on a machine of two cores on which nothing else runs
STARTS = 20  # that are looked at
SLOWEST = 3.0  # times as slow as usual: no bound grows by more
WATCHDOG = 120  # s: of a test that has no bound of time
LIVENESS = 12  # s: the silence after which launch gives a host up in such a test; its default is too short for a busy machine
patient = False  # the test that runs has none


@functools.lru_cache
def sanitized():
    """Built with a sanitizer, which needs memory of its own. One compiler links it as a library, the other puts it inside."""
    with open(LAUNCH, "rb") as file:
        return re.search(rb"__[at]san_init", file.read()) is not None


@functools.lru_cache
def slowness():
    """How many times as long as usual it takes here and now to start programs, which is what jobs do; at least 1."""
    begin = time.monotonic()
    for _ in range(STARTS):
        os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
    return min(max((time.monotonic() - begin) / STARTS / USUAL_START, 1.0), SLOWEST)


def allowed(seconds):
    """What a test allows at most, of what a build without a sanitizer is given on a machine that is as fast as usual."""
    return WATCHDOG if patient else scaled(seconds)


def scaled(seconds):
    return seconds * (2 if sanitized() else 1) * slowness()


def watchdog(timeout):
    """Seconds until a test of so long a timeout is ended. It shows then what hangs, before a wait in it gives up."""
    return max(WATCHDOG - 1, timeout) if patient else scaled(timeout)


def longest_watchdog(timeout):
    """The same, on any machine, in any tier."""
    return max(WATCHDOG, timeout * 2 * SLOWEST)
