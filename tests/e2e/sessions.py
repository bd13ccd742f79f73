# SPDX-License-Identifier: MIT
"""Sessions for tests: brought up, used, ended."""
import contextlib
import json

from harness import *


@contextlib.contextmanager
def session(hosts, *words, name="s1"):
    """Brought up on these hosts; ended, if it was not already."""
    started = launch("session", "start", "--name", name, "-hosts", hosts, *words)
    expect(started, err="", out_contains=[f"session {name}: ", f"launch session stop {name}"])
    try:
        yield name
    finally:
        launch("session", "stop", name)
    if name in names_listed():
        fail(f"session {name} has not ended")


def names_listed():
    return [line.split()[0] for line in expect(launch("session", "list"), err="").lines[1:]]


def on(name, *words, **options):
    return launch("--session", name, *words, **options)


def state(name):
    """What the session says of itself, as JSON."""
    return json.loads(expect(launch("session", "show", name, "--format", "json"), err="").text)["sessions"][0]
