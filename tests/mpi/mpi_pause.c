// SPDX-License-Identifier: MIT
// mpi_pause SECONDS: every rank says when it is under way, pauses, and says when it is through
// MPI_Finalize.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("%d: under way\n", rank);
    fflush(stdout);
    sleep(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
    MPI_Finalize();
    printf("%d: through\n", rank);
    return 0;
}
