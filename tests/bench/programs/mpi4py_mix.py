# SPDX-License-Identifier: MIT
"""What mpi4py's own tests do, which Debian does not ship: every kind of call, many times, each checked."""
import array
import sys

from mpi4py import MPI

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 50
world = MPI.COMM_WORLD
rank, size = world.rank, world.size


def objects():
    assert world.bcast({"of": list(range(100))} if rank == 0 else None)["of"][99] == 99
    assert world.gather(rank) == (list(range(size)) if rank == 0 else None)
    assert world.scatter([str(i) for i in range(size)] if rank == 0 else None) == str(rank)
    assert world.allgather((rank, "x" * 100)) == [(i, "x" * 100) for i in range(size)]
    assert world.alltoall([rank * size + i for i in range(size)]) == [i * size + rank for i in range(size)]
    assert world.allreduce(rank, MPI.MAX) == size - 1
    assert world.scan(1) == rank + 1


def messages():
    right, left = (rank + 1) % size, (rank - 1) % size
    request = world.isend([rank] * 1000, right, tag=7)
    assert world.recv(source=left, tag=7)[0] == left
    request.wait()
    for length in (1, 1000, 100_000):
        mine, theirs = array.array("d", [rank]) * length, array.array("d", [0]) * length
        requests = [world.Irecv(theirs, left), world.Isend(mine, right)]
        MPI.Request.Waitall(requests)
        assert theirs[-1] == left


def buffers():
    for length in (1, 1000, 20_000):
        mine, total = array.array("i", [rank]) * length, array.array("i", [0]) * length
        world.Allreduce(mine, total)
        assert total[-1] == size * (size - 1) // 2
        world.Bcast(total, root=size - 1)
        everything = array.array("i", [0]) * (length * size)
        world.Allgather(mine, everything)
        assert everything[-1] == size - 1
        request = world.Iallreduce(mine, total)
        request.Wait()


def communicators():
    part = world.Split(rank % 2, rank)
    assert part.allreduce(1) == (size + 1 - rank % 2) // 2
    node = world.Split_type(MPI.COMM_TYPE_SHARED)
    assert node.size <= size
    grid = world.Create_cart([size], periods=[True])
    source, dest = grid.Shift(0, 1)
    assert grid.sendrecv(rank, dest=dest, source=source) == source
    for one in (part, node, grid):
        one.Free()


def windows():
    memory = array.array("i", [-1]) * 16
    window = MPI.Win.Create(memory, disp_unit=memory.itemsize, comm=world)
    window.Fence()
    window.Put([array.array("i", [rank]), MPI.INT], (rank + 1) % size)
    window.Fence()
    assert memory[0] == (rank - 1) % size
    window.Free()


parts = [objects, messages, buffers, communicators]
# Open MPI 4.1 makes none over TCP for a program that may have threads, nor for one rank alone.
if size > 1 and world.Split_type(MPI.COMM_TYPE_SHARED).size == size:
    parts.append(windows)
for _ in range(ROUNDS):
    for part in parts:
        part()
world.Barrier()
if rank == 0:
    print(f"{ROUNDS} rounds of {size} ranks")
