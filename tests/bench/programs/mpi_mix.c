// SPDX-License-Identifier: MIT
// mpi_mix [STEPS]: what simulations do, without the simulation. In each step a halo exchange with
// both neighbours, a sum over all and a little work; now and then all send to all, and a large
// broadcast. Ends with 1 where a sum is wrong.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALO = 4096, LARGE = 1 << 18 };

static double work(double* cells) {
    double sum = 0;
    for (int i = 1; i < HALO - 1; i++) {
        cells[i] = (cells[i - 1] + cells[i] + cells[i + 1]) / 3;
        sum += cells[i];
    }
    return sum;
}

int main(int argc, char** argv) {
    const int steps = argc > 1 ? atoi(argv[1]) : 1000;
    int rank, size, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double* cells = calloc(HALO, sizeof *cells);
    double* halo = calloc(HALO, sizeof *halo);
    double* large = calloc(LARGE, sizeof *large);
    int* to_all = calloc((size_t)size * 256, sizeof *to_all);
    int* from_all = calloc((size_t)size * 256, sizeof *from_all);
    for (int step = 0; step < steps; step++) {
        const int next = (rank + 1) % size, last = (rank + size - 1) % size;
        MPI_Sendrecv(cells, HALO, MPI_DOUBLE, next, 0, halo, HALO, MPI_DOUBLE, last, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(cells, HALO, MPI_DOUBLE, last, 1, halo, HALO, MPI_DOUBLE, next, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double mine[2] = {work(cells), rank}, all[2];
        MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        wrong += all[1] != (double)size * (size - 1) / 2;
        if (step % 10 != 0) continue;
        MPI_Alltoall(to_all, 256, MPI_INT, from_all, 256, MPI_INT, MPI_COMM_WORLD);
        if (step % 100 == 0) MPI_Bcast(large, LARGE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) printf("%d steps of %d ranks, %d wrong\n", steps, size, wrong);
    MPI_Finalize();
    return wrong != 0;
}
