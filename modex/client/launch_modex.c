// SPDX-License-Identifier: MIT
#include "modex/client/launch_modex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "modex/client/job.h"
#include "modex/client/join.h"

int launch_modex_init(launch_modex** job) {
    if (!job) return LAUNCH_MODEX_EARGUMENT;
    *job = calloc(1, sizeof **job);
    if (!*job) return LAUNCH_MODEX_ENOMEMORY;
    const int failed = modex_join(&(*job)->wire, &(*job)->rank, &(*job)->size);
    (*job)->launched = !failed;
    if (failed == LAUNCH_MODEX_ENOTFOUND) {
        (*job)->size = 1;
        return LAUNCH_MODEX_OK;
    }
    if (failed) {
        free(*job);
        *job = NULL;
    }
    return failed;
}

int launch_modex_rank(const launch_modex* job) {
    return job ? job->rank : -1;
}

int launch_modex_size(const launch_modex* job) {
    return job ? job->size : -1;
}

int launch_modex_fence(launch_modex* job) {
    if (!job) return LAUNCH_MODEX_EARGUMENT;
    modex_forget_reason(job);
    if (!job->launched) return LAUNCH_MODEX_OK;
    const int failed = modex_wire_ask(&job->wire, "barrier_out", "cmd=barrier_in");
    return modex_keep_reason(job, failed, MODEX_REASON_OF_PMI1);
}

/* The message comes last and keeps its spaces: it is what the user will read. */
static void send_abort(launch_modex* job, int code, const char* message) {
    char line[LAUNCH_MODEX_MESSAGE_MAX + 64];
    int length = snprintf(line, sizeof line - 1, "cmd=abort exitcode=%d", code);
    if (message && *message)
        length += snprintf(line + length, sizeof line - 1 - (size_t)length, " message=%.*s",
                           LAUNCH_MODEX_MESSAGE_MAX, message);
    for (int i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ') line[i] = ' ';
    line[length++] = '\n';
    if (modex_wire_send(&job->wire, line, (size_t)length) == LAUNCH_MODEX_OK)
        modex_wire_drain(&job->wire);
}

void launch_modex_abort(launch_modex* job, int code, const char* message) {
    if (job && job->launched) {
        send_abort(job, code, message);
    } else if (message) {
        fprintf(stderr, "%s\n", message);
    }
    _exit(code);
}

int launch_modex_finalize(launch_modex* job) {
    int failed = LAUNCH_MODEX_OK;
    if (!job) return failed;
    if (job->launched) {
        failed = modex_wire_ask(&job->wire, "finalize_ack", "cmd=finalize");
        close(job->wire.fd);
    }
    modex_alone_free(job->cards);
    free(job);
    return failed;
}

const char* launch_modex_strerror(int code) {
    switch (code) {
        case LAUNCH_MODEX_OK: return "success";
        case LAUNCH_MODEX_EARGUMENT: return "an argument is missing or out of range";
        case LAUNCH_MODEX_ENOTFOUND: return "there is no such key or name";
        case LAUNCH_MODEX_ETOOSMALL: return "the value is longer than the buffer";
        case LAUNCH_MODEX_EREFUSED: return "the launcher refused";
        case LAUNCH_MODEX_EPROTOCOL: return "the launcher violated the PMI-1 protocol";
        case LAUNCH_MODEX_ECLOSED: return "the connection to the launcher is closed";
        case LAUNCH_MODEX_ENOMEMORY: return "out of memory";
        case LAUNCH_MODEX_EUNSUPPORTED: return "there is no launcher, or it cannot do this";
        case LAUNCH_MODEX_ETIMEOUT: return "the time limit has passed";
        default: return "unknown error";
    }
}
