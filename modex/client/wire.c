// SPDX-License-Identifier: MIT
#include "modex/client/wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "modex/client/launch_modex.h"

int modex_wire_send(struct modex_wire* wire, const char* bytes, size_t length) {
    while (length > 0) {
        const ssize_t sent = send(wire->fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return LAUNCH_MODEX_ECLOSED;
        bytes += sent;
        length -= (size_t)sent;
    }
    return LAUNCH_MODEX_OK;
}

static int receive(struct modex_wire* wire) {
    char* end = NULL;
    const size_t passed = wire->used > wire->answer ? wire->answer + 1 : wire->used;
    wire->used -= passed;
    memmove(wire->input, wire->input + passed, wire->used);
    wire->answer = 0;
    while (!(end = memchr(wire->input, '\n', wire->used))) {
        const size_t room = sizeof wire->input - wire->used;
        if (room == 0) return LAUNCH_MODEX_EPROTOCOL;
        const ssize_t got = read(wire->fd, wire->input + wire->used, room);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return LAUNCH_MODEX_ECLOSED;
        wire->used += (size_t)got;
    }
    *end = 0;
    wire->answer = (size_t)(end - wire->input);
    return LAUNCH_MODEX_OK;
}

struct modex_field modex_wire_field(const struct modex_wire* wire, const char* name) {
    const size_t length = strlen(name);
    struct modex_field field = {NULL, 0};
    for (const char* word = wire->input; *word && !field.text;) {
        const size_t end = strcspn(word, " ");
        if (end > length && strncmp(word, name, length) == 0 && word[length] == '=') {
            field.text = word + length + 1;
            field.length = end - length - 1;
        }
        word += end;
        word += strspn(word, " ");
    }
    return field;
}

struct modex_field modex_wire_last_field(const struct modex_wire* wire, const char* name) {
    struct modex_field field = modex_wire_field(wire, name);
    if (field.text) field.length = strlen(field.text);
    return field;
}

static int is(struct modex_field field, const char* text) {
    return field.text && field.length == strlen(text) &&
           memcmp(field.text, text, field.length) == 0;
}

int modex_wire_next(struct modex_wire* wire, const char* command) {
    const int failed = receive(wire);
    if (failed) return failed;
    return is(modex_wire_field(wire, "cmd"), command) ? LAUNCH_MODEX_OK : LAUNCH_MODEX_EPROTOCOL;
}

static int say(struct modex_wire* wire, const char* format, va_list words) {
    char line[MODEX_LINE_MAX];
    const int length = vsnprintf(line, sizeof line, format, words);
    if (length < 0 || (size_t)length >= sizeof line) return LAUNCH_MODEX_EARGUMENT;
    line[length] = '\n';
    return modex_wire_send(wire, line, (size_t)length + 1);
}

int modex_wire_say(struct modex_wire* wire, const char* format, ...) {
    va_list words;
    va_start(words, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start in C
    const int failed = say(wire, format, words);
    va_end(words);
    return failed;
}

int modex_wire_ask(struct modex_wire* wire, const char* command, const char* format, ...) {
    va_list words;
    va_start(words, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): clang 14 does not see va_start in C
    const int failed = say(wire, format, words);
    va_end(words);
    return failed ? failed : modex_wire_answer(wire, command);
}

int modex_wire_answer(struct modex_wire* wire, const char* command) {
    const int failed = modex_wire_next(wire, command);
    if (failed) return failed;
    const struct modex_field code = modex_wire_field(wire, "rc");
    return !code.text || is(code, "0") ? LAUNCH_MODEX_OK : LAUNCH_MODEX_EREFUSED;
}

static size_t limit(const struct modex_wire* wire, const char* name) {
    const struct modex_field field = modex_wire_field(wire, name);
    const long value = field.text ? strtol(field.text, NULL, 10) : 0;
    return value > 0 ? (size_t)value - 1 : 0;
}

/* A line never exceeds its own limit either. */
static int agree(struct modex_wire* wire) {
    static const char words[] = "cmd=put kvsname= key= value=\n";
    const size_t around = sizeof words + strlen(wire->kvsname) + MODEX_NAME_MAX;
    if (wire->value_max > MODEX_LINE_MAX - around) wire->value_max = MODEX_LINE_MAX - around;
    return wire->value_max >= 32 ? LAUNCH_MODEX_OK : LAUNCH_MODEX_EPROTOCOL;
}

void modex_wire_begin(struct modex_wire* wire, int fd) {
    wire->fd = fd;
    wire->used = wire->answer = 0;
}

int modex_wire_greet(struct modex_wire* wire) {
    int failed =
        modex_wire_ask(wire, "response_to_init", "cmd=init pmi_version=1 pmi_subversion=1");
    if (!failed) failed = modex_wire_ask(wire, "maxes", "cmd=get_maxes");
    if (failed) return failed;
    wire->value_max = limit(wire, "vallen_max");
    if (limit(wire, "keylen_max") < MODEX_NAME_MAX) return LAUNCH_MODEX_EPROTOCOL;
    failed = modex_wire_ask(wire, "my_kvsname", "cmd=get_my_kvsname");
    if (failed) return failed;
    const struct modex_field name = modex_wire_field(wire, "kvsname");
    if (!name.text || name.length >= sizeof wire->kvsname) return LAUNCH_MODEX_EPROTOCOL;
    memcpy(wire->kvsname, name.text, name.length);
    wire->kvsname[name.length] = 0;
    return agree(wire);
}

void modex_wire_drain(struct modex_wire* wire) {
    ssize_t got = 0;
    do {
        got = read(wire->fd, wire->input, sizeof wire->input);
    } while (got > 0 || (got < 0 && errno == EINTR));
}
