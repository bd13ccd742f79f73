// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/topology.hpp"

namespace launch {

/// Messages by which a tree that runs gets larger and smaller.

/// Down, from a node that has taken on new nodes to the child below which these are to be; their
/// numbers are larger than that of the child. Once and in order, see neighbour_channel.hpp.
struct GrowMessage {
    NodeIndex first = 0;
    std::vector<Host> hosts;  ///< of the nodes first, first + 1, ...

    NodeIndex count() const { return static_cast<NodeIndex>(hosts.size()); }
    /// At most as many hosts as a part of a tree may have (SubtreeMessage).
    std::string encode() const;
    static std::optional<GrowMessage> decode(std::string_view payload);
};

/// To all: these nodes are to leave the tree. Nodes below them move to other parents.
struct RemoveMessage {
    std::vector<NodeIndex> nodes;
    /// Processes there are ended as if the node were lost.
    bool now = false;

    std::string encode() const;
    static std::optional<RemoveMessage> decode(std::string_view payload);
};

}  // namespace launch
