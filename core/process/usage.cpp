#include "core/process/usage.hpp"

#include <cstdio>
#include <memory>
#include <sys/resource.h>

namespace launch {
namespace {

uint64_t microseconds(const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

/// Of this image: getrusage's ru_maxrss also knows that of the process before exec(2).
uint64_t peak_kib() {
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/status", "re"),
                                                     &std::fclose);
    char line[256];
    unsigned long kib = 0;
    while (file && std::fgets(line, sizeof line, file.get()) != nullptr)
        if (std::sscanf(line, "VmHWM: %lu", &kib) == 1) break;
    return kib;
}

}  // namespace

Usage own_usage() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return {peak_kib(), microseconds(used.ru_utime) + microseconds(used.ru_stime)};
}

}  // namespace launch
