// SPDX-License-Identifier: MIT
#pragma once

#include <mpi.h>
#include <time.h>

/// MPI_Finalize for programs that have communicated. Debian's MPICH 4.0.2 over UCX's TCP can hang
/// there, under any launcher, on connections that were used in one direction only: ranks already in
/// the launcher's barrier no longer answer those that still flush. Measured with 16 ranks on 8
/// hosts and a busy machine under mpiexec.hydra: a barrier and a rest end well in every second run,
/// in all of 16 after every pair has spoken in both directions. MPI_Iprobe instead of the plain
/// rest made it worse.
static inline int finish(void) {
    const struct timespec rest = {0, 200 * 1000 * 1000};
    int rank, size, token = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < size; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + i) % size, 1, &token, 1, MPI_INT,
                     (rank + size - i) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    nanosleep(&rest, NULL);
    return MPI_Finalize();
}
