// SPDX-License-Identifier: MIT
#include "core/process/usage.hpp"

#include <cstdio>
#include <sstream>
#include <string>
#include <sys/resource.h>

#include "core/base/file_text.hpp"

namespace launch {
namespace {

uint64_t microseconds(const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

/// The sum of the values, in KiB, of all lines that `format` fits.
uint64_t kib_in(const std::string& text, const char* format) {
    uint64_t sum = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        unsigned long kib = 0;
        if (std::sscanf(line.c_str(), format, &kib) == 1) sum += kib;
    }
    return sum;
}

}  // namespace

Usage own_usage() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const std::string now = read_file("/proc/self/smaps_rollup").text;
    // proc(5): Private_Clean, Private_Dirty and Private_Hugetlb. The peak is of this image:
    // getrusage's ru_maxrss also knows that of the process before exec(2).
    return {.private_kib = kib_in(now, "Private_%*[^:]: %lu"),
            .proportional_kib = kib_in(now, "Pss: %lu"),
            .resident_kib = kib_in(read_file("/proc/self/status").text, "VmHWM: %lu"),
            .cpu_us = microseconds(used.ru_utime) + microseconds(used.ru_stime)};
}

}  // namespace launch
