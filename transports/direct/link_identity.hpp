// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/link/direct_links.hpp"

namespace launch {

/// The identity that a caller claims, in the clear, and proves by the key that belongs to it. Pure.
struct LinkIdentity {
    NodeIndex from = 0;
    NodeIndex to = 0;
    LinkPurpose purpose = LinkPurpose::move;
    /// To one above it: the blocks from there down to the caller's own, see NodeKey.
    std::vector<NodeRange> path;
    /// To others: the caller's public key. Not both.
    std::string public_key = {};

    /// "JOB/7/3/attach/5+10/7+2", or "JOB/7/3/peer/=" and the key in hex.
    std::string text(const std::string& job_id) const;
    /// Said in one way only: what is not as text() would say it is nobody's.
    static std::optional<LinkIdentity> parse(const std::string& job_id, std::string_view text);
};

}  // namespace launch
