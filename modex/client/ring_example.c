// SPDX-License-Identifier: MIT
/* A ring of processes: each listens on a port, puts its address, gets the next rank's, and
 * connects. A token then passes all of them.
 *
 *     cc -o ring ring_example.c -llaunch_modex && launch -n 16 -f hosts ./ring
 */
#include <launch_modex.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ADDRESS_MAX = 300 };

/* Listens on any free port; writes "HOST PORT", by which others find it. */
static int listen_somewhere(char* address) {
    struct sockaddr_storage bound = {0};
    socklen_t length = sizeof bound;
    char host[256] = "", port[16] = "";
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr*)&bound, &length) != 0 ||
        getnameinfo((struct sockaddr*)&bound, length, NULL, 0, port, sizeof port, NI_NUMERICSERV) ||
        gethostname(host, sizeof host - 1) != 0)
        return -1;
    snprintf(address, ADDRESS_MAX, "%s %s", host, port);
    return listener;
}

static int connect_to(const char* address) {
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo* found = NULL;
    char host[256], port[16];
    if (sscanf(address, "%255s %15s", host, port) != 2 || getaddrinfo(host, port, &wanted, &found))
        return -1;
    int peer = socket(found->ai_family, found->ai_socktype, 0);
    if (peer >= 0 && connect(peer, found->ai_addr, found->ai_addrlen) != 0) {
        close(peer);
        peer = -1;
    }
    freeaddrinfo(found);
    return peer;
}

/* The token starts at rank 0, comes back to it, and counts the ranks on its way. */
static int pass_token(int rank, int from, int to) {
    int token = 0;
    if (rank > 0 && recv(from, &token, sizeof token, MSG_WAITALL) != sizeof token) return -1;
    token++;
    if (send(to, &token, sizeof token, MSG_NOSIGNAL) != sizeof token) return -1;
    if (rank == 0 && recv(from, &token, sizeof token, MSG_WAITALL) != sizeof token) return -1;
    return token;
}

/* Ends the job, on every host, if something did not work. */
static void need(launch_modex* job, int good, const char* what) {
    if (!good) launch_modex_abort(job, 1, what);
}

int main(void) {
    launch_modex* job = NULL;
    char mine[ADDRESS_MAX], next[ADDRESS_MAX + 1];
    size_t length = 0;

    int failed = launch_modex_init(&job);
    need(job, !failed, launch_modex_strerror(failed));
    const int rank = launch_modex_rank(job), size = launch_modex_size(job);

    const int listener = listen_somewhere(mine);
    need(job, listener >= 0, "cannot listen");
    failed = launch_modex_put(job, "address", mine, strlen(mine));
    if (!failed) failed = launch_modex_fence(job);
    if (!failed)
        failed = launch_modex_get(job, (rank + 1) % size, "address", next, ADDRESS_MAX, &length);
    need(job, !failed, launch_modex_strerror(failed));
    next[length] = 0;

    const int to = connect_to(next);
    need(job, to >= 0, "cannot connect to the next rank");
    const int from = accept(listener, NULL, NULL);
    need(job, from >= 0, "the previous rank does not connect");
    const int token = pass_token(rank, from, to);
    need(job, token > 0, "the ring is broken");
    if (rank == 0) printf("ring of %d ranks closed, token %d\n", size, token);
    return launch_modex_finalize(job) ? 1 : 0;
}
