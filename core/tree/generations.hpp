// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/topology.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// How often the relay of a node has been started: a relay that stood still while its parent died
/// may come back when another has been started in its place, and is to leave then. A node knows the
/// least generation that counts for those below it. Sans I/O.
class Generations {
  public:
    /// Relays of that generation are started at these nodes; those of earlier ones are to leave.
    void raise(NodeRange nodes, uint32_t generation) { raised_.push_back({nodes, generation}); }

    /// The generation that a relay of the node must have at least to count.
    uint32_t least(NodeIndex node) const {
        uint32_t least = 0;
        for (const auto& [nodes, generation] : raised_)
            if (nodes.contains(node)) least = std::max(least, generation);
        return least;
    }

    /// The greatest generation of any of these nodes.
    uint32_t greatest(const std::vector<NodeRange>& nodes) const {
        uint32_t greatest = 0;
        for (const auto& [raised, generation] : raised_)
            for (const NodeRange& range : nodes)
                if (meet(raised, range)) greatest = std::max(greatest, generation);
        return greatest;
    }

    /// The nodes among these at which no relay of a later generation has been started.
    std::vector<NodeRange> up_to(NodeRange nodes, uint32_t generation) const {
        if (nodes.count == 0) return {};
        if (greatest({nodes}) <= generation) return {nodes};
        return nodes_that({nodes}, [&](NodeIndex node) { return least(node) <= generation; });
    }

  private:
    static bool meet(NodeRange a, NodeRange b) {
        return uint64_t{a.first} < uint64_t{b.first} + b.count &&
               uint64_t{b.first} < uint64_t{a.first} + a.count;
    }

    struct Raised {
        NodeRange nodes;
        uint32_t generation = 0;
    };

    std::vector<Raised> raised_;  ///< one or a few for each host that was lost in the start
};

/// The message about a loss, or about a failed start, without the nodes whose relay is a later one
/// than the message is about. Nothing: no node is left. Pure.
std::optional<FailureMessage> still_true(const FailureMessage& failure,
                                         const Generations& generations);

}  // namespace launch
