// SPDX-License-Identifier: MIT
// Stands still in a function that its argument chooses: `solve` or `load`. Or uses a CPU for ever:
// `poll` in a function that is named as one of MPI, `compute` in another. Or crashes there:
// `crash`. Says so first.

#include <cstdio>
#include <cstring>
#include <unistd.h>

extern "C" {

// Not inlined, and no tail calls: the functions are to be seen on the stack.
[[gnu::noinline]] void wait_for_end() {
    for (;;)
        pause();
}

[[gnu::noinline]] void solve() {
    wait_for_end();
    asm volatile("");
}

[[gnu::noinline]] void load() {
    wait_for_end();
    asm volatile("");
}

[[gnu::noinline]] void use_cpu() {
    for (;;)
        asm volatile("");
}

[[gnu::noinline]] void MPI_Barrier() {
    use_cpu();
    asm volatile("");
}

[[gnu::noinline]] void crash() {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
}

[[gnu::noinline]] void compute() {
    use_cpu();
    asm volatile("");
}
}

int main(int argc, char** argv) {
    std::puts("stands");
    std::fflush(stdout);
    const char* what = argc > 1 ? argv[1] : "solve";
    if (std::strcmp(what, "load") == 0)
        load();
    else if (std::strcmp(what, "poll") == 0)
        MPI_Barrier();
    else if (std::strcmp(what, "crash") == 0)
        crash();
    else if (std::strcmp(what, "compute") == 0)
        compute();
    else
        solve();
    return 0;
}
