// SPDX-License-Identifier: MIT
// What Open MPI has made of the host: each rank says whether it yields its CPU while it waits.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "tests/mpi/finish.h"

/// "unknown" where the library has no such setting.
static const char* yields(void) {
    int index, count, provided;
    char value[64] = {0};
    char none[sizeof value] = {0};
    MPI_T_cvar_handle handle;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    if (MPI_T_cvar_get_index("mpi_yield_when_idle", &index) != MPI_SUCCESS) return "unknown";
    if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) return "unknown";
    MPI_T_cvar_read(handle, value);
    MPI_T_cvar_handle_free(&handle);
    MPI_T_finalize();
    return memcmp(value, none, sizeof value) != 0 ? "yes" : "no";
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d %s\n", rank, yields());
    return finish();
}
