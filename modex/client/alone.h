// SPDX-License-Identifier: MIT
#ifndef LAUNCH_MODEX_ALONE_H
#define LAUNCH_MODEX_ALONE_H

#include <stddef.h>

/* The cards of a program that nobody launched: its own. */

struct modex_card {
    struct modex_card* next;
    size_t length;
    char* key;
    char value[];
};

/* Codes of launch_modex.h. */
int modex_alone_put(struct modex_card** cards, const char* key, const void* value, size_t length);
const struct modex_card* modex_alone_find(const struct modex_card* cards, const char* key);
void modex_alone_free(struct modex_card* cards);

#endif
