// SPDX-License-Identifier: MIT
#ifndef LAUNCH_MODEX_JOB_H
#define LAUNCH_MODEX_JOB_H

#include "modex/client/alone.h"
#include "modex/client/launch_modex.h"
#include "modex/client/wire.h"

/* What a handle is. */

#ifdef __cplusplus
extern "C" {
#endif

enum { MODEX_REASON_MAX = 800 };

struct launch_modex {
    int rank, size;
    int launched;                                        /* else alone, and `wire` is not used */
    enum { MODEX_MAYBE, MODEX_YES, MODEX_NO } is_launch; /* it is launch: knows more than PMI-1 */
    unsigned long seen;                                  /* the last event that was had */
    char reason[MODEX_REASON_MAX + 1];
    struct modex_card* cards;
    struct modex_wire wire;
};

/* The reason is that of the last call, which forgets that of the one before when it begins, also
 * where the job is NULL. */
void modex_forget_reason(launch_modex* job);
/* PMI-1 writes the blanks of a reason as '_'; launch's own commands leave them, up to the line's
 * end. */
enum modex_reason_form { MODEX_REASON_OF_PMI1, MODEX_REASON_OF_LAUNCH };
/* After a request: of EREFUSED the launcher has said why. Returns `failed`. */
int modex_keep_reason(launch_modex* job, int failed, enum modex_reason_form form);
/* Then: who is refused something that may not be there hears `code`, unless it was too much that
 * was asked. */
int modex_missing(launch_modex* job, int failed, int code);

/* Whether the launcher knows what is not PMI-1: EUNSUPPORTED if not. */
int modex_need_launch(launch_modex* job);

#ifdef __cplusplus
}
#endif

#endif
