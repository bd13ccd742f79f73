// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/start_clock.hpp"
#include "core/topology.hpp"

namespace launch {

/// How far a node is with starting one of those below it.
struct HostStart {
    NodeIndex node = 0;
    StartStage stage = StartStage::queued;  ///< the current stage
    /// When it reached each stage, in microseconds since the starting node got its part of the
    /// tree; nothing: it has not reached the stage.
    std::array<std::optional<uint64_t>, start_stages> began;

    std::optional<uint64_t> at(StartStage which) const { return began[static_cast<size_t>(which)]; }
    bool operator==(const HostStart&) const = default;
};

/// A node tells, of those that it starts: where a start takes long, so that a user knows what is
/// waited for; and with --report of each that runs.
struct StartsMessage {
    NodeIndex by = 0;
    std::vector<HostStart> hosts;

    std::string encode() const;
    static std::optional<StartsMessage> decode(std::string_view payload);
    bool operator==(const StartsMessage&) const = default;
};

}  // namespace launch
