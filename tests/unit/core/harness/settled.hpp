// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/unit/core/harness/talk.hpp"

namespace launch {

/// Checks a world that nothing disturbs any more: each node must run below one parent or have been
/// reported as lost, and all words of the nodes that live must have arrived. Returns the first
/// fault, or an empty text.
std::string unsettled(World& world, const Talk& talk, NodeIndex nodes);

/// For people: each node that runs with its children, and who is lost; and by which reports.
std::string picture(World& world, NodeIndex nodes);

}  // namespace launch
