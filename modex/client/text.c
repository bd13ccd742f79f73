// SPDX-License-Identifier: MIT
#include "modex/client/text.h"

#include <string.h>

static const char hex_digits[] = "0123456789ABCDEF";
static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static int is_plain_in_key(unsigned char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' || byte == '-';
}

/* '=' would be one, but not every launcher's parser expects it there. */
static int is_plain_in_value(unsigned char byte) {
    return byte > ' ' && byte < 0x7f && byte != '%' && byte != '=';
}

static char* escape(unsigned char byte, char* text) {
    *text++ = '%';
    *text++ = hex_digits[byte >> 4];
    *text++ = hex_digits[byte & 15];
    return text;
}

size_t modex_text_of_key(const char* key, char* text, size_t room) {
    char* end = text;
    for (; *key; key++) {
        const unsigned char byte = (unsigned char)*key;
        const size_t needed = is_plain_in_key(byte) ? 1 : 3;
        if ((size_t)(end - text) + needed >= room) return 0;
        if (needed == 1) {
            *end++ = (char)byte;
        } else {
            end = escape(byte, end);
        }
    }
    *end = 0;
    return (size_t)(end - text);
}

static size_t base64_length(size_t length) {
    const size_t rest = length % 3;
    return length / 3 * 4 + (rest ? rest + 1 : 0);
}

size_t modex_text_room(size_t length) {
    return base64_length(length) + 2;
}

static char* base64(const unsigned char* bytes, size_t length, char* text) {
    for (size_t i = 0; i < length; i += 3) {
        const size_t here = length - i < 3 ? length - i : 3;
        unsigned block = (unsigned)bytes[i] << 16;
        if (here > 1) block |= (unsigned)bytes[i + 1] << 8;
        if (here > 2) block |= bytes[i + 2];
        for (size_t digit = 0; digit <= here; digit++)
            *text++ = base64_digits[block >> (18 - 6 * digit) & 63];
    }
    return text;
}

size_t modex_text_of_value(const void* value, size_t length, char* text) {
    const unsigned char* bytes = value;
    char* end = text;
    size_t escaped = 0;
    for (size_t i = 0; i < length; i++)
        escaped += is_plain_in_value(bytes[i]) ? 1 : 3;
    if (escaped > base64_length(length)) {
        *end++ = 'b';
        end = base64(bytes, length, end);
    } else {
        *end++ = 't';
        for (size_t i = 0; i < length; i++) {
            if (is_plain_in_value(bytes[i])) {
                *end++ = (char)bytes[i];
            } else {
                end = escape(bytes[i], end);
            }
        }
    }
    *end = 0;
    return (size_t)(end - text);
}

/* The digit's value, or -1. */
static int digit_of(const char* digits, char letter) {
    const char* place = letter ? strchr(digits, letter) : NULL;
    return place ? (int)(place - digits) : -1;
}

static size_t unescape(const char* text, size_t length, unsigned char* bytes) {
    size_t written = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] != '%') {
            bytes[written++] = (unsigned char)text[i];
            continue;
        }
        const int high = i + 2 < length ? digit_of(hex_digits, text[i + 1]) : -1;
        const int low = i + 2 < length ? digit_of(hex_digits, text[i + 2]) : -1;
        if (high < 0 || low < 0) return (size_t)-1;
        bytes[written++] = (unsigned char)(high << 4 | low);
        i += 2;
    }
    return written;
}

static size_t unbase64(const char* text, size_t length, unsigned char* bytes) {
    unsigned block = 0, bits = 0;
    size_t written = 0;
    if (length % 4 == 1) return (size_t)-1;
    for (size_t i = 0; i < length; i++) {
        const int digit = digit_of(base64_digits, text[i]);
        if (digit < 0) return (size_t)-1;
        block = (block << 6 | (unsigned)digit) & 0xffffff;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes[written++] = (unsigned char)(block >> bits);
    }
    return written;
}

size_t modex_value_of_text(const char* text, size_t length, void* value) {
    if (length < 1) return (size_t)-1;
    if (text[0] == 't') return unescape(text + 1, length - 1, value);
    if (text[0] == 'b') return unbase64(text + 1, length - 1, value);
    return (size_t)-1;
}
