# SPDX-License-Identifier: MIT
"""A program whose execution takes as long as a test likes, as from a file server that is overloaded or below a virus scanner:
the kernel asks (fanotify), before it executes the file, and who executes it waits for the answer."""
import contextlib
import ctypes
import os
import select
import shutil
import struct
import threading

from harness import *
from harness.own_place import call

CLASS_CONTENT, CLOEXEC, MARK_ADD, OPEN_EXEC_PERM, HERE, ALLOW = 0x4, 0x1, 0x1, 0x40000, -100, 1
EVENT = struct.Struct("<IBBHQii")


class HeldExec:
    def __init__(self, program, path):
        shutil.copy(shutil.which(program), path)
        self.path = path
        self.is_asked = threading.Event()
        self.events = call("fanotify_init", CLASS_CONTENT | CLOEXEC, os.O_RDONLY | os.O_CLOEXEC)
        call("fanotify_mark", self.events, MARK_ADD, ctypes.c_uint64(OPEN_EXEC_PERM), HERE, path.encode())
        self.ends, self.end = os.pipe()
        self.asker = threading.Thread(target=self.ask)
        self.asker.start()

    def ask(self):
        """Until let_go(). Then whoever waits gets its answer as the kernel's queue is closed."""
        while self.events in select.select([self.events, self.ends], [], [])[0]:
            for _, _, _, _, _, file, _ in EVENT.iter_unpack(os.read(self.events, 1 << 16)):
                self.is_asked.set()
                os.close(file)

    def wait_until_asked(self):
        if not self.is_asked.wait(allowed(20)):
            fail("nobody executes the program")

    def let_go(self):
        """Who waits goes on, and nobody waits any more."""
        if self.asker.is_alive():
            os.write(self.end, b".")
            self.asker.join()
            os.close(self.events)

    def close(self):
        self.let_go()
        os.close(self.end)
        os.close(self.ends)


@contextlib.contextmanager
def held_exec(program):
    """A copy of the program, which the hosts of tests see as well."""
    if not place.is_private:
        raise Skip("to hold what executes a program takes root")
    with scratch() as folder, contextlib.closing(HeldExec(program, os.path.join(folder, f"held-{program}"))) as held:
        yield held
