// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "core/topology.hpp"
#include "core/wire/frame.hpp"

namespace launch {

/// Returns the nodes of the tree that the body of a report tells of: its origin, or nodes below it.
/// core/head/report_check.hpp checks the ranks and other facts of a job. A malformed body names no
/// nodes; its reader finds that. Pure.
std::vector<NodeRange> claimed_nodes(FrameType type, std::string_view body);

}  // namespace launch
