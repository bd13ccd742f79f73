// SPDX-License-Identifier: MIT
// mpi_spawn COUNT [TIMES [ROOT_STEP [KEY=VALUE]...]]: all ranks spawn COUNT processes of this
// program together, TIMES times one after another, each time with another root, ROOT_STEP after the
// one before. Parents and children merge, add up their numbers, and part. The first parent prints
// what came of it. COUNT 0: two programs at once, of 1 and 2 processes. "tell=NAME" is no info key:
// children print where they are, the variable of that name, and MPI_UNIVERSE_SIZE. A spawn that
// fails is told of, and ends the program.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Of all processes of both sides, or -1 where the two do not agree on it.
static int meet(MPI_Comm other, int high) {
    MPI_Comm all;
    int rank, size, sum;
    MPI_Intercomm_merge(other, high, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, all);
    MPI_Comm_free(&all);
    return sum == size * (size - 1) / 2 ? size : -1;
}

static void tell(const char* name) {
    char folder[512], host[256];
    int rank, found, *universe;
    const char* value = getenv(name);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &found);
    gethostname(host, sizeof host);
    printf("child %d on %s in %s: %s, universe of %d\n", rank, host, getcwd(folder, sizeof folder),
           value ? value : "nothing", found ? *universe : -1);
    fflush(stdout);
}

static int be_child(MPI_Comm parent, const char* told) {
    if (told != NULL) tell(told);
    const int size = meet(parent, 1);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return size < 0;
}

static MPI_Comm spawn(char* program, int count, int root, MPI_Info info, char* told) {
    MPI_Comm children;
    char* argv[] = {"child", told, NULL};
    if (count > 0) {
        int* codes = malloc((size_t)count * sizeof *codes);
        const int code =
            MPI_Comm_spawn(program, argv, count, info, root, MPI_COMM_WORLD, &children, codes);
        if (code != MPI_SUCCESS) {
            free(codes);
            return MPI_COMM_NULL;
        }
        for (int i = 0; i < count; i++)
            if (codes[i] != MPI_SUCCESS) printf("process %d was not started\n", i);
        free(codes);
        return children;
    }
    char* programs[] = {program, program};
    char** words[] = {argv, argv};
    int counts[] = {1, 2}, codes[3];
    MPI_Info infos[] = {info, info};
    MPI_Comm_spawn_multiple(2, programs, words, counts, infos, root, MPI_COMM_WORLD, &children,
                            codes);
    return children;
}

int main(int argc, char** argv) {
    MPI_Comm parent;
    MPI_Info info = MPI_INFO_NULL;
    char* told = NULL;
    int rank, size, met = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) return be_child(parent, argc > 2 ? argv[2] : NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int count = argc > 1 ? atoi(argv[1]) : 1;
    const int times = argc > 2 ? atoi(argv[2]) : 1;
    const int step = argc > 3 ? atoi(argv[3]) : 0;
    if (argc > 4) MPI_Info_create(&info);
    for (int i = 4; i < argc; i++) {
        char* value = strchr(argv[i], '=');
        *value = '\0';
        if (strcmp(argv[i], "tell") == 0)
            told = value + 1;
        else
            MPI_Info_set(info, argv[i], value + 1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < times; i++) {
        MPI_Comm children = spawn(argv[0], count, i * step % size, info, told);
        if (children == MPI_COMM_NULL) {
            if (rank == 0) printf("no process was started\n");
            MPI_Finalize();
            return 3;
        }
        met = meet(children, 0);
        MPI_Comm_disconnect(&children);
    }
    if (rank == 0) printf("%d times %d processes met\n", times, met);
    MPI_Finalize();
    return met < 0;
}
