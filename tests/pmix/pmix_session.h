// SPDX-License-Identifier: MIT
#pragma once

#include <pmix.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// What the PMIx test programs share: whatever goes wrong is printed and ends the program with 1.

static pmix_proc_t self;
static uint32_t job_size;

static inline void give_up(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "PMIx test client, rank %u: ", self.rank);
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

static inline void need(pmix_status_t status, const char* what) {
    if (status != PMIX_SUCCESS) give_up("%s: %s", what, PMIx_Error_string(status));
}

static inline double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/// Milliseconds of this process's own work so far: that of libpmix in it, nearly.
static inline double cpu_milliseconds(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

static inline pmix_proc_t peer(pmix_rank_t rank) {
    pmix_proc_t proc;
    PMIX_LOAD_PROCID(&proc, self.nspace, rank);
    return proc;
}

/// An attribute of the job (rank PMIX_RANK_WILDCARD) or of a rank, as a number.
static inline uint32_t attribute(const char* key, pmix_rank_t rank) {
    const pmix_proc_t proc = peer(rank);
    pmix_value_t* value = NULL;
    uint32_t number = 0;
    pmix_status_t status = PMIx_Get(&proc, key, NULL, 0, &value);
    if (status != PMIX_SUCCESS)
        give_up("no %s of %d: %s", key, (int)rank, PMIx_Error_string(status));
    if (value->type == PMIX_UINT16)
        number = value->data.uint16;
    else if (value->type == PMIX_UINT32)
        number = value->data.uint32;
    else if (value->type == PMIX_PROC_RANK)
        number = value->data.rank;
    else
        give_up("%s has the unexpected type %d", key, value->type);
    PMIX_VALUE_RELEASE(value);
    return number;
}

static inline void begin(void) {
    need(PMIx_Init(&self, NULL, 0), "PMIx_Init");
    job_size = attribute(PMIX_JOB_SIZE, PMIX_RANK_WILDCARD);
}

static inline void fence(bool collect) {
    const pmix_proc_t all = peer(PMIX_RANK_WILDCARD);
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    need(PMIx_Fence(&all, 1, &info, 1), "PMIx_Fence");
}

static inline void finish(void) {
    need(PMIx_Finalize(NULL, 0), "PMIx_Finalize");
}

/// A card that differs from its neighbours' in every byte.
static inline void fill_card(char* bytes, size_t size, uint32_t rank, uint32_t number) {
    uint32_t state = rank * 7919U + number * 104729U + 1U;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525U + 1013904223U;
        bytes[i] = (char)(state >> 16);
    }
}

static inline void put_card(size_t size, uint32_t number) {
    char key[64], *bytes = malloc(size);
    pmix_value_t value;
    fill_card(bytes, size, self.rank, number);
    snprintf(key, sizeof key, "card-%u", number);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo.bytes = bytes;
    value.data.bo.size = size;
    need(PMIx_Put(PMIX_GLOBAL, key, &value), "PMIx_Put");
    need(PMIx_Commit(), "PMIx_Commit");
    free(bytes);
}

static inline void pause_for(int milliseconds) {
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/// False: there is none. Another one than it should be is the end.
static inline bool has_card(uint32_t rank, size_t size, uint32_t number) {
    const pmix_proc_t proc = peer(rank);
    char key[64], *wanted = malloc(size);
    pmix_value_t* value = NULL;
    snprintf(key, sizeof key, "card-%u", number);
    fill_card(wanted, size, rank, number);
    const pmix_status_t status = PMIx_Get(&proc, key, NULL, 0, &value);
    if (status != PMIX_SUCCESS) {
        free(wanted);
        return false;
    }
    if (value->type != PMIX_BYTE_OBJECT || value->data.bo.size != size ||
        memcmp(value->data.bo.bytes, wanted, size) != 0)
        give_up("another value at %s of rank %u", key, rank);
    PMIX_VALUE_RELEASE(value);
    free(wanted);
    return true;
}

static inline void check_card(uint32_t rank, size_t size, uint32_t number) {
    if (!has_card(rank, size, number)) give_up("no card-%u of rank %u", number, rank);
}
