// SPDX-License-Identifier: MIT
// pmix_meet STEP...: ranks of several jobs and what they have in common. Each rank takes the steps
// one after another and prints what comes of each, "RANK: STEP: STATUS OR VALUE":
//   publish=NAME=VALUE[=RANGE[=PERSISTENCE]], unpublish=NAME, unpublish-all, lookup=NAME[=RANGE],
//   await=NAME=SECONDS[=RANGE]
//   meet=MINE=OTHERS[=SECONDS]  connects with all ranks of the job that says meet=OTHERS=MINE
//   offer=MINE                  lets that job come to meet this one, which does not come
//   cards                       reads what each rank of that job has put
//   part                        disconnects from it
//   group=NAME=FIRST=LAST       these ranks make a group; prints whether its number is its own
//   ungroup=NAME
//   only=RANK                   the others have no more steps to take
//   rest=MILLISECONDS
#include <unistd.h>

#include "tests/pmix/pmix_session.h"

enum { most_words = 6 };

static pmix_proc_t both[2];
static uint32_t other_size;

static void say(const char* step, const char* what) {
    printf("%u: %s: %s\n", self.rank, step, what);
    fflush(stdout);
}

static void say_status(const char* step, pmix_status_t status) {
    say(step, PMIx_Error_string(status));
}

static pmix_data_range_t range_of(const char* word) {
    if (strcmp(word, "host") == 0) return PMIX_RANGE_LOCAL;
    if (strcmp(word, "job") == 0) return PMIX_RANGE_NAMESPACE;
    if (strcmp(word, "process") == 0) return PMIX_RANGE_PROC_LOCAL;
    if (strcmp(word, "global") == 0) return PMIX_RANGE_GLOBAL;
    return PMIX_RANGE_SESSION;
}

static pmix_persistence_t persistence_of(const char* word) {
    if (strcmp(word, "once") == 0) return PMIX_PERSIST_FIRST_READ;
    if (strcmp(word, "process") == 0) return PMIX_PERSIST_PROC;
    if (strcmp(word, "session") == 0) return PMIX_PERSIST_SESSION;
    return PMIX_PERSIST_APP;
}

static pmix_status_t publish(const char* name, const char* value, const char* range,
                             const char* persistence) {
    pmix_info_t infos[3];
    size_t count = 1;
    PMIX_INFO_LOAD(&infos[0], name, value, PMIX_STRING);
    if (range) {
        const pmix_data_range_t wanted = range_of(range);
        PMIX_INFO_LOAD(&infos[count], PMIX_RANGE, &wanted, PMIX_DATA_RANGE);
        ++count;
    }
    if (persistence) {
        const pmix_persistence_t wanted = persistence_of(persistence);
        PMIX_INFO_LOAD(&infos[count], PMIX_PERSISTENCE, &wanted, PMIX_PERSIST);
        ++count;
    }
    return PMIx_Publish(infos, count);
}

/// Waits if `seconds` is not 0. The value is to be freed; null: there is none.
static char* look_up(const char* name, int seconds, const char* range, pmix_status_t* status) {
    pmix_info_t infos[3];
    pmix_pdata_t found;
    size_t count = 0;
    const bool waits = true;
    if (seconds > 0) {
        PMIX_INFO_LOAD(&infos[count], PMIX_WAIT, &waits, PMIX_BOOL);
        ++count;
        PMIX_INFO_LOAD(&infos[count], PMIX_TIMEOUT, &seconds, PMIX_INT);
        ++count;
    }
    if (range) {
        const pmix_data_range_t wanted = range_of(range);
        PMIX_INFO_LOAD(&infos[count], PMIX_RANGE, &wanted, PMIX_DATA_RANGE);
        ++count;
    }
    PMIX_PDATA_CONSTRUCT(&found);
    PMIX_LOAD_KEY(found.key, name);
    *status = PMIx_Lookup(&found, 1, infos, count);
    char* const value = *status == PMIX_SUCCESS && found.value.type == PMIX_STRING
                            ? strdup(found.value.data.string)
                            : NULL;
    PMIX_PDATA_DESTRUCT(&found);
    return value;
}

static void find(const char* step, const char* name, int seconds, const char* range) {
    pmix_status_t status;
    char* const value = look_up(name, seconds, range, &status);
    if (value) say(step, value);
    if (!value) say_status(step, status);
    free(value);
}

static void offer(const char* mine) {
    char text[PMIX_MAX_NSLEN + 32];
    snprintf(text, sizeof text, "%s %u", self.nspace, job_size);
    if (self.rank == 0) need(publish(mine, text, NULL, NULL), "publish");
}

static void meet(const char* step, const char* mine, const char* others, const char* seconds) {
    pmix_status_t status;
    offer(mine);
    char* const told = look_up(others, 20, NULL, &status);
    if (!told) return say_status(step, status);
    char* const size = strrchr(told, ' ');
    other_size = (uint32_t)strtoul(size, NULL, 10);
    *size = '\0';
    PMIX_LOAD_PROCID(&both[0], self.nspace, PMIX_RANK_WILDCARD);
    PMIX_LOAD_PROCID(&both[1], told, PMIX_RANK_WILDCARD);
    free(told);
    pmix_info_t info;
    const int limit = seconds ? atoi(seconds) : 0;
    PMIX_INFO_LOAD(&info, PMIX_TIMEOUT, &limit, PMIX_INT);
    say_status(step, PMIx_Connect(both, 2, &info, limit > 0));
}

static void read_cards(const char* step) {
    char text[64];
    uint32_t right = 0;
    for (uint32_t rank = 0; rank < other_size; ++rank) {
        pmix_proc_t proc;
        pmix_value_t* value = NULL;
        PMIX_LOAD_PROCID(&proc, both[1].nspace, rank);
        snprintf(text, sizeof text, "card of %u", rank);
        if (PMIx_Get(&proc, "card", NULL, 0, &value) != PMIX_SUCCESS) continue;
        right += value->type == PMIX_STRING && strcmp(value->data.string, text) == 0;
        PMIX_VALUE_RELEASE(value);
    }
    pmix_value_t* size = NULL;
    PMIx_Get(&both[1], PMIX_JOB_SIZE, NULL, 0, &size);
    snprintf(text, sizeof text, "%u of %u", right, size ? size->data.uint32 : 0);
    say(step, text);
}

/// Its number is published: two groups with the same one would publish the same name.
static void make_group(const char* step, const char* name, uint32_t first, uint32_t last) {
    if (self.rank < first || self.rank > last) return;
    pmix_proc_t* const procs = calloc(last - first + 1, sizeof *procs);
    for (uint32_t rank = first; rank <= last; ++rank)
        PMIX_LOAD_PROCID(&procs[rank - first], self.nspace, rank);
    pmix_info_t info, *results = NULL;
    size_t count = 0, number = 0;
    const bool yes = true;
    PMIX_INFO_LOAD(&info, PMIX_GROUP_ASSIGN_CONTEXT_ID, &yes, PMIX_BOOL);
    const pmix_status_t status =
        PMIx_Group_construct(name, procs, last - first + 1, &info, 1, &results, &count);
    for (size_t i = 0; i < count; ++i)
        if (PMIX_CHECK_KEY(&results[i], PMIX_GROUP_CONTEXT_ID)) number = results[i].value.data.size;
    char key[64], value[64];
    snprintf(key, sizeof key, "number %zu", number);
    snprintf(value, sizeof value, "%s", name);
    pmix_status_t found = PMIX_SUCCESS;
    if (status == PMIX_SUCCESS && self.rank == first) found = publish(key, value, NULL, NULL);
    char* const owner = status == PMIX_SUCCESS ? look_up(key, 5, NULL, &found) : NULL;
    if (status != PMIX_SUCCESS)
        say_status(step, status);
    else if (number == 0)
        say(step, "no number");
    else
        say(step,
            owner && strcmp(owner, name) == 0 ? "has a number of its own" : "another's number");
    free(owner);
    free(procs);
}

static int words_of(char* step, char** words) {
    int count = 0;
    for (char* word = strtok(step, "="); word && count < most_words; word = strtok(NULL, "="))
        words[count++] = word;
    return count;
}

/// False: this rank has no more to do.
static bool take(const char* step) {
    char* const copy = strdup(step);
    char* words[most_words] = {NULL};
    words_of(copy, words);
    const char* const verb = words[0];
    bool goes_on = true;
    char* names[2] = {words[1], NULL};
    if (strcmp(verb, "publish") == 0)
        say_status(step, publish(words[1], words[2], words[3], words[3] ? words[4] : NULL));
    else if (strcmp(verb, "unpublish") == 0)
        say_status(step, PMIx_Unpublish(names, NULL, 0));
    else if (strcmp(verb, "unpublish-all") == 0)
        say_status(step, PMIx_Unpublish(NULL, NULL, 0));
    else if (strcmp(verb, "lookup") == 0)
        find(step, words[1], 0, words[2]);
    else if (strcmp(verb, "await") == 0)
        find(step, words[1], atoi(words[2]), words[3]);
    else if (strcmp(verb, "meet") == 0)
        meet(step, words[1], words[2], words[3]);
    else if (strcmp(verb, "offer") == 0)
        offer(words[1]);
    else if (strcmp(verb, "cards") == 0)
        read_cards(step);
    else if (strcmp(verb, "part") == 0)
        say_status(step, PMIx_Disconnect(both, 2, NULL, 0));
    else if (strcmp(verb, "group") == 0)
        make_group(step, words[1], (uint32_t)atoi(words[2]), (uint32_t)atoi(words[3]));
    else if (strcmp(verb, "ungroup") == 0)
        say_status(step, PMIx_Group_destruct(words[1], NULL, 0));
    else if (strcmp(verb, "only") == 0)
        goes_on = (uint32_t)atoi(words[1]) == self.rank;
    else if (strcmp(verb, "rest") == 0)
        pause_for(atoi(words[1]));
    else
        give_up("unknown step %s", step);
    free(copy);
    return goes_on;
}

int main(int argc, char** argv) {
    char text[64];
    pmix_value_t value;
    begin();
    snprintf(text, sizeof text, "card of %u", self.rank);
    PMIX_VALUE_LOAD(&value, text, PMIX_STRING);
    need(PMIx_Put(PMIX_GLOBAL, "card", &value), "PMIx_Put");
    need(PMIx_Commit(), "PMIx_Commit");
    for (int i = 1; i < argc && take(argv[i]); ++i) {
    }
    finish();
    return 0;
}
