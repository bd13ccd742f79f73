# SPDX-License-Identifier: MIT
"""A file server that has died under its clients: a mount of FUSE whose one file, `dead`, is never answered for. Who looks for
it waits in the kernel, and once killed uninterruptibly (state D), as with a dead disk or NFS server."""
import contextlib
import errno
import os
import struct
import threading

from harness import *
from harness.own_place import MS_NODEV, MS_NOSUID, call, mount

LOOKUP, FORGET, GETATTR, INIT, INTERRUPT, BATCH_FORGET = 1, 2, 3, 26, 36, 42
UNMOUNT_FORCE, UNMOUNT_DETACH = 1, 2
HEADER = struct.Struct("<IIQQIIII")
VERSION = 7, 31
FOLDER = struct.pack("<QII QQQQQQ III IIIIIII", 3600, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0o40755, 2, 0, 0, 0, 4096, 0)


class DeadFileServer:
    def __init__(self, path):
        self.path = path
        self.file = os.path.join(path, "dead")
        self.is_asked = threading.Event()
        self.device = os.open("/dev/fuse", os.O_RDWR)
        mount("dead", path, "fuse", MS_NOSUID | MS_NODEV, f"fd={self.device},rootmode=40000,user_id=0,group_id=0,allow_other")
        self.server = threading.Thread(target=self.serve)
        self.server.start()

    def serve(self):
        with contextlib.suppress(OSError):  # ENODEV: it is unmounted
            while True:
                request = os.read(self.device, 1 << 18)
                _, kind, number, *_ = HEADER.unpack_from(request)
                if kind == LOOKUP and request[HEADER.size:] == b"dead\0":
                    self.is_asked.set()
                elif kind not in (FORGET, INTERRUPT, BATCH_FORGET):
                    error, data = self.answer(kind)
                    os.write(self.device, struct.pack("<IiQ", 16 + len(data), -error, number) + data)

    @staticmethod
    def answer(kind):
        if kind == INIT:
            return 0, struct.pack("<IIIIHHIIHHI28x", *VERSION, 1 << 16, 0, 16, 12, 1 << 16, 1, 16, 0, 0)
        if kind == GETATTR:
            return 0, FOLDER
        return errno.ENOENT if kind == LOOKUP else errno.ENOSYS, b""

    def close(self):
        """Who waits for it gets an error, at last."""
        call("umount2", self.path.encode(), UNMOUNT_FORCE | UNMOUNT_DETACH)
        self.server.join()
        os.close(self.device)


@contextlib.contextmanager
def dead_file_server():
    if not place.is_private:
        raise Skip("no namespaces to be had here: this needs root")
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise Skip("/dev/fuse is missing (the kernel's module fuse)")
    with scratch() as folder, contextlib.closing(DeadFileServer(folder)) as server:
        yield server
