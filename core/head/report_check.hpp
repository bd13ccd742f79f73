// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "core/wire/job_report.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// Tells whether a rank of the job was placed on the node that a report comes from.
using RanksOfOrigin = std::function<bool(uint32_t rank)>;

/// Returns whether a report of a job is only about the node that it comes from and about that
/// node's ranks. The head ignores other reports, so that a host which cannot be trusted can neither
/// end the ranks of other hosts nor speak for them. There is one exception: where ranks wait in a
/// fence, their node may name a rank of another host that has not entered it
/// (FaultMessage::Kind::absent). Pure.
bool is_about_origin(NodeIndex origin, const JobReport& report, const RanksOfOrigin& is_own);

/// Returns the same for a report of the tree. Only a node itself reports that it is up, and what it
/// has cost; other types may tell of nodes below it, which core/tree/claimed_nodes.hpp is for.
bool is_about_origin(FrameType type, const Report& report);

}  // namespace launch
