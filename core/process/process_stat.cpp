// SPDX-License-Identifier: MIT
#include "core/process/process_stat.hpp"

#include <sstream>
#include <string>
#include <unistd.h>

#include "core/base/file_text.hpp"

namespace launch {
namespace {

ProcessStat read_stat(const std::string& path) {
    // Where the process ends between the opening of the file and its reading, that fails.
    const std::string line = read_file(path).text;
    // The command's name, in parentheses, may hold anything: count from its end.
    const size_t at = line.rfind(')');
    if (at == std::string::npos) return {};
    std::istringstream fields(line.substr(at + 1));
    ProcessStat stat;
    if (!(fields >> stat.state >> stat.parent)) return {};
    constexpr int before_times = 9;  // from the process group to the major faults of its children
    constexpr int before_pages = 6;  // from the priority to the size of its address space
    constexpr int times = 4;
    std::string skipped;
    for (int i = 0; i < before_times; ++i)
        fields >> skipped;
    uint64_t ticks = 0;
    for (int i = 0; i < times; ++i) {
        uint64_t some = 0;
        fields >> some;
        ticks += some;
    }
    for (int i = 0; i < before_pages; ++i)
        fields >> skipped;
    uint64_t pages = 0;
    fields >> pages;
    stat.cpu_ms = ticks * 1000 / static_cast<uint64_t>(sysconf(_SC_CLK_TCK));
    stat.resident_kib = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
    return stat;
}

}  // namespace

ProcessStat stat_of(pid_t pid) {
    return read_stat("/proc/" + std::to_string(pid) + "/stat");
}

ProcessStat main_thread_stat(pid_t pid) {
    const std::string id = std::to_string(pid);
    return read_stat("/proc/" + id + "/task/" + id + "/stat");
}

}  // namespace launch
