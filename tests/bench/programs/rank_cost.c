// SPDX-License-Identifier: MIT
// Preloaded into each rank: adds a line to the file RANK_COST names as the rank ends, with when it
// began and ended (monotonic seconds), the processor seconds it used, and how often it waited and
// was put off. What a rank starts (a shell its program, say) says the same for itself.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double begun;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) {
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

__attribute__((constructor)) static void begin(void) {
    begun = now();
}

__attribute__((destructor)) static void end(void) {
    const char* path = getenv("RANK_COST");
    char line[200];
    struct rusage used;
    if (path == NULL || getrusage(RUSAGE_SELF, &used) != 0) return;
    const int file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0644);
    const int length =
        snprintf(line, sizeof line, "%.6f %.6f %.6f %ld %ld\n", begun, now(),
                 seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_nvcsw, used.ru_nivcsw);
    if (file < 0) return;
    if (write(file, line, (size_t)length) != length) perror(path);
    close(file);
}
