#pragma once

#include <cstddef>
#include <string>

#include "core/job/placement.hpp"

namespace launch {

/// What every MPICH takes as one value: 4.0.2 makes its own limit out of those it is told, and gets
/// below 700 with Hydra's.
constexpr std::size_t process_mapping_limit = 640;

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
