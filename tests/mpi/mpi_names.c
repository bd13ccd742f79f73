// SPDX-License-Identifier: MIT
// Each rank prints "RANK SIZE LOCAL_RANK LOCAL_SIZE HOST" as MPI knows them, and "launch disagrees"
// if the launcher told it another rank or size.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/mpi/finish.h"

static int agrees(const char* name, int value) {
    const char* told = getenv(name);
    return !told || atoi(told) == value;
}

int main(int argc, char** argv) {
    int rank, size, local_rank, local_size;
    char host[256] = "";
    MPI_Comm node;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &local_rank);
    MPI_Comm_size(node, &local_size);
    gethostname(host, sizeof host - 1);
    const int agreed = agrees("LAUNCH_RANK", rank) && agrees("LAUNCH_SIZE", size);
    printf("%d %d %d %d %s%s\n", rank, size, local_rank, local_size, host,
           agreed ? "" : " launch disagrees");
    fflush(stdout);
    MPI_Comm_free(&node);
    finish();
    return !agreed;
}
