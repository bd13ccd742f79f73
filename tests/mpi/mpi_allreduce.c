// SPDX-License-Identifier: MIT
// Sums over all ranks, checked by each: every rank takes part in a collective of many.
#include <mpi.h>
#include <stdio.h>

#include "tests/mpi/finish.h"

enum { LENGTH = 1000 };

int main(int argc, char** argv) {
    int rank, size, wrong = 0, all_wrong = 0;
    long mine[LENGTH], sums[LENGTH];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < LENGTH; i++)
        mine[i] = (long)rank * (i + 1);
    MPI_Allreduce(mine, sums, LENGTH, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < LENGTH; i++)
        wrong += sums[i] != (long)size * (size - 1) / 2 * (i + 1);
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("allreduce of %d: %d wrong\n", size, all_wrong);
    finish();
    return wrong != 0;
}
