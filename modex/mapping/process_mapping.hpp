// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "core/job/placement.hpp"
#include "modex/pmi1/limits.hpp"

namespace launch {

/// The space in a client of PMI-1, besides the NUL: MPICH's buffer for the mapping has the maximal
/// length of values. PMI-2's clients have more.
constexpr std::size_t process_mapping_limit = pmi1_vallen_max - 1;

/// Which ranks share a node, in the words of MPICH's PMI_process_mapping:
///
///     (vector,(NODE,NODES,RANKS),...)
///
/// Each triple deals RANKS consecutive ranks to each of NODES consecutive nodes, beginning with
/// NODE; after the last triple the vector starts over, until no rank is left. Nodes are those of
/// the placement. Empty where the text would be longer than `limit`: ranks then find their
/// neighbours themselves.
std::string process_mapping(const Placement& placement, std::size_t limit = process_mapping_limit);

}  // namespace launch
