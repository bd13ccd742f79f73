# SPDX-License-Identifier: MIT
"""Each rank says hello and takes part in a collective; for Debian's python3-mpi4py."""
import sys
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
total = world.allreduce(world.rank + 1)
names = world.allgather(MPI.Get_processor_name())
print(f"hello from {world.rank} of {world.size}, sum {total}, {len(set(names))} hosts", flush=True)
world.Barrier()
time.sleep(0.2)  # see finish.h
sys.exit(total != world.size * (world.size + 1) // 2)
