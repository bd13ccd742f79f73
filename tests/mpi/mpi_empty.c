// SPDX-License-Identifier: MIT
// The least MPI program: what it takes, the launcher and the library take.
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
