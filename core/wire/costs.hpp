// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// A rank that has ended, and the resources that it used.
struct RankCost {
    uint32_t rank = 0;
    uint32_t pid = 0;
    uint64_t start_us = 0;  ///< since its node learned of the job
    uint64_t end_us = 0;    ///< of its process, from the same
    uint64_t cpu_us = 0;    ///< user and system, with the processes below it that it waited for
    uint64_t peak_kib = 0;  ///< the most memory that it, or one of those, had at one time
    uint64_t out_bytes = 0;
    uint64_t err_bytes = 0;

    bool operator==(const RankCost&) const = default;
};

/// Sent if the job wants it (--report), before the ends of those ranks are reported.
struct CostsMessage {
    std::vector<RankCost> ranks;

    std::string encode() const;
    static std::optional<CostsMessage> decode(std::string_view payload);
    bool operator==(const CostsMessage&) const = default;
};

}  // namespace launch
