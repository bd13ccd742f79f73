# SPDX-License-Identifier: MIT
"""Where things are, and how a test ends otherwise than well."""
import contextlib
import os
import shutil
import tempfile

SOURCE_DIR = os.environ.get("SOURCE_DIR") or os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../.."))
# Of the build that is tested: tests/run and ctest say which. None is guessed, as it might be another than the one meant.
LAUNCH = os.environ.get("LAUNCH", "")
HELPERS = os.environ.get("HELPERS", "")
CLUSTER = os.path.join(SOURCE_DIR, "tests/cluster/cluster")
# In the environment of all that a test starts: tells ours from what others run on this machine.
MARK = f"LAUNCH_TEST_ID={os.getpid()}"
os.environ["LAUNCH_TEST_ID"] = str(os.getpid())


class Failed(AssertionError):
    pass


class Skip(Exception):
    pass


class TimedOut(Failed):
    pass


def fail(message):
    raise Failed(message)


def helper(name):
    return os.path.join(HELPERS, name)


@contextlib.contextmanager
def scratch():
    """A directory for the test's own files, seen by the hosts too (it is below the build or the checkout)."""
    base = HELPERS if os.path.isdir(HELPERS) else SOURCE_DIR
    path = tempfile.mkdtemp(prefix="e2e-", dir=base)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
