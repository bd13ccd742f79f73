// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "core/topology.hpp"

namespace launch {

/// The cost of starting a node. A parent starts its children one after the other, in order, and is
/// busy `per_child` with each; an edge then takes `per_edge` until the child can start its own
/// (connect, handshake, exec, hello):
///
///     ready(child) = ready(parent) + per_child * (its position among its siblings + 1) + per_edge
///
/// This is the LogP broadcast model with o = per_child and L = per_edge (R. Karp, A. Sahay, E.
/// Santos, K. Schauser, "Optimal broadcast and summation in the LogP model", SPAA 1993).
struct CostModel {
    std::chrono::microseconds per_child{5'000};
    std::chrono::microseconds per_edge{100'000};
};

struct ModelTime {
    std::chrono::microseconds ready{0};  ///< when the last node is ready; the root is at 0
    uint32_t depth = 0;
};

/// The model's time for a tree of n >= 1 nodes; costs what shape_of() costs.
ModelTime model_time(const Topology& topology, NodeIndex n, const CostModel& model);

struct AutoChoice {
    std::unique_ptr<Topology> topology;
    std::string reason;  ///< a sentence with the numbers compared
};

/// The least model time among flat, binomial and the k-ary trees for the head and nodes - 1 hosts;
/// among equals the shallower tree, then the k-ary tree of smaller degree. For each depth a
/// thousand degrees from the smallest one up are tried, so up to a thousand hosts it is the minimum
/// for every model. A chain is not tried: it is never faster than flat.
AutoChoice choose_topology(NodeIndex nodes, const CostModel& model);

}  // namespace launch
