// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace launch {

/// A process as /proc/PID/stat has it, see proc(5).
struct ProcessStat {
    char state = '?';  ///< '?': there is no such process
    pid_t parent = 0;
    uint64_t cpu_ms = 0;  ///< also of its children that it has waited for
    uint64_t resident_kib = 0;
};
ProcessStat stat_of(pid_t pid);
/// Tells of the main thread alone, whose memory is that of all threads.
ProcessStat main_thread_stat(pid_t pid);

/// By its state: it is gone, or only waits to be collected.
constexpr bool has_ended(char state) {
    return state == '?' || state == 'Z' || state == 'X';
}

}  // namespace launch
