#include "core/process/usage.hpp"

#include <cstdio>
#include <memory>
#include <sys/resource.h>

namespace launch {
namespace {

uint64_t microseconds(const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
}

/// The sum of the values, in KiB, of all lines of a file of this process that `format` fits.
uint64_t kib_of(const char* path, const char* format) {
    const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "re"), &std::fclose);
    char line[256];
    uint64_t sum = 0;
    while (file && std::fgets(line, sizeof line, file.get()) != nullptr) {
        unsigned long kib = 0;
        if (std::sscanf(line, format, &kib) == 1) sum += kib;
    }
    return sum;
}

/// Of this image: getrusage's ru_maxrss also knows that of the process before exec(2).
uint64_t peak_kib() {
    return kib_of("/proc/self/status", "VmHWM: %lu");
}

/// proc(5): Private_Clean, Private_Dirty and Private_Hugetlb.
uint64_t private_kib() {
    return kib_of("/proc/self/smaps_rollup", "Private_%*[^:]: %lu");
}

}  // namespace

Usage own_usage() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return {private_kib(), peak_kib(), microseconds(used.ru_utime) + microseconds(used.ru_stime)};
}

}  // namespace launch
