// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/unit/core/harness/talk.hpp"

namespace launch {

/// What of a world is not as it is to be once nothing disturbs it any more: each node runs below
/// one parent or is told as lost, and what nodes that live have said has arrived. Empty: all is.
std::string unsettled(World& world, const Talk& talk, NodeIndex nodes);

/// For people: each node that runs with its children, and who is lost; and by which reports.
std::string picture(World& world, NodeIndex nodes);

}  // namespace launch
