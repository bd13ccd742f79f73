// SPDX-License-Identifier: MIT
// Two jobs meet: one accepts, the other connects, so many times, and each rank talks to all ranks
// of the other job. "mpi_meet accept|connect TIMES [SERVICE|FILE]": the port is published by the
// name, or written to the file if that begins with '/'.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/mpi/finish.h"

static void publish(const char* where, const char* port) {
    if (where[0] != '/') {
        MPI_Publish_name(where, MPI_INFO_NULL, port);
        return;
    }
    char other[512];
    snprintf(other, sizeof other, "%s.new", where);
    FILE* file = fopen(other, "w");
    fputs(port, file);
    fclose(file);
    rename(other, where);
}

static void look_up(const char* where, char* port) {
    if (where[0] != '/') {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        while (MPI_Lookup_name(where, MPI_INFO_NULL, port) != MPI_SUCCESS)
            usleep(50000);
        return;
    }
    FILE* file;
    while ((file = fopen(where, "r")) == NULL)
        usleep(50000);
    if (!fgets(port, MPI_MAX_PORT_NAME, file)) abort();
    fclose(file);
}

/// Each rank sends its number to all of the other job; returns how many it heard of, or -1.
static int talk(MPI_Comm other, int rank) {
    int size, sum = 0;
    MPI_Comm_remote_size(other, &size);
    MPI_Request* requests = malloc(2 * size * sizeof *requests);
    MPI_Status* statuses = malloc(2 * size * sizeof *statuses);
    int* heard = malloc(size * sizeof *heard);
    for (int i = 0; i < size; ++i) {
        MPI_Irecv(&heard[i], 1, MPI_INT, i, 7, other, &requests[2 * i]);
        MPI_Isend(&rank, 1, MPI_INT, i, 7, other, &requests[2 * i + 1]);
    }
    MPI_Waitall(2 * size, requests, statuses);
    for (int i = 0; i < size; ++i)
        sum += heard[i] == i;
    free(requests);
    free(statuses);
    free(heard);
    return sum == size ? size : -1;
}

int main(int argc, char** argv) {
    char port[MPI_MAX_PORT_NAME] = "";
    int rank, size;
    if (argc < 4) return 2;
    const int accepts = strcmp(argv[1], "accept") == 0;
    const int times = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (accepts && rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        publish(argv[3], port);
    }
    if (!accepts && rank == 0) look_up(argv[3], port);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    int heard = 0;
    for (int i = 0; i < times; ++i) {
        MPI_Comm other;
        if (accepts)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
        heard = talk(other, rank);
        MPI_Comm_disconnect(&other);
    }
    if (accepts && rank == 0) {
        if (argv[3][0] != '/') MPI_Unpublish_name(argv[3], MPI_INFO_NULL, port);
        MPI_Close_port(port);
    }
    printf("%s: rank %d of %d met %d ranks %d times\n", argv[1], rank, size, heard, times);
    fflush(stdout);
    finish();
    return heard < 0;
}
