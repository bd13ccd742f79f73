#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""modex_words.py WORD...: a rank that asks the client library for one thing after the other, as its words say, and prints what came
of each:

    grow=HOSTS  release=HOSTS  spawn=COUNT,KEY=VALUE...+WORD...  event  parent  publish=NAME=VALUE (announce: rank 0 does)  lookup=NAME=MS  from=RANK
    tell=NAME (rank 0 publishes this space's name)  find=NAME=MS  put  sleep=SECONDS  exit=CODE  again=TIMES (starts `true` so often, each after the one before)

A spawned rank says the words after the '+'. `from` reads what a rank of the last space has put that was spawned or found, or that is
the parent's.
"""
import ctypes
import os
import sys
import time

modex = ctypes.CDLL(os.path.join(os.environ["MODEX_LIBRARY"], "liblaunch_modex.so.1"))
for name in ("space", "reason", "strerror"):
    getattr(modex, f"launch_modex_{name}").restype = ctypes.c_char_p
job, space = ctypes.c_void_p(), b""
KINDS = {1: "hosts joined", 2: "hosts left", 3: "processes joined", 4: "processes left", 5: "process failed"}


class Event(ctypes.Structure):
    _fields_ = [("number", ctypes.c_ulong), ("kind", ctypes.c_int), ("count", ctypes.c_int), ("rank", ctypes.c_int),
                ("name", ctypes.c_char * 1001)]


def call(name, *words):
    """ok, or why not."""
    failed = getattr(modex, "launch_modex_" + name)(job, *words)
    return "ok" if failed == 0 else modex.launch_modex_strerror(failed).decode()


def list_of(words):
    return (ctypes.c_char_p * (len(words) + 1))(*(word.encode() for word in words), None)


def spawn(text):
    global space
    first, _, words = text.partition("+")
    count, *info = first.split(";")
    argv = [sys.executable, os.path.realpath(__file__), *words.split("+")]
    answer = ctypes.create_string_buffer(256)
    done = call("spawn", list_of(argv), int(count), list_of(info), answer, ctypes.c_size_t(256))
    space = answer.value
    return done


def event(text):
    happened = Event()
    done = call("next_event", int(text or "20000"), ctypes.byref(happened))
    which = happened.name.decode().rpartition(".")[2] if happened.kind > 2 else happened.name.decode()
    return f"{happened.number} {KINDS[happened.kind]} {happened.count} {happened.rank} {which}" if done == "ok" else done


def take(name, *words, end=None):
    answer = ctypes.create_string_buffer(256)
    done = call(name, *words, answer, ctypes.c_size_t(256), *([end] if end else []))
    return answer.value.decode() if done == "ok" else done


def parent(_):
    global space
    answer = ctypes.create_string_buffer(256)
    done = call("parent", answer, ctypes.c_size_t(256))
    space = answer.value
    return done


def find(text):
    global space
    name, _, limit = text.rpartition("=")
    answer = ctypes.create_string_buffer(256)
    done = call("lookup", name.encode(), int(limit), answer, ctypes.c_size_t(256))
    space = answer.value
    return done


def put(_):
    card = f"card of {modex.launch_modex_rank(job)}".encode()
    failed = call("put", b"card", card, ctypes.c_size_t(len(card)))
    return failed if failed != "ok" else call("fence")


def again(times):
    happened = Event()
    for turn in range(int(times)):
        done = call("spawn", list_of(["/bin/true"]), 1, None, None, ctypes.c_size_t(0))
        while done == "ok" and happened.kind != 4:
            done = call("next_event", 20000, ctypes.byref(happened))
        happened.kind = 0
        if done != "ok":
            return f"{turn}: {done}"
    return f"{times} times"


VERBS = {
    "grow": lambda text: call("grow", text.encode()),
    "release": lambda text: call("release", text.encode()),
    "spawn": spawn,
    "event": event,
    "parent": parent,
    "tell": lambda name: call("publish", name.encode(), modex.launch_modex_space(job)) if modex.launch_modex_rank(job) == 0 else None,
    "find": find,
    "put": put,
    "again": again,
    "publish": lambda text: call("publish", *(word.encode() for word in text.split("=", 1))),
    "announce": lambda text: VERBS["publish"](text) if modex.launch_modex_rank(job) == 0 else None,
    "lookup": lambda text: take("lookup", text.rpartition("=")[0].encode(), int(text.rpartition("=")[2])),
    "from": lambda text: take("get_from", space, int(text), b"card", end=ctypes.byref(ctypes.c_size_t())),
    "sleep": lambda text: time.sleep(float(text)),
    "exit": lambda text: os._exit(int(text)),
}

failed = modex.launch_modex_init(ctypes.byref(job))
for each in sys.argv[1:]:
    verb, _, rest = each.partition("=")
    came = VERBS[verb](rest)
    if came is not None:
        print(f"{verb}: {came}", flush=True)
    if modex.launch_modex_reason(job):
        print("  " + modex.launch_modex_reason(job).decode(), flush=True)
modex.launch_modex_finalize(job)
