// SPDX-License-Identifier: MIT
// mpi_end MODE RANK [CODE]: that rank ends badly, the others wait for a minute.
//   abort  MPI_Abort with CODE      segv  dies of SIGSEGV
//   exit   exit(CODE) without MPI_Finalize
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 3) {
        fprintf(stderr, "usage: mpi_end abort|segv|exit RANK [CODE]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    // Who is still in MPI_Init would fail in its own way when its peers vanish.
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(200 * 1000);
    const int code = argc > 3 ? atoi(argv[3]) : 0;
    if (rank != atoi(argv[2])) {
        sleep(60);
    } else if (strcmp(argv[1], "abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, code);
    } else if (strcmp(argv[1], "segv") == 0) {
        signal(SIGSEGV, SIG_DFL);  // the library's own handler would print a page
        raise(SIGSEGV);
    } else {
        _exit(code);  // exit() would run the library's handlers
    }
    return 0;
}
