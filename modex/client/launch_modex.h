// SPDX-License-Identifier: MIT
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
    LAUNCH_MODEX_MESSAGE_MAX = 400,   /* bytes of an abort's message; the rest is cut off */
    LAUNCH_MODEX_SPACE_MAX = 255,     /* bytes of a space's name */
    LAUNCH_MODEX_WORD_MAX = 866,      /* bytes of each word to spawn, of a published name or value,
                                         and of a list of hosts; no line ends, no zero bytes */
    LAUNCH_MODEX_EVENT_MAX = 1000     /* bytes of the name in an event */
};

enum launch_modex_error {
    LAUNCH_MODEX_OK = 0,
    LAUNCH_MODEX_EARGUMENT = -1, /* no handle, an empty or too long key, a rank out of range, ... */
    LAUNCH_MODEX_ENOTFOUND = -2, /* the rank has put no such key before the last fence */
    LAUNCH_MODEX_ETOOSMALL = -3, /* the value is longer than the buffer; its length is told */
    LAUNCH_MODEX_EREFUSED = -4,  /* the launcher refused, for instance a key put twice, or what is
                                    more than it keeps; launch_modex_reason() says why */
    LAUNCH_MODEX_EPROTOCOL = -5, /* the launcher answers what is not PMI-1, or PMI_* are wrong */
    LAUNCH_MODEX_ECLOSED = -6,   /* the launcher closed the connection, or another one took it */
    LAUNCH_MODEX_ENOMEMORY = -7,
    LAUNCH_MODEX_EUNSUPPORTED = -8, /* there is no launcher, or it cannot do this */
    LAUNCH_MODEX_ETIMEOUT = -9      /* it has not come in the time that was given */
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

/* Processes and hosts that come and go
 *
 * A job may grow: its ranks start more processes, and have hosts join for them. Processes that were
 * started together are a space, with a name that no other one has; each counts its ranks from 0.
 * Cards and fences are of one space. All spaces of a job belong to it: their output is its output,
 * and they end with it. spawn, publish, unpublish and lookup without a timeout are PMI-1 and work
 * under other launchers as well; the others say EUNSUPPORTED there. Without a launcher all do.
 */

/* The name of this process's space. "" without a launcher. NULL without a handle. */
LAUNCH_MODEX_API const char* launch_modex_space(const launch_modex* job);

/* Copies the name of the space whose rank has spawned this one, with a final zero, to `space`.
 * ENOTFOUND: the user has started this one. */
LAUNCH_MODEX_API int launch_modex_parent(launch_modex* job, char* space, size_t size);

/* Starts `count` processes of the program argv[0] with these words, of which the last is followed
 * by NULL; returns when they have started. `info` says more, each time "KEY=VALUE" and at the end
 * NULL, or is NULL: MPI's keys, such as host, add-host, wdir and map_by (see `launch help mpi`).
 * Copies the name of their space, with a final zero, to `space` (which may be NULL if `size` is 0).
 * EREFUSED: none has started, and launch_modex_reason() says why. */
LAUNCH_MODEX_API int launch_modex_spawn(launch_modex* job, const char* const* argv, int count,
                                        const char* const* info, char* space, size_t size);

/* Has these hosts join the job, a list as that of -hosts: "node[003-064]:8". They run when this
 * returns; with EREFUSED some may have come, and stay. Processes go there as to the job's other
 * hosts; hosts that it has already may be among them. In a session they join the session. */
LAUNCH_MODEX_API int launch_modex_grow(launch_modex* job, const char* hosts);

/* Has hosts leave the job, or the session. EREFUSED: processes are still there, or there is no such
 * host; then all stay. Those of a space are gone when LAUNCH_MODEX_PROCESSES_LEFT tells of it. */
LAUNCH_MODEX_API int launch_modex_release(launch_modex* job, const char* hosts);

/* As launch_modex_get(), from a rank of another space: of this job, or of any job of the session.
 * ENOTFOUND: it has put no such key yet, or there is no such rank. */
LAUNCH_MODEX_API int launch_modex_get_from(launch_modex* job, const char* space, int rank,
                                           const char* key, void* value, size_t size,
                                           size_t* length);

/* Publishes a value under a name for all spaces, and all jobs of the session, until it is withdrawn
 * or the processes of this space have ended. Printable text that others can read, as
 * MPI_Publish_name does. */
LAUNCH_MODEX_API int launch_modex_publish(launch_modex* job, const char* name, const char* value);
LAUNCH_MODEX_API int launch_modex_unpublish(launch_modex* job, const char* name);

/* Copies the value of a name, with a final zero. Waits so many ms for it to be published, -1: as
 * long as it takes; 0: not at all. ENOTFOUND (0 ms) or ETIMEOUT: nobody has. */
LAUNCH_MODEX_API int launch_modex_lookup(launch_modex* job, const char* name, int timeout_ms,
                                         char* value, size_t size);

enum launch_modex_event_kind {
    LAUNCH_MODEX_HOSTS_JOINED = 1, /* name: a list; for a spawn, or by launch_modex_grow() */
    LAUNCH_MODEX_HOSTS_LEFT,       /* name: a list; they were released, or lost */
    LAUNCH_MODEX_PROCESSES_JOINED, /* name: their space */
    LAUNCH_MODEX_PROCESSES_LEFT,   /* name: their space; all of them have ended */
    LAUNCH_MODEX_PROCESS_FAILED    /* name: its space; the job goes on with --keep-going only */
};

struct launch_modex_event {
    unsigned long number; /* of the job's events, from 1; after a gap some were lost */
    int kind;
    int count; /* of hosts or processes */
    int rank;  /* that has failed; else -1 */
    char name[LAUNCH_MODEX_EVENT_MAX + 1];
};

/* The next event of the job that this handle has not had, the first one of the job at first.
 * Waits so many ms for it, -1: until it comes. ETIMEOUT: none has. At least the last 1000 are
 * kept. */
LAUNCH_MODEX_API int launch_modex_next_event(launch_modex* job, int timeout_ms,
                                             struct launch_modex_event* event);

/* Why the launcher refused what was asked by the last call (EREFUSED), in its words; "" after any
 * other that asks the launcher or changes the job, so not after launch_modex_rank() and the others
 * that take a const handle. Never NULL; until the next call of that kind. */
LAUNCH_MODEX_API const char* launch_modex_reason(const launch_modex* job);

/* What a code means, in English. Never NULL; the text lives as long as the program. */
LAUNCH_MODEX_API const char* launch_modex_strerror(int code);

#ifdef __cplusplus
}
#endif

#endif
