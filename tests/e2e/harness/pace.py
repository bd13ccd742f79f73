"""How long the tests of a build wait: a sanitizer's is for what is wrong in it, not for its speed."""
import functools
import re

from harness.basics import LAUNCH


@functools.lru_cache
def sanitized():
    """Built with a sanitizer, which needs memory of its own. One compiler links it as a library, the other puts it inside."""
    with open(LAUNCH, "rb") as file:
        return re.search(rb"__[at]san_init", file.read()) is not None


def allowed(seconds):
    """What a test allows at most, of that a build without a sanitizer is given."""
    return seconds * (2 if sanitized() else 1)
