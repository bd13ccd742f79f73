// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/topology.hpp"

namespace launch {

/// A host at the top of a block of `size` nodes could not be started. Where the parts of the rest
/// begin, in order, that are started in its place: offsets in the block, the first is 1.
///
/// Eight single hosts, then eight parts eight times as large, and so on: hosts that are dead in a
/// row cost one deadline, and one more for each power of eight in their number, whatever the
/// topology. (In a chain as it was meant it would be one for each host.) No part is larger than
/// those that the topology would make, or an eighth of the rest.
std::vector<NodeIndex> spread_rest(const Topology& topology, NodeIndex size);

}  // namespace launch
