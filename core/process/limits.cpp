// SPDX-License-Identifier: MIT
#include "core/process/limits.hpp"

#include <sys/resource.h>
#include <sys/stat.h>

namespace launch {
namespace {

static_assert(RLIM_INFINITY == unlimited);

/// setrlimit's numbers, indexed by Resource.
constexpr std::array<int, resource_names.size()> numbers = {
    RLIMIT_AS,      RLIMIT_CORE,   RLIMIT_CPU,   RLIMIT_DATA, RLIMIT_FSIZE,
    RLIMIT_MEMLOCK, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_RSS,  RLIMIT_STACK};

}  // namespace

HostLimits host_limits() {
    HostLimits limits;
    for (size_t i = 0; i < limits.size(); ++i) {
        rlimit limit{};
        if (getrlimit(static_cast<__rlimit_resource_t>(numbers[i]), &limit) == 0)
            limits[i] = {limit.rlim_cur, limit.rlim_max};
    }
    return limits;
}

RankLimits own_limits() {
    RankLimits limits;
    limits.umask = umask(0);
    umask(limits.umask);
    const HostLimits own = host_limits();
    for (size_t i = 0; i < own.size(); ++i)
        limits.soft.push_back({static_cast<Resource>(i), own[i].soft});
    return limits;
}

void set_soft_limit(const SoftLimit& limit) {
    const auto number =
        static_cast<__rlimit_resource_t>(numbers[static_cast<size_t>(limit.resource)]);
    rlimit both{};
    if (getrlimit(number, &both) != 0) return;
    both.rlim_cur = limit.value;
    setrlimit(number, &both);
}

uint64_t raise_file_limit() {
    const auto files = static_cast<size_t>(Resource::open_files);
    const HostLimit before = host_limits()[files];
    set_soft_limit({Resource::open_files, before.hard});
    return before.soft;
}

}  // namespace launch
