#pragma once

#include <vector>

#include "core/topology.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// The nodes for which a report speaks: its origin, and the nodes below the origin of which it
/// tells, in any order. Not looked at: what the report says of a job, such as ranks (see
/// core/head/report_check.hpp). A malformed body names no nodes; its reader finds that. Pure.
std::vector<NodeRange> claimed_nodes(FrameType type, const Report& report);

}  // namespace launch
