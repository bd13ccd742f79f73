#pragma once

#include <mpi.h>
#include <time.h>

/// MPI_Finalize for programs that have communicated. Debian's MPICH 4.0.2 over UCX's TCP can hang
/// there, under any launcher: ranks already in the launcher's barrier no longer progress the
/// connections that others still flush. A barrier and a moment of rest avoid it.
static inline int finish(void) {
    const struct timespec rest = {0, 200 * 1000 * 1000};
    MPI_Barrier(MPI_COMM_WORLD);
    nanosleep(&rest, NULL);
    return MPI_Finalize();
}
