#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A master that adds workers: `launch -hosts node001 -n 1 ./farm_example.py node002,node003`. Needs liblaunch_modex.so."""
import ctypes
import sys

modex = ctypes.CDLL("liblaunch_modex.so.1")
modex.launch_modex_space.restype = modex.launch_modex_reason.restype = modex.launch_modex_strerror.restype = ctypes.c_char_p
job, ALL_DAY = ctypes.c_void_p(), -1


class Event(ctypes.Structure):
    """As struct launch_modex_event."""
    _fields_ = [("number", ctypes.c_ulong), ("kind", ctypes.c_int), ("count", ctypes.c_int), ("rank", ctypes.c_int),
                ("name", ctypes.c_char * 1001)]


def call(name, *words):
    """A function of the library, which is to succeed."""
    failed = getattr(modex, "launch_modex_" + name)(job, *words)
    if failed:
        sys.exit(f"{name}: {(modex.launch_modex_reason(job) or modex.launch_modex_strerror(failed)).decode()}")


def text(name, *words):
    """The same, for one whose answer is a text."""
    answer = ctypes.create_string_buffer(1000)
    call(name, *words, answer, ctypes.c_size_t(len(answer)))
    return answer.value


def words_of(*words):
    return (ctypes.c_char_p * (len(words) + 1))(*(word.encode() for word in words), None)


def work(number):
    """What a worker is for. What it publishes is there as long as it is."""
    call("publish", b"square of %d" % number, b"%d" % number**2)
    text("lookup", b"all is gathered", ALL_DAY)


def main():
    """Starts a worker for each number, on the hosts that the user names, and gathers what they publish."""
    hosts = sys.argv[1]
    call("grow", hosts.encode())
    for number in range(1, 5):
        text("spawn", words_of(sys.executable, __file__, "--work", str(number)), 1, words_of("host=" + hosts))
    print("squares:", *(text("lookup", b"square of %d" % number, ALL_DAY).decode() for number in range(1, 5)))
    call("publish", b"all is gathered", b"yes")
    event, left = Event(), 0
    while left < 4:
        call("next_event", ALL_DAY, ctypes.byref(event))
        left += event.kind == 4  # LAUNCH_MODEX_PROCESSES_LEFT
    call("release", hosts.encode())


modex.launch_modex_init(ctypes.byref(job))
work(int(sys.argv[2])) if sys.argv[1] == "--work" else main()
call("finalize")
