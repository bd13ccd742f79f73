// SPDX-License-Identifier: MIT
#include "modex/client/alone.h"

#include <stdlib.h>
#include <string.h>

#include "modex/client/launch_modex.h"

const struct modex_card* modex_alone_find(const struct modex_card* cards, const char* key) {
    while (cards && strcmp(cards->key, key) != 0)
        cards = cards->next;
    return cards;
}

int modex_alone_put(struct modex_card** cards, const char* key, const void* value, size_t length) {
    if (modex_alone_find(*cards, key)) return LAUNCH_MODEX_EREFUSED;
    struct modex_card* card = malloc(sizeof *card + length);
    char* name = strdup(key);
    if (!card || !name) {
        free(card);
        free(name);
        return LAUNCH_MODEX_ENOMEMORY;
    }
    card->key = name;
    card->length = length;
    if (length > 0) memcpy(card->value, value, length);
    card->next = *cards;
    *cards = card;
    return LAUNCH_MODEX_OK;
}

void modex_alone_free(struct modex_card* cards) {
    while (cards) {
        struct modex_card* card = cards;
        cards = card->next;
        free(card->key);
        free(card);
    }
}
