// SPDX-License-Identifier: MIT
// pmix_spawn COUNT [HOST [set|add|first|prepend|append|unset NAME [VALUE]]...]: rank 0 starts COUNT
// processes of this program by PMIx_Spawn, on that host, with these changes of their environment,
// the last of them said of the program and the others of the whole spawn. It prints the namespace
// that it is told. The new ones print what they are told of themselves, when they all have come,
// and the variables that were changed.
#include "tests/pmix/pmix_session.h"

enum { most_changes = 16 };
static char* child_words[most_changes + 3];

static void be_child(char** names) {
    const pmix_proc_t job = peer(PMIX_RANK_WILDCARD);
    pmix_value_t* parent = NULL;
    need(PMIx_Get(&job, PMIX_PARENT_ID, NULL, 0, &parent), "PMIX_PARENT_ID");
    if (parent->type != PMIX_PROC) give_up("PMIX_PARENT_ID is no process");
    need(PMIx_Fence(NULL, 0, NULL, 0), "PMIx_Fence");
    const char* given = getenv("GIVEN");
    printf("process %u of %u, asked for by rank %u of %s, %s on %s", self.rank, job_size,
           parent->data.proc->rank, parent->data.proc->nspace, given ? given : "nothing given",
           getenv("LAUNCH_HOST"));
    for (; *names != NULL; names++) {
        const char* value = getenv(*names);
        printf(" %s%s%s", *names, value ? "=" : " is not set", value ? value : "");
    }
    printf("\n");
    PMIX_VALUE_RELEASE(parent);
}

static void load_change(pmix_info_t* info, const char* what, char* name, char* value) {
    static const char* const keys[][2] = {
        {"set", PMIX_SET_ENVAR},         {"add", PMIX_ADD_ENVAR},       {"first", PMIX_FIRST_ENVAR},
        {"prepend", PMIX_PREPEND_ENVAR}, {"append", PMIX_APPEND_ENVAR},
    };
    if (strcmp(what, "unset") == 0) {
        PMIX_INFO_LOAD(info, PMIX_UNSET_ENVAR, name, PMIX_STRING);
        return;
    }
    pmix_envar_t variable = {name, value, ':'};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(what, keys[i][0]) == 0) PMIX_INFO_LOAD(info, keys[i][1], &variable, PMIX_ENVAR);
}

static void spawn(char* program, int count, const char* host, char** changes) {
    pmix_app_t app;
    pmix_nspace_t nspace;
    pmix_info_t infos[most_changes + 1];
    size_t used = 0;
    PMIX_APP_CONSTRUCT(&app);
    app.cmd = strdup(program);
    child_words[0] = program;
    child_words[1] = "child";
    if (host != NULL) PMIX_INFO_LOAD(&infos[used++], PMIX_HOST, host, PMIX_STRING);
    while (*changes != NULL && used < most_changes) {
        const int has_value = strcmp(changes[0], "unset") != 0;
        child_words[1 + used] = changes[1];
        load_change(&infos[used++], changes[0], changes[1], has_value ? changes[2] : NULL);
        changes += has_value ? 3 : 2;
    }
    char* variables[] = {"GIVEN=given", NULL};
    app.argv = child_words;
    app.env = variables;
    app.maxprocs = count;
    if (used > 0) {
        app.info = &infos[--used];
        app.ninfo = 1;
    }
    const pmix_status_t status = PMIx_Spawn(infos, used, &app, 1, nspace);
    printf("spawned: %s\n", status == PMIX_SUCCESS ? nspace : PMIx_Error_string(status));
    app.argv = app.env = NULL;
    app.info = NULL;
    app.ninfo = 0;
    PMIX_APP_DESTRUCT(&app);
}

int main(int argc, char** argv) {
    need(PMIx_Init(&self, NULL, 0), "PMIx_Init");
    job_size = attribute(PMIX_JOB_SIZE, PMIX_RANK_WILDCARD);
    if (argc > 1 && strcmp(argv[1], "child") == 0)
        be_child(argv + 2);
    else if (self.rank == 0)
        spawn(argv[0], argc > 1 ? atoi(argv[1]) : 1, argc > 2 ? argv[2] : NULL,
              argc > 3 ? argv + 3 : &argv[argc]);
    fflush(stdout);
    need(PMIx_Finalize(NULL, 0), "PMIx_Finalize");
    return 0;
}
