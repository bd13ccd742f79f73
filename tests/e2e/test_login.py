#!/usr/bin/env python3
"""How a login is made, or is refused: the user's ssh config, keys and agent, known_hosts, and login shells of every kind."""
import contextlib
import os

from harness import *

TRANSPORTS = ["ssh", "openssh"]


@contextlib.contextmanager
def in_ssh_folder(cluster, host=None, **files):
    """These files in ~/.ssh there, or of the head: what they hold, or None where they are not to be. Undone after."""
    folder = os.path.join(cluster.home_of(host) if host else cluster.home, ".ssh")
    saved = {}
    for name, text in files.items():
        path = os.path.join(folder, name)
        saved[path] = None
        with contextlib.suppress(FileNotFoundError), open(path) as file:
            saved[path] = file.read()
        put(path, text)
    try:
        yield folder
    finally:
        for path, text in saved.items():
            put(path, text)


def put(path, text):
    """Keys may be read by nobody else."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    if text is not None:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(text)


@needs_cluster(4)
def another_ssh_config_is_used(cluster):
    """By its name as given, also relative; "none" is no file at all."""
    host = cluster.hosts[1]
    with scratch() as folder:
        with open(os.path.join(folder, "config"), "w") as file:
            file.write(f"Host elsewhere\n  HostName {host}\n")
        for transport in TRANSPORTS:
            for name in (os.path.join(folder, "config"), "config"):
                words = ["--transport", transport, "--ssh-config", name, "-hosts", "elsewhere"]
                expect(launch(*words, "hostname", cwd=folder), out_lines=[host], err="")
            expect(launch("--transport", transport, "--ssh-config", "none", "-hosts", host, "hostname"), out_lines=[host])


@needs_cluster(4)
def an_ssh_config_that_cannot_be_read_starts_nothing(cluster):
    with scratch() as folder:
        os.symlink("nowhere", os.path.join(folder, "dangling"))
        for name, why in (("missing", "No such file or directory"), ("dangling", "No such file or directory"),
                          (folder, "a folder, not a file"), ("a b", "No such file or directory")):
            for more in (["-hosts", cluster.hosts[0]], ["--transport", "openssh", "-hosts", cluster.hosts[0]],
                         ["--dry-run", "-hosts", cluster.hosts[0]]):
                shown = f'"{name}"' if " " in name else name
                expect(launch("--ssh-config", name, *more, "hostname", cwd=folder), code=2, out="", err_lines=[
                    f"launch: --ssh-config {shown}: {why} (see launch --help)"])


@needs_cluster(4)
def a_relay_without_that_ssh_config_uses_its_own_users(cluster):
    """The head's file is nowhere else, and makes this name of the first host."""
    first, second = cluster.hosts[:2]
    with in_ssh_folder(cluster, only_here=f"Host alias\n  HostName {first}\n"):
        with in_ssh_folder(cluster, first, config=f"Host other\n  HostName {second}\nHost *\n  LogLevel ERROR\n"):
            for transport in TRANSPORTS:
                words = ["--transport", transport, "--ssh-config", "/root/.ssh/only_here", "-k", "1"]
                command = f'cd / && exec "{LAUNCH}" {" ".join(words)} -hosts alias,other hostname'
                expect(run(["sh", "-c", command]), out_lines=[first, second], err="")


if __name__ == "__main__":
    main()
