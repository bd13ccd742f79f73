// SPDX-License-Identifier: MIT
// Stands still in a function that its argument chooses: `solve` or `load`. Says so first.

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
}

int main(int argc, char** argv) {
    std::puts("stands");
    std::fflush(stdout);
    if (argc > 1 && std::strcmp(argv[1], "load") == 0)
        load();
    else
        solve();
    return 0;
}
