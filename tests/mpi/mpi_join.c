// Two ranks that have a socket in common make a communicator of it (MPI_Comm_join): of one job, or,
// by "mpi_join listen|dial FILE", of two. FILE is a socket's path.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/mpi/finish.h"

int main(int argc, char** argv) {
    if (argc < 3) return 2;
    const int listens = strcmp(argv[1], "listen") == 0;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[2], sizeof address.sun_path - 1);
    MPI_Init(&argc, &argv);
    int link = socket(AF_UNIX, SOCK_STREAM, 0);
    if (listens) {
        const int door = link;
        if (bind(door, (struct sockaddr*)&address, sizeof address) || listen(door, 1)) return 3;
        link = accept(door, NULL, NULL);
    } else {
        while (connect(link, (struct sockaddr*)&address, sizeof address))
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
