# SPDX-License-Identifier: MIT
"""Stand-ins for the programs that reach hosts: docker, rsh, srun and their kin."""
import contextlib
import os
import stat

from harness import *


@contextlib.contextmanager
def program(name, text):
    """A script here and on each host; its path, which is a strange one."""
    with scratch() as folder:
        path = os.path.join(folder, "its own", name)
        os.mkdir(os.path.dirname(path))
        with open(path, "w") as file:
            file.write(text)
            os.fchmod(file.fileno(), stat.S_IRWXU)
        yield path


def path_with(program_path):
    return {"PATH": os.path.dirname(program_path) + ":" + os.environ["PATH"]}
