#ifndef LAUNCH_MODEX_H
#define LAUNCH_MODEX_H

/* The exchange of contact cards between the ranks of a job, for programs that are not MPI.
 *
 * Every rank puts what others need to reach it, all ranks fence, and then each gets what it needs:
 *
 *     launch_modex* job;
 *     int failed = launch_modex_init(&job);
 *     if (!failed) failed = launch_modex_put(job, "address", address, sizeof address);
 *     if (!failed) failed = launch_modex_fence(job);
 *     if (!failed) failed = launch_modex_get(job, next, "address", its, sizeof its, &length);
 *     if (failed) launch_modex_abort(job, 1, launch_modex_strerror(failed));
 *     launch_modex_finalize(job);
 *
 * Works under `launch` and any other launcher that speaks PMI-1 through PMI_FD or PMI_PORT, such as
 * mpiexec.hydra. Without a launcher the program is rank 0 of 1, and everything works within it.
 *
 * Functions return 0, or a negative code of `launch_modex_error`. They wait as long as the launcher
 * keeps the connection: it ends the job, and so the wait, when a rank fails.
 *
 * Threads: one job handle is used by one thread at a time. The library keeps no state elsewhere,
 * raises no signal and starts no thread.
 */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LAUNCH_MODEX_API __attribute__((visibility("default")))
#else
#define LAUNCH_MODEX_API
#endif

enum launch_modex_limits {
    LAUNCH_MODEX_KEY_MAX = 40,        /* letters, digits, '.', '_', '-'; any other byte counts 3 */
    LAUNCH_MODEX_VALUE_MAX = 1 << 20, /* bytes */
    LAUNCH_MODEX_MESSAGE_MAX = 400    /* bytes of an abort's message; the rest is cut off */
};

enum launch_modex_error {
    LAUNCH_MODEX_OK = 0,
    LAUNCH_MODEX_EARGUMENT = -1, /* no handle, an empty or too long key, a rank out of range, ... */
    LAUNCH_MODEX_ENOTFOUND = -2, /* the rank has put no such key before the last fence */
    LAUNCH_MODEX_ETOOSMALL = -3, /* the value is longer than the buffer; its length is told */
    LAUNCH_MODEX_EREFUSED = -4,  /* the launcher refused, for instance a key put twice */
    LAUNCH_MODEX_EPROTOCOL = -5, /* the launcher answers what is not PMI-1, or PMI_* are wrong */
    LAUNCH_MODEX_ECLOSED = -6,   /* the launcher closed the connection, or another one took it */
    LAUNCH_MODEX_ENOMEMORY = -7
};

typedef struct launch_modex launch_modex;

/* Joins the job; once in a process. On success *job is a handle, else NULL. A rank that has joined
 * must finalize before it exits: otherwise the launcher takes it for failed and ends the job.
 * Programs that this process starts do not inherit the connection. */
LAUNCH_MODEX_API int launch_modex_init(launch_modex** job);

/* This process's number in the job, from 0, and how many there are. -1 without a handle. */
LAUNCH_MODEX_API int launch_modex_rank(const launch_modex* job);
LAUNCH_MODEX_API int launch_modex_size(const launch_modex* job);

/* Offers `length` bytes, any bytes, under this rank's `key`. Ranks do not share keys: the same key
 * of two ranks is two cards. Put each key once. */
LAUNCH_MODEX_API int launch_modex_put(launch_modex* job, const char* key, const void* value,
                                      size_t length);

/* Returns when every rank of the job has called it: then all that was put before can be got. */
LAUNCH_MODEX_API int launch_modex_fence(launch_modex* job);

/* Copies what `rank` has put under `key` to `value`, of which `size` bytes may be used; *length
 * (unless `length` is NULL) is how long it is. Longer than `size`: ETOOSMALL, *length tells, and
 * `value` (which may be NULL if `size` is 0) is untouched. No zero byte is added. */
LAUNCH_MODEX_API int launch_modex_get(launch_modex* job, int rank, const char* key, void* value,
                                      size_t size, size_t* length);

/* Ends the whole job with this exit code and, if not NULL, this message. Does not return. `job` may
 * be NULL, if init failed: then it ends this process. */
LAUNCH_MODEX_API void launch_modex_abort(launch_modex* job, int code, const char* message);

/* Leaves the job and frees the handle, whatever is returned. Without a handle: nothing. */
LAUNCH_MODEX_API int launch_modex_finalize(launch_modex* job);

/* What a code means, in English. Never NULL; the text lives as long as the program. */
LAUNCH_MODEX_API const char* launch_modex_strerror(int code);

#ifdef __cplusplus
}
#endif

#endif
