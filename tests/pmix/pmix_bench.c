// SPDX-License-Identifier: MIT
// pmix_bench [REPS] [SIZE]: times PMIx_Init, put + commit + fence with collection of data, and an
// empty fence. Rank 0 prints one line of JSON, in milliseconds: for each fence the first time and
// the median of the others, as rank 0 saw them; the longest PMIx_Init of all ranks and rank 0's;
// and the processor time that a rank, which is to say libpmix in it, used.
#include "tests/pmix/pmix_session.h"

enum { MAX_REPS = 1000 };

static int ascending(const void* a, const void* b) {
    const double left = *(const double*)a, right = *(const double*)b;
    return (left > right) - (left < right);
}

static double median(double* times, int count) {
    qsort(times, (size_t)count, sizeof *times, ascending);
    return count % 2 ? times[count / 2] : (times[count / 2 - 1] + times[count / 2]) / 2;
}

static void report(const char* name, double* times, int count) {
    const double first = times[0];
    printf("\"%s\": {\"first\": %.3f, \"median\": %.3f}, ", name, first,
           count > 1 ? median(times + 1, count - 1) : first);
}

static double longest(double mine) {
    pmix_value_t value, *theirs = NULL;
    double result = mine;
    value.type = PMIX_DOUBLE;
    value.data.dval = mine;
    need(PMIx_Put(PMIX_GLOBAL, "init-time", &value), "PMIx_Put");
    need(PMIx_Commit(), "PMIx_Commit");
    fence(true);
    for (uint32_t rank = 0; self.rank == 0 && rank < job_size; rank++) {
        const pmix_proc_t proc = peer(rank);
        need(PMIx_Get(&proc, "init-time", NULL, 0, &theirs), "PMIx_Get");
        if (theirs->data.dval > result) result = theirs->data.dval;
        PMIX_VALUE_RELEASE(theirs);
    }
    return result;
}

int main(int argc, char** argv) {
    const int reps = argc > 1 ? atoi(argv[1]) : 11;
    const size_t size = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
    double barriers[MAX_REPS], puts[MAX_REPS];
    if (reps < 1 || reps > MAX_REPS) give_up("between 1 and %d repetitions", MAX_REPS);
    double start = milliseconds();
    const double cpu = cpu_milliseconds();
    begin();
    const double init = milliseconds() - start, init_cpu = cpu_milliseconds() - cpu;
    for (int i = 0; i < reps; i++) {
        fence(false);
        start = milliseconds();
        fence(false);
        barriers[i] = milliseconds() - start;
    }
    const double fence_cpu = cpu_milliseconds();
    for (int i = 0; i < reps; i++) {
        fence(false);
        start = milliseconds();
        put_card(size, (uint32_t)i);
        fence(true);
        puts[i] = milliseconds() - start;
    }
    const double put_cpu = (cpu_milliseconds() - fence_cpu) / reps;
    const double worst_init = longest(init);
    for (uint32_t rank = 0; rank < job_size; rank += job_size / 4 + 1)
        check_card(rank, size, 0);
    fence(false);
    if (self.rank == 0) {
        printf("{");
        report("barrier", barriers, reps);
        report("put_fence", puts, reps);
        printf(
            "\"init\": %.3f, \"init_rank0\": %.3f, \"init_cpu\": %.3f, \"put_fence_cpu\": %.3f, "
            "\"ranks\": %u, \"size\": %zu, \"reps\": %d}\n",
            worst_init, init, init_cpu, put_cpu, job_size, size, reps);
    }
    finish();
    return 0;
}
