// SPDX-License-Identifier: MIT
/* Why the launcher refuses. */
#include <stdio.h>
#include <string.h>

#include "modex/client/job.h"

void modex_forget_reason(launch_modex* job) {
    if (job) job->reason[0] = 0;
}

int modex_keep_reason(launch_modex* job, int failed, enum modex_reason_form form) {
    modex_forget_reason(job);
    if (failed != LAUNCH_MODEX_EREFUSED) return failed;
    const struct modex_field why = form == MODEX_REASON_OF_LAUNCH
                                       ? modex_wire_last_field(&job->wire, "msg")
                                       : modex_wire_field(&job->wire, "msg");
    snprintf(job->reason, sizeof job->reason, "%.*s", (int)why.length, why.text ? why.text : "");
    for (char* at = job->reason; *at && form == MODEX_REASON_OF_PMI1; at++)
        if (*at == '_') *at = ' ';
    return failed;
}

/* The words of launch for what has a bound. */
static int is_too_much(const char* reason) {
    const char* last = strstr(reason, " too long");
    return strncmp(reason, "too ", 4) == 0 || (last && strcmp(last, " too long") == 0);
}

int modex_missing(launch_modex* job, int failed, int code) {
    if (failed != LAUNCH_MODEX_EREFUSED || is_too_much(job->reason)) return failed;
    modex_forget_reason(job);
    return code;
}

const char* launch_modex_reason(const launch_modex* job) {
    return job ? job->reason : "";
}
