# SPDX-License-Identifier: MIT
"""A small system of its own: what every Debian has and nothing else, made of the files that this machine has of those packages."""
import os
import re
import subprocess

from harness import *
from programs import need

INFO = "var/lib/dpkg/info"


def query(*words):
    return subprocess.run(["dpkg-query", *words], stdout=subprocess.PIPE, text=True, check=True).stdout


def essential_packages():
    """Those marked so, and what they depend on."""
    shown = query("-W", "-f", "${binary:Package}|${Package}|${Essential}|${Provides}|${Pre-Depends}, ${Depends}\n").splitlines()
    rows = [line.split("|", 4) for line in shown]
    providers = {}
    for full, name, _, provides, _ in rows:
        for offered in [name, *provides.split(",")]:
            providers.setdefault(offered.split("(")[0].strip(), full)
    needs = {full: depends for full, _, _, _, depends in rows}
    chosen, open_ends = set(), [full for full, _, essential, _, _ in rows if essential == "yes"]
    while open_ends:
        package = open_ends.pop()
        if package in chosen:
            continue
        chosen.add(package)
        for alternatives in needs[package].split(","):
            names = [word.split("(")[0].split(":")[0].strip() for word in alternatives.split("|")]
            open_ends += [providers[name] for name in names if name in providers][:1]
    return sorted(chosen)


def copy(paths, root):
    """Links as links; what is no longer here is left out."""
    there = "".join(path + "\0" for path in paths if os.path.lexists("/" + path))
    pack = ["tar", "-C", "/", "-c", "--no-recursion", "--hard-dereference", "--null", "--verbatim-files-from", "-T", "-"]
    with subprocess.Popen(pack, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as source:
        unpack = subprocess.Popen(["tar", "-C", root, "-x", "-p"], stdin=source.stdout)
        source.stdin.write(there.encode())
        source.stdin.close()
        if unpack.wait() or source.wait():
            fail("the system could not be copied")


def clean_system(root):
    """Fills the folder. Who runs programs there does so by `inside`."""
    need("dpkg-query", "dpkg")
    if os.geteuid() != 0:
        raise Skip("a system of its own needs root")
    packages = essential_packages()
    os.mkdir(root, 0o755)
    left_out = ("/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/info/")
    # Where /bin is a link to /usr/bin no package has it.
    links = [name for name in os.listdir("/") if os.path.islink("/" + name) and not os.readlink("/" + name).startswith("/")]
    copy(["usr", *(f"usr/{name}" for name in links), *links], root)
    listed = query("-L", *packages).splitlines()
    copy([path[1:] for path in listed if len(path) > 2 and path.startswith("/") and not path.startswith(left_out)], root)
    names = [entry for entry in os.listdir("/" + INFO) if entry.rsplit(".", 1)[0] in packages]
    copy(["etc/passwd", "etc/group", "var/lib/dpkg/triggers/ldconfig", *(f"{INFO}/{entry}" for entry in names)], root)
    with open(os.path.join(root, "var/lib/dpkg/status"), "w") as file:
        # What is yet to be done here is no matter of that system.
        status = re.sub(r"^Status: .*", "Status: install ok installed", query("-s", *packages), flags=re.M)
        file.write(re.sub(r"^Triggers-.*\n", "", status, flags=re.M))


def inside(root, script, **options):
    """Runs a shell's script there, with what the kernel offers a system, and unmounts it by itself."""
    mounts = " && ".join(f"mount --bind /{name} {root}/{name}" for name in ("proc", "dev", "sys"))
    return run(["unshare", "--mount", "sh", "-c", f'{mounts} && exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot {root} sh -c "$0"',
                script], **options)
