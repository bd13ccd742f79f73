// SPDX-License-Identifier: MIT
#ifndef LAUNCH_MODEX_TEXT_H
#define LAUNCH_MODEX_TEXT_H

#include <stddef.h>

/* Any bytes as the words of a PMI-1 line, which know no spaces and no line ends. */

#ifdef __cplusplus
extern "C" {
#endif

/* Letters, digits, '.', '_' and '-' as they are, others as %XX. Writes at most `room` bytes with
 * the final zero; returns the length, or 0 if that is too little or the key is empty. */
size_t modex_text_of_key(const char* key, char* text, size_t room);

/* The most that modex_text_of_value writes for so many bytes, final zero included. */
size_t modex_text_room(size_t length);

/* 't' and the printable bytes as they are, others as %XX; or 'b' and base64, if that is shorter.
 * Returns the length. */
size_t modex_text_of_value(const void* value, size_t length, char* text);

/* The way back, which may write over `text`. Returns the length, or (size_t)-1 if that is not
 * what modex_text_of_value writes. `value` has room for as many bytes as the text has. */
size_t modex_value_of_text(const char* text, size_t length, void* value);

#ifdef __cplusplus
}
#endif

#endif
