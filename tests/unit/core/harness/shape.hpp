// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/topology.hpp"

namespace launch {

/// A tree as its shape: a pair of parentheses for each node, around those of its children. "(()())"
/// is a root with two leaves. Up to six nodes no tree has two subtrees that differ and are of the
/// same size, so each of them belongs to a Topology; trees of other sizes are chains in it.
using Shape = std::string;

/// All ordered trees of that many nodes.
std::vector<Shape> all_shapes(NodeIndex nodes);

/// By a shape, or as make_topology().
Result<std::unique_ptr<Topology>> make_played_topology(const std::string& name, uint32_t degree,
                                                       NodeIndex nodes, std::string* reason);

}  // namespace launch
