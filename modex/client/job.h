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

/* Whether the launcher knows what is not PMI-1: EUNSUPPORTED if not. */
int modex_need_launch(launch_modex* job);

#ifdef __cplusplus
}
#endif

#endif
