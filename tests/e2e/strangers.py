# SPDX-License-Identifier: MIT
"""Who connects to a port of launch and has no business there."""
import sys

SCRIPT = """import os, socket, sys, time
def connect():
    return socket.create_connection(('127.0.0.1', int(sys.argv[1])), 5)
open_ones = [connect() for _ in range(300)]
for n in range(200):
    with connect() as s:
        try: s.sendall(os.urandom(2000)); s.settimeout(0.2); s.recv(100)
        except OSError: pass
with connect() as s:
    s.sendall(b'\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xfc\\x03\\x03')
    time.sleep(0.5)
print('done', flush=True)
"""


def strangers_at(port):
    """A command: hundreds that stay and say nothing, hundreds that say nonsense, and one that begins well."""
    return [sys.executable, "-c", SCRIPT, str(port)]
