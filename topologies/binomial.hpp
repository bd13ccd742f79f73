// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/topology.hpp"

namespace launch {

/// The binomial tree (J. Vuillemin, "A data structure for manipulating priority queues", CACM 1978;
/// the usual broadcast tree of MPI libraries): node v starts v + 2^j for every 2^j below v's lowest
/// set bit, node 0 for every 2^j, cut off at n. Degree and depth are at most ceil(log2 n).
///
/// The cut tree is self-similar: the child v + 2^j has m <= 2^j nodes, and in a tree of m nodes the
/// rule "2^i < lowest set bit" for its nodes, and "2^i < m" for its root, is the same cut.
std::unique_ptr<Topology> make_binomial();

/// The hypercube, of which the binomial tree is the spanning tree that clears the lowest bit: as a
/// tree the same. Large data go along all its edges, between nodes whose numbers differ in one bit.
std::unique_ptr<Topology> make_hypercube();

}  // namespace launch
