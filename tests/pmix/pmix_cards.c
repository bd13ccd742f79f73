// pmix_cards [collect|direct] [SIZE] [CARDS] [FENCES]: every rank puts cards, fences with or
// without collection of data (without: each get is a direct modex), and reads every card of every
// rank, byte by byte; then the job's attributes, with `direct` a missing key, and publish, lookup
// and unpublish.
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

int main(int argc, char** argv) {
    const bool collect = argc < 2 || strcmp(argv[1], "direct") != 0;
    const size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
    const uint32_t cards = argc > 3 ? (uint32_t)atoi(argv[3]) : 1,
                   fences = argc > 4 ? (uint32_t)atoi(argv[4]) : 1;
    begin();
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
