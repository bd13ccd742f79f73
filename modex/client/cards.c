// SPDX-License-Identifier: MIT
/* Cards. Each is PMI-1's key "RANK.KEY", whose value is the number of pieces and the first of them,
 * and "RANK.KEY+1", "RANK.KEY+2" ... for the others. '+' is in no KEY. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "modex/client/job.h"
#include "modex/client/text.h"

enum { PIECES_MAX = 99999, COUNT_MAX = sizeof "99999" - 1 };

/* The card's name on the wire; alone too, so that no key works there only. */
static int name_of(int rank, const char* key, char name[MODEX_NAME_MAX + 1]) {
    const int begin = snprintf(name, MODEX_NAME_MAX, "%d.", rank);
    return modex_text_of_key(key, name + begin, LAUNCH_MODEX_KEY_MAX + 1) ? LAUNCH_MODEX_OK
                                                                          : LAUNCH_MODEX_EARGUMENT;
}

static int put_piece(launch_modex* job, const char* name, const char* text, size_t length) {
    const int failed =
        modex_wire_ask(&job->wire, "put_result", "cmd=put kvsname=%s key=%s value=%.*s",
                       job->wire.kvsname, name, (int)length, text);
    return modex_keep_reason(job, failed, MODEX_REASON_OF_PMI1);
}

/* `text` has COUNT_MAX bytes of room before it. */
static int put_text(launch_modex* job, char* name, char* text, size_t length) {
    const size_t piece = job->wire.value_max - COUNT_MAX;
    const size_t pieces = (length + piece - 1) / piece, base = strlen(name);
    char count[COUNT_MAX + 1];
    if (pieces > PIECES_MAX) return LAUNCH_MODEX_EARGUMENT;
    const size_t digits = (size_t)snprintf(count, sizeof count, "%d", (int)pieces);
    memcpy(text - digits, count, digits);
    int failed = put_piece(job, name, text - digits, digits + (length < piece ? length : piece));
    for (size_t i = 1; i < pieces && !failed; i++) {
        const size_t rest = length - i * piece;
        snprintf(name + base, MODEX_NAME_MAX + 1 - base, "+%zu", i);
        failed = put_piece(job, name, text + i * piece, rest < piece ? rest : piece);
    }
    return failed;
}

int launch_modex_put(launch_modex* job, const char* key, const void* value, size_t length) {
    char name[MODEX_NAME_MAX + 1];
    modex_forget_reason(job);
    if (!job || !key || (!value && length > 0) || length > LAUNCH_MODEX_VALUE_MAX)
        return LAUNCH_MODEX_EARGUMENT;
    const int unfit = name_of(job->rank, key, name);
    if (unfit) return unfit;
    if (!job->launched) return modex_alone_put(&job->cards, name, value, length);
    char* text = malloc(COUNT_MAX + modex_text_room(length));
    if (!text) return LAUNCH_MODEX_ENOMEMORY;
    const size_t written = modex_text_of_value(value, length, text + COUNT_MAX);
    const int failed = put_text(job, name, text + COUNT_MAX, written);
    free(text);
    return failed;
}

/* Who has put a card; `space` NULL: a rank of this one. */
struct owner {
    const char* space;
    int rank;
};

/* A launcher refuses to get what is not there. */
static int get_piece(launch_modex* job, struct owner owner, const char* name,
                     struct modex_field* piece) {
    int failed = LAUNCH_MODEX_OK;
    if (owner.space)
        failed = modex_wire_ask(&job->wire, "get_result", "cmd=launch_get space=%s rank=%d key=%s",
                                owner.space, owner.rank, name);
    else
        failed = modex_wire_ask(&job->wire, "get_result", "cmd=get kvsname=%s key=%s",
                                job->wire.kvsname, name);
    failed = modex_keep_reason(job, failed, MODEX_REASON_OF_PMI1);
    if (failed) return modex_missing(job, failed, LAUNCH_MODEX_ENOTFOUND);
    *piece = modex_wire_field(&job->wire, "value");
    return piece->text ? LAUNCH_MODEX_OK : LAUNCH_MODEX_EPROTOCOL;
}

struct text {
    char* bytes;
    size_t length, room;
};

/* What no put has made is refused: a launcher may not let a rank's memory grow for ever. */
static int append(struct text* text, struct modex_field piece) {
    const size_t most = modex_text_room(LAUNCH_MODEX_VALUE_MAX);
    if (piece.length > most - text->length) return LAUNCH_MODEX_EPROTOCOL;
    if (!text->bytes || piece.length > text->room - text->length) {
        const size_t room = (text->length + piece.length) * 2 + 1;
        char* larger = realloc(text->bytes, room);
        if (!larger) return LAUNCH_MODEX_ENOMEMORY;
        text->bytes = larger;
        text->room = room;
    }
    memcpy(text->bytes + text->length, piece.text, piece.length);
    text->length += piece.length;
    return LAUNCH_MODEX_OK;
}

/* The number of pieces, which stands before the first; 0 if there is none. */
static unsigned long take_count(struct modex_field* piece) {
    unsigned long count = 0;
    for (; piece->length > 0 && *piece->text >= '0' && *piece->text <= '9'; piece->length--) {
        count = count * 10 + (unsigned long)(*piece->text++ - '0');
        if (count > PIECES_MAX) return 0;
    }
    return count;
}

/* Collects the card's text; the caller frees it. */
static int get_text(launch_modex* job, struct owner owner, char* name, struct text* text) {
    struct modex_field piece = {NULL, 0};
    const size_t base = strlen(name);
    int failed = get_piece(job, owner, name, &piece);
    if (failed) return failed;
    const unsigned long pieces = take_count(&piece);
    if (pieces == 0) return LAUNCH_MODEX_EPROTOCOL;
    failed = append(text, piece);
    for (unsigned long i = 1; i < pieces && !failed; i++) {
        snprintf(name + base, MODEX_NAME_MAX + 1 - base, "+%lu", i);
        failed = get_piece(job, owner, name, &piece);
        if (!failed) failed = append(text, piece);
    }
    return failed == LAUNCH_MODEX_ENOTFOUND ? LAUNCH_MODEX_EPROTOCOL : failed;
}

static int hand_over(const void* from, size_t found, void* value, size_t size, size_t* length) {
    if (length) *length = found;
    if (found > size) return LAUNCH_MODEX_ETOOSMALL;
    if (found > 0) memcpy(value, from, found);
    return LAUNCH_MODEX_OK;
}

static int get_alone(const launch_modex* job, const char* key, void* value, size_t size,
                     size_t* length) {
    const struct modex_card* card = modex_alone_find(job->cards, key);
    return card ? hand_over(card->value, card->length, value, size, length)
                : LAUNCH_MODEX_ENOTFOUND;
}

/* Of a launched job. */
static int get_card(launch_modex* job, struct owner owner, char* name, void* value, size_t size,
                    size_t* length) {
    struct text text = {NULL, 0, 0};
    int failed = get_text(job, owner, name, &text);
    if (!failed) {
        const size_t found = modex_value_of_text(text.bytes, text.length, text.bytes);
        failed = found == (size_t)-1 ? LAUNCH_MODEX_EPROTOCOL
                                     : hand_over(text.bytes, found, value, size, length);
    }
    free(text.bytes);
    return failed;
}

int launch_modex_get(launch_modex* job, int rank, const char* key, void* value, size_t size,
                     size_t* length) {
    char name[MODEX_NAME_MAX + 1];
    const struct owner owner = {NULL, rank};
    modex_forget_reason(job);
    if (!job || !key || (!value && size > 0) || rank < 0 || rank >= job->size)
        return LAUNCH_MODEX_EARGUMENT;
    const int failed = name_of(rank, key, name);
    if (!failed && !job->launched) return get_alone(job, name, value, size, length);
    return failed ? failed : get_card(job, owner, name, value, size, length);
}

int launch_modex_get_from(launch_modex* job, const char* space, int rank, const char* key,
                          void* value, size_t size, size_t* length) {
    char name[MODEX_NAME_MAX + 1];
    const struct owner owner = {space, rank};
    modex_forget_reason(job);
    if (!job || !space || !*space || strlen(space) > LAUNCH_MODEX_SPACE_MAX ||
        strpbrk(space, " =\n") || !key || (!value && size > 0) || rank < 0)
        return LAUNCH_MODEX_EARGUMENT;
    int failed = name_of(rank, key, name);
    if (!failed) failed = modex_need_launch(job);
    return failed ? failed : get_card(job, owner, name, value, size, length);
}
