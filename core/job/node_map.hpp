// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/job/placement.hpp"

namespace launch {

/// All nodes of a job with their ranks: what every node must know when its ranks ask where the
/// others are.
struct NodeMap {
    std::vector<Host> hosts;
    std::vector<std::vector<RankRun>> ranks;

    bool operator==(const NodeMap&) const = default;
};

/// As text, short where hosts are numbered and nodes are alike: it goes to every node.
std::string encode_node_map(const std::vector<Host>& hosts, const Placement& placement);
/// Nothing where it is not that of a job of so many nodes and ranks: a short text of a neighbour's
/// makes no millions of either.
std::optional<NodeMap> decode_node_map(std::string_view bytes, uint32_t nodes, uint32_t ranks);

}  // namespace launch
