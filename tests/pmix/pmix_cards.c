// SPDX-License-Identifier: MIT
// pmix_cards [collect|direct] [SIZE] [CARDS] [FENCES]: every rank puts cards, fences with or
// without collection of data (without: each get is a direct modex), and reads every card of every
// rank, byte by byte. With a fifth word hosts are lost on the way: this one says when it is under
// way, and who died as it was told; their cards need not be there. Else, at the end, the job's
// attributes, with `direct` a missing key, and publish, lookup and unpublish.
#include <pthread.h>

#include "tests/pmix/pmix_session.h"

static void check_attributes(void) {
    if (attribute(PMIX_LOCAL_RANK, self.rank) >= attribute(PMIX_LOCAL_SIZE, PMIX_RANK_WILDCARD))
        give_up("local rank and size");
    if (attribute(PMIX_UNIV_SIZE, PMIX_RANK_WILDCARD) == 0) give_up("an empty universe");
    attribute(PMIX_NODE_RANK, self.rank);
    attribute(PMIX_APPNUM, self.rank);
}

// libpmix itself asks for two seconds before it says so.
static void check_missing(void) {
    const pmix_proc_t next = peer((self.rank + 1) % job_size);
    pmix_value_t* value = NULL;
    if (PMIx_Get(&next, "no-such-key", NULL, 0, &value) == PMIX_SUCCESS)
        give_up("a value for a key that nobody put");
}

static void name_of(char* name, uint32_t rank) {
    snprintf(name, PMIX_MAX_KEYLEN, "service-%u", rank);
}

static void check_publish(void) {
    pmix_info_t info;
    pmix_pdata_t found;
    char name[PMIX_MAX_KEYLEN + 1], *names[2] = {name, NULL};
    name_of(name, self.rank);
    PMIX_INFO_LOAD(&info, name, name, PMIX_STRING);
    need(PMIx_Publish(&info, 1), "PMIx_Publish");
    PMIX_INFO_DESTRUCT(&info);
    fence(false);
    name_of(name, (self.rank + 1) % job_size);
    PMIX_PDATA_CONSTRUCT(&found);
    PMIX_LOAD_KEY(found.key, name);
    need(PMIx_Lookup(&found, 1, NULL, 0), "PMIx_Lookup");
    if (found.value.type != PMIX_STRING || strcmp(found.value.data.string, name) != 0)
        give_up("another value published");
    PMIX_PDATA_DESTRUCT(&found);
    fence(false);
    name_of(name, self.rank);
    need(PMIx_Unpublish(names, NULL, 0), "PMIx_Unpublish");
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool dead[4096];

static void died(size_t id, pmix_status_t status, const pmix_proc_t* source, pmix_info_t infos[],
                 size_t count, pmix_info_t results[], size_t results_count,
                 pmix_event_notification_cbfunc_fn_t done, void* data) {
    (void)id, (void)status, (void)infos, (void)count, (void)results, (void)results_count;
    pthread_mutex_lock(&mutex);
    if (source->rank < 4096) dead[source->rank] = true;
    pthread_mutex_unlock(&mutex);
    if (done) done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, data);
}

static void listen_for_deaths(void) {
    pmix_status_t code = PMIX_ERR_PROC_ABORTED;
    need(PMIx_Register_event_handler(&code, 1, NULL, 0, died, NULL, NULL),
         "PMIx_Register_event_handler");
}

/// Whether that rank is said to be dead, now or soon.
static bool is_dead(uint32_t rank) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&mutex);
        const bool is = dead[rank];
        pthread_mutex_unlock(&mutex);
        if (is) return true;
        pause_for(100);
    }
    return false;
}

/// Its neighbour's card, round after round, each rank a little later or earlier than the others.
static void mourn(size_t size, bool collect, uint32_t fences) {
    const uint32_t next = (self.rank + 1) % job_size;
    listen_for_deaths();
    srand(self.rank);
    for (uint32_t round = 0; round < fences; round++) {
        put_card(size, round);
        pause_for(rand() % 60);
        fence(collect);
        if (!has_card(next, size, round) && !is_dead(next))
            give_up("no card %u of rank %u", round, next);
        if (round == 3) printf("%u: under way\n", self.rank);
        fflush(stdout);
    }
    for (uint32_t rank = 0; rank < job_size; rank++)
        if (dead[rank]) printf("%u: %u died\n", self.rank, rank);
}

int main(int argc, char** argv) {
    const bool collect = argc < 2 || strcmp(argv[1], "direct") != 0;
    const size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
    const uint32_t cards = argc > 3 ? (uint32_t)atoi(argv[3]) : 1,
                   fences = argc > 4 ? (uint32_t)atoi(argv[4]) : 1;
    begin();
    if (argc > 5) {
        mourn(size, collect, fences);
        finish();
        return 0;
    }
    for (uint32_t round = 0; round < fences; round++) {
        for (uint32_t number = 0; number < cards; number++)
            put_card(size, round * cards + number);
        fence(collect);
        for (uint32_t i = 1; i <= job_size; i++)
            for (uint32_t number = 0; number < cards; number++)
                check_card((self.rank + i) % job_size, size, round * cards + number);
        fence(false);
    }
    check_attributes();
    if (!collect) check_missing();
    check_publish();
    fence(false);
    if (self.rank == 0) printf("cards of %u ranks are right\n", job_size);
    finish();
    return 0;
}
