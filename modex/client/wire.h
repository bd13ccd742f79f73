// SPDX-License-Identifier: MIT
#ifndef LAUNCH_MODEX_WIRE_H
#define LAUNCH_MODEX_WIRE_H

#include <stddef.h>

/* The rank's side of PMI-1: one line out, one line back. */

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MODEX_LINE_MAX = 1024,        /* what MPICH's own client takes, so every launcher's measure */
    MODEX_ANSWER_MAX = 64 * 1024, /* more is no launcher */
    MODEX_NAME_MAX = 57,          /* a card's name: "RANK.KEY+PIECE", see cards.c */
    MODEX_KVSNAME_MAX = 256
};

struct modex_wire {
    int fd;
    char kvsname[MODEX_KVSNAME_MAX];
    size_t value_max; /* bytes of a value, the final zero not among them */
    size_t used;      /* of `input`: the last answer, zero ended, and what came after it */
    size_t answer;    /* its length */
    char input[MODEX_ANSWER_MAX];
};

/* A word's value in the last answer. */
struct modex_field {
    const char* text; /* NULL: there is no such word */
    size_t length;
};

/* Codes of launch_modex.h. */
void modex_wire_begin(struct modex_wire* wire, int fd);
/* Says hello and asks for limits. */
int modex_wire_greet(struct modex_wire* wire);
int modex_wire_send(struct modex_wire* wire, const char* bytes, size_t length);
/* Sends the line of `format` and waits for the answer, which must be `command`, with rc=0 or none:
 * otherwise EPROTOCOL and EREFUSED. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int modex_wire_ask(struct modex_wire* wire, const char* command, const char* format, ...);
/* One line, without its end. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int modex_wire_say(struct modex_wire* wire, const char* format, ...);
/* Waits for the answer to what was said, as modex_wire_ask() does. */
int modex_wire_answer(struct modex_wire* wire, const char* command);
/* Waits for a line that nothing asked for, which must be `command`. */
int modex_wire_next(struct modex_wire* wire, const char* command);
struct modex_field modex_wire_field(const struct modex_wire* wire, const char* name);
/* The same for what stands last, and may hold blanks. */
struct modex_field modex_wire_last_field(const struct modex_wire* wire, const char* name);
/* Waits for the other side to close. */
void modex_wire_drain(struct modex_wire* wire);

#ifdef __cplusplus
}
#endif

#endif
