// SPDX-License-Identifier: MIT
// Two ranks that have a socket in common make a communicator of it (MPI_Comm_join): of one job, or,
// by "mpi_join listen|dial FILE", of two. FILE is a socket's path, or HOST:PORT.
#include <mpi.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/mpi/finish.h"

static socklen_t address_of(const char* text, struct sockaddr_storage* address) {
    const char* colon = strchr(text, ':');
    struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = NULL;
    struct sockaddr_un* local = (struct sockaddr_un*)address;
    char host[256];
    if (!colon) {
        local->sun_family = AF_UNIX;
        strncpy(local->sun_path, text, sizeof local->sun_path - 1);
        return sizeof *local;
    }
    snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    if (getaddrinfo(host, colon + 1, &wanted, &found)) exit(4);
    const socklen_t length = found->ai_addrlen;
    memcpy(address, found->ai_addr, length);
    freeaddrinfo(found);
    return length;
}

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const int listens = strcmp(argv[1], "listen") == 0;
    struct sockaddr_storage address = {0};
    const socklen_t length = address_of(argv[2], &address);
    MPI_Init(&argc, &argv);
    int link = socket(address.ss_family, SOCK_STREAM, 0);
    if (listens) {
        const int door = link, again = 1;
        setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &again, sizeof again);
        if (bind(door, (struct sockaddr*)&address, length) || listen(door, 1)) return 3;
        link = accept(door, NULL, NULL);
    } else {
        while (connect(link, (struct sockaddr*)&address, length))
            usleep(50000);
    }
    MPI_Comm other;
    int said = listens ? 1 : 2, heard = 0;
    MPI_Comm_join(link, &other);
    MPI_Sendrecv(&said, 1, MPI_INT, 0, 3, &heard, 1, MPI_INT, 0, 3, other, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&other);
    close(link);
    printf("%s: joined, heard %d\n", argv[1], heard);
    fflush(stdout);
    finish();
    return said + heard != 3;
}
