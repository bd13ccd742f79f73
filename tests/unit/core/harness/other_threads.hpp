// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <unistd.h>

#include "core/process/process_stat.hpp"

namespace launch {

/// True if this process has other threads, and each of them waits: they have done all that they
/// can do until something wakes one of them.
inline bool other_threads_wait() {
    bool others = false;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const auto thread = static_cast<pid_t>(std::stol(task.path().filename()));
        if (thread == gettid()) continue;
        if (stat_of(thread).state != 'S') return false;
        others = true;
    }
    return others;
}

}  // namespace launch
