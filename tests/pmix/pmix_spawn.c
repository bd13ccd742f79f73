// pmix_spawn COUNT [HOST]: rank 0 starts COUNT processes of this program by PMIx_Spawn, on that
// host, and prints the namespace that it is told. The new ones print what they are told of
// themselves, when they all have come.
#include "tests/pmix/pmix_session.h"

static void be_child(void) {
    const pmix_proc_t job = peer(PMIX_RANK_WILDCARD);
    pmix_value_t* parent = NULL;
    need(PMIx_Get(&job, PMIX_PARENT_ID, NULL, 0, &parent), "PMIX_PARENT_ID");
    if (parent->type != PMIX_PROC) give_up("PMIX_PARENT_ID is no process");
    need(PMIx_Fence(NULL, 0, NULL, 0), "PMIx_Fence");
    const char* given = getenv("GIVEN");
    printf("process %u of %u, asked for by rank %u of %s, %s on %s\n", self.rank, job_size,
           parent->data.proc->rank, parent->data.proc->nspace, given ? given : "nothing given",
           getenv("LAUNCH_HOST"));
    PMIX_VALUE_RELEASE(parent);
}

static void spawn(char* program, int count, const char* host) {
    pmix_app_t app;
    pmix_nspace_t nspace;
    PMIX_APP_CONSTRUCT(&app);
    app.cmd = strdup(program);
    char* words[] = {program, "child", NULL};
    char* variables[] = {"GIVEN=given", NULL};
    app.argv = words;
    app.env = variables;
    app.maxprocs = count;
    if (host != NULL) {
        PMIX_INFO_CREATE(app.info, 1);
        app.ninfo = 1;
        PMIX_INFO_LOAD(&app.info[0], PMIX_HOST, host, PMIX_STRING);
    }
    const pmix_status_t status = PMIx_Spawn(NULL, 0, &app, 1, nspace);
    printf("spawned: %s\n", status == PMIX_SUCCESS ? nspace : PMIx_Error_string(status));
    app.argv = app.env = NULL;
    PMIX_APP_DESTRUCT(&app);
}

int main(int argc, char** argv) {
    need(PMIx_Init(&self, NULL, 0), "PMIx_Init");
    job_size = attribute(PMIX_JOB_SIZE, PMIX_RANK_WILDCARD);
    if (argc > 1 && strcmp(argv[1], "child") == 0)
        be_child();
    else if (self.rank == 0)
        spawn(argv[0], argc > 1 ? atoi(argv[1]) : 1, argc > 2 ? argv[2] : NULL);
    fflush(stdout);
    need(PMIx_Finalize(NULL, 0), "PMIx_Finalize");
    return 0;
}
