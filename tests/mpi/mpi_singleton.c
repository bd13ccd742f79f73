// SPDX-License-Identifier: MIT
// mpi_singleton [die|reader]: started by hand. Publishes a name and looks it up, and says what it
// found.
//   die     kills itself then      reader  ends the input of a program that it started before
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
    const char* mode = argc > 1 ? argv[1] : "";
    char found[MPI_MAX_PORT_NAME] = "nothing";
    int size;
    FILE* reader = strcmp(mode, "reader") == 0 ? popen("cat", "w") : NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *universe, known;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &known);
    MPI_Publish_name("a name of mine", MPI_INFO_NULL, "my:port");
    MPI_Lookup_name("a name of mine", MPI_INFO_NULL, found);
    printf("%d alone, universe of %d, found %s\n", size, known ? *universe : -1, found);
    fflush(stdout);
    if (strcmp(mode, "die") == 0) raise(SIGKILL);
    if (reader) {
        fputs("read to the end\n", reader);
        pclose(reader);
    }
    MPI_Unpublish_name("a name of mine", MPI_INFO_NULL, "my:port");
    return MPI_Finalize();
}
