// SPDX-License-Identifier: MIT
#include "modex/client/join.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "modex/client/launch_modex.h"

static int read_number(const char* text, size_t length, int* number) {
    char digits[12] = "", *end = NULL;
    if (length == 0 || length >= sizeof digits) return LAUNCH_MODEX_EPROTOCOL;
    memcpy(digits, text, length);
    const long value = strtol(digits, &end, 10);
    if (*end || value < 0 || value > INT32_MAX) return LAUNCH_MODEX_EPROTOCOL;
    *number = (int)value;
    return LAUNCH_MODEX_OK;
}

/* The number in a variable of the environment. */
static int number_of(const char* name, int* number) {
    const char* text = getenv(name);
    if (!text || !*text) return LAUNCH_MODEX_ENOTFOUND;
    return read_number(text, strlen(text), number);
}

/* A launcher cannot have set close-on-exec on what we inherited: if it is, it was taken before. */
static int take(int fd) {
    const int flags = fcntl(fd, F_GETFD);
    if (flags < 0 || flags & FD_CLOEXEC) return LAUNCH_MODEX_ECLOSED;
    return fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0 ? LAUNCH_MODEX_ECLOSED : LAUNCH_MODEX_OK;
}

static int join_by_descriptor(struct modex_wire* wire, int fd, int* rank, int* size) {
    if (number_of("PMI_RANK", rank) || number_of("PMI_SIZE", size) || *rank >= *size)
        return LAUNCH_MODEX_EPROTOCOL;
    const int failed = take(fd);
    if (!failed) modex_wire_begin(wire, fd);
    return failed;
}

static int connect_to(const struct addrinfo* address) {
    const int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (fd < 0) return -1;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 &&
        connect(fd, address->ai_addr, address->ai_addrlen) == 0)
        return fd;
    close(fd);
    return -1;
}

/* "HOST:PORT". */
static int dial(const char* address, int* fd) {
    const struct addrinfo wanted = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo* found = NULL;
    char host[256];
    const char* colon = strrchr(address, ':');
    if (!colon || (size_t)(colon - address) >= sizeof host) return LAUNCH_MODEX_EPROTOCOL;
    snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
    if (getaddrinfo(host, colon + 1, &wanted, &found)) return LAUNCH_MODEX_ECLOSED;
    *fd = -1;
    for (const struct addrinfo* each = found; each && *fd < 0; each = each->ai_next)
        *fd = connect_to(each);
    freeaddrinfo(found);
    return *fd < 0 ? LAUNCH_MODEX_ECLOSED : LAUNCH_MODEX_OK;
}

/* A line "cmd=set NAME=NUMBER". */
static int take_set(struct modex_wire* wire, const char* name, int* number) {
    const int failed = modex_wire_next(wire, "set");
    if (failed) return failed;
    const struct modex_field field = modex_wire_field(wire, name);
    return field.text ? read_number(field.text, field.length, number) : LAUNCH_MODEX_EPROTOCOL;
}

static int join_by_port(struct modex_wire* wire, const char* address, int* rank, int* size) {
    int id = 0, fd = -1, debug = 0;
    if (number_of("PMI_ID", &id)) return LAUNCH_MODEX_EPROTOCOL;
    int failed = dial(address, &fd);
    if (failed) return failed;
    modex_wire_begin(wire, fd);
    failed = modex_wire_ask(wire, "initack", "cmd=initack pmiid=%d", id);
    if (!failed) failed = take_set(wire, "size", size);
    if (!failed) failed = take_set(wire, "rank", rank);
    if (!failed) failed = take_set(wire, "debug", &debug);
    return !failed && *rank >= *size ? LAUNCH_MODEX_EPROTOCOL : failed;
}

int modex_join(struct modex_wire* wire, int* rank, int* size) {
    const char* address = getenv("PMI_PORT");
    int fd = -1;
    modex_wire_begin(wire, -1);
    int failed = number_of("PMI_FD", &fd);
    if (!failed) {
        failed = join_by_descriptor(wire, fd, rank, size);
    } else if (failed == LAUNCH_MODEX_ENOTFOUND && address && *address) {
        failed = join_by_port(wire, address, rank, size);
    }
    if (!failed) failed = modex_wire_greet(wire);
    if (failed && wire->fd >= 0) close(wire->fd);
    return failed;
}
