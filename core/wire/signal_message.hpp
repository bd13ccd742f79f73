// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job/placement.hpp"

namespace launch {

/// A signal for ranks of a job. For all of them it is a number alone, as the job's other orders.
struct SignalMessage {
    int signal = 0;
    std::vector<RankRun> ranks = {};  ///< who gets it; empty: all

    bool operator==(const SignalMessage&) const = default;
    std::string encode() const;
    static std::optional<SignalMessage> decode(std::string_view payload);
};

}  // namespace launch
