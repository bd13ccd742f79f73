// SPDX-License-Identifier: MIT
/* A master that adds workers: it has hosts join the job, starts a worker on each, adds up what they
 * find, and lets the hosts go again.
 *
 *     cc -o farm farm_example.c -llaunch_modex && launch -hosts node001 -n 1 ./farm node002,node003
 *
 * Without hosts, two workers run where the master does.
 */
#include <launch_modex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 60 * 1000, NAME_MAX_ = LAUNCH_MODEX_SPACE_MAX + 16 };

/* Ends the job, on every host, if something did not work. */
static void need(launch_modex* job, int failed, const char* what) {
    char why[300];
    if (!failed) return;
    const char* reason = launch_modex_reason(job);
    snprintf(why, sizeof why, "%s: %s", what, *reason ? reason : launch_modex_strerror(failed));
    launch_modex_abort(job, 1, why);
}

/* Counts the primes of its share of what the master wants searched. */
static void work(launch_modex* job, const char* master) {
    const int rank = launch_modex_rank(job), size = launch_modex_size(job);
    char ready[NAME_MAX_], taken[NAME_MAX_], word[16];
    int limit = 0, found = 0;
    need(job, launch_modex_get_from(job, master, 0, "limit", &limit, sizeof limit, NULL), "task");
    for (int n = 2 + rank; n < limit; n += size) {
        int is_prime = 1;
        for (int d = 2; d * d <= n && is_prime; d++)
            is_prime = n % d != 0;
        found += is_prime;
    }
    need(job, launch_modex_put(job, "found", &found, sizeof found), "put");
    need(job, launch_modex_fence(job), "fence");
    snprintf(ready, sizeof ready, "%s/ready", launch_modex_space(job));
    snprintf(taken, sizeof taken, "%s/taken", launch_modex_space(job));
    if (rank == 0) need(job, launch_modex_publish(job, ready, "yes"), "publish");
    need(job, launch_modex_lookup(job, taken, PATIENCE, word, sizeof word), "wait for the master");
}

/* Starts workers, and adds up what each has found. */
static int farm_out(launch_modex* job, const char* self, const char* hosts, int workers) {
    char space[LAUNCH_MODEX_SPACE_MAX + 1], where[1100], name[NAME_MAX_], word[16];
    const char* argv[] = {self, NULL};
    const char* info[] = {where, "map_by=node", NULL};
    int all = 0;
    snprintf(where, sizeof where, "host=%s", hosts ? hosts : "");
    need(job, launch_modex_spawn(job, argv, workers, hosts ? info : NULL, space, sizeof space),
         "spawn");
    snprintf(name, sizeof name, "%s/ready", space);
    need(job, launch_modex_lookup(job, name, PATIENCE, word, sizeof word), "wait for workers");
    for (int i = 0; i < workers; i++) {
        int found = 0;
        need(job, launch_modex_get_from(job, space, i, "found", &found, sizeof found, NULL), "get");
        all += found;
    }
    snprintf(name, sizeof name, "%s/taken", space);
    need(job, launch_modex_publish(job, name, "yes"), "publish");
    return all;
}

/* Tells of what happens until the workers have ended. */
static void watch(launch_modex* job) {
    struct launch_modex_event event = {0};
    while (event.kind != LAUNCH_MODEX_PROCESSES_LEFT) {
        need(job, launch_modex_next_event(job, PATIENCE, &event), "watch");
        if (event.kind == LAUNCH_MODEX_HOSTS_JOINED) printf("%s: joined\n", event.name);
        if (event.kind == LAUNCH_MODEX_PROCESSES_JOINED)
            printf("%d workers: started\n", event.count);
        if (event.kind == LAUNCH_MODEX_PROCESSES_LEFT) printf("%d workers: done\n", event.count);
    }
}

int main(int argc, char** argv) {
    launch_modex* job = NULL;
    char master[LAUNCH_MODEX_SPACE_MAX + 1];
    const char* hosts = argc > 1 ? argv[1] : NULL;
    const int limit = 100000, workers = argc > 2 ? atoi(argv[2]) : 2;

    need(job, launch_modex_init(&job), "init");
    if (launch_modex_parent(job, master, sizeof master) == LAUNCH_MODEX_OK) {
        work(job, master);
        return launch_modex_finalize(job) ? 1 : 0;
    }
    need(job, launch_modex_put(job, "limit", &limit, sizeof limit), "put");
    need(job, launch_modex_fence(job), "fence");
    if (hosts) need(job, launch_modex_grow(job, hosts), "grow");
    const int primes = farm_out(job, argv[0], hosts, workers);
    watch(job);
    if (hosts) need(job, launch_modex_release(job, hosts), "release");
    printf("%d primes below %d\n", primes, limit);
    return launch_modex_finalize(job) ? 1 : 0;
}
