// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/topology.hpp"
#include "modex/exchange/exchange_messages.hpp"

namespace launch {

/// A job as the root of the tree tells it from others ("space" in PMIx's sense); no two of a
/// process have the same one, ever.
using SpaceId = uint64_t;

/// The sender of a question to the root.
struct RootAsker {
    SpaceId space = 0;
    std::optional<NodeIndex> child = {};  ///< by which it came; nothing: a rank of the root's node
    uint64_t ticket = 0;                  ///< in that one's numbering

    auto operator<=>(const RootAsker&) const = default;
};

struct RootReply {
    RootAsker to;
    NameAnswer answer;
};
using RootReplies = std::vector<RootReply>;

/// The answer to who gives up waiting.
inline constexpr const char* name_timeout = "timeout";

}  // namespace launch
