// SPDX-License-Identifier: MIT
#pragma once

// A preloaded library whose calls never come back, and which says so where a process tears its
// libraries down while one of its threads is inside: a real library's thread would then use what
// its destructors have freed, and crash now and then.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace preload {

inline std::atomic<bool> inside = false;

[[noreturn]] inline void hang() {
    inside = true;
    for (;;)
        pause();
}

/// The file named by TORN_DOWN gets a line, as nobody asks how a relay has ended.
__attribute__((destructor)) inline void torn_down() {
    if (!inside) return;
    const char* const path = std::getenv("TORN_DOWN");
    std::FILE* const file = path != nullptr ? std::fopen(path, "a") : nullptr;
    if (file != nullptr) {
        std::fprintf(file, "process %d: a thread was inside\n", static_cast<int>(getpid()));
        std::fclose(file);
    }
    std::abort();
}

}  // namespace preload
