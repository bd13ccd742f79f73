#pragma once

#include <functional>

#include "core/wire/job_report.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// Tells whether a rank of the job was placed on the node that a report comes from.
using RanksOfOrigin = std::function<bool(uint32_t rank)>;

/// What a node reports of a job is about that node and its own ranks, so that a host which is not
/// to be trusted cannot end other hosts' ranks, or speak in their name. The one exception is a
/// fence that ranks of other hosts do not enter (FaultMessage::Kind::absent): the node where ranks
/// wait names one of those. Pure.
bool is_about_origin(NodeIndex origin, const JobReport& report, const RanksOfOrigin& is_own);

/// The same for what a node reports of the tree, where no other node may have reported it.
bool is_about_origin(FrameType type, const Report& report);

}  // namespace launch
