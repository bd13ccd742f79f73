// SPDX-License-Identifier: MIT
#include "core/job/rank_limits.hpp"

#include <algorithm>

namespace launch {

FittedLimits fit_limits(const std::vector<SoftLimit>& asked, const HostLimits& host) {
    FittedLimits fitted;
    for (const SoftLimit& limit : asked) {
        const HostLimit& own = host.at(static_cast<size_t>(limit.resource));
        uint64_t value = limit.value;
        if (limit.resource == Resource::locked_memory) value = std::max(value, own.soft);
        if (value > own.hard) fitted.cut.push_back(limit);
        fitted.soft.push_back({limit.resource, std::min(value, own.hard)});
    }
    return fitted;
}

std::vector<SoftLimit> other_than(const HostLimits& own, std::vector<SoftLimit> limits) {
    std::erase_if(limits, [&own](const SoftLimit& limit) {
        return own.at(static_cast<size_t>(limit.resource)).soft == limit.value;
    });
    return limits;
}

}  // namespace launch
