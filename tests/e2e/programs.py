# SPDX-License-Identifier: MIT
"""MPI and PMIx programs as ranks on many hosts, and what is said of them."""
import os
import re
import shutil

from harness import *

HOSTS = 8
DEGREES = ["1", "2", "3", "32"]
# What the test hosts need, since they share one kernel: only the network is common to them.
NETWORK = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0", "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_pml": "ob1",
           "OMPI_MCA_btl_tcp_if_include": "eth0"}
PACKAGES = {"mpich": "mpich libmpich-dev", "openmpi": "openmpi-bin libopenmpi-dev"}
PORT = ["--pmi", "pmi1-port"]


def mpi(library, name):
    path = os.path.join(HELPERS, library, name)
    if not os.path.exists(path):
        raise Skip(f"{library}/{name} was not built (packages {PACKAGES[library]})")
    return path


def pmix(name):
    if not os.path.exists(helper(name)):
        raise Skip(f"{name} was not built (package libpmix-dev)")
    return helper(name)


def need(program, package):
    path = shutil.which(program)
    if not path:
        raise Skip(f"{program} is missing (package {package})")
    return path


def job(cluster, *words, hosts=HOSTS, ppn=2, env=None, **options):
    """launch on so many hosts; whatever happens, it ends."""
    return launch("--timeout", "110", "-hosts", cluster.fold(hosts), "-ppn", str(ppn), *words, env={**NETWORK, **(env or {})},
                  timeout=115, **options)


def names(rank, host):
    """A message about the rank says where it is."""
    return re.compile(rf"^launch: (rank {rank} on {host}|{host}: rank {rank}): ", re.M)
