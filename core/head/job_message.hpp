#pragma once

#include <string>

#include "core/job/late_placement.hpp"
#include "core/tree/block.hpp"
#include "core/wire/assignment.hpp"

namespace launch {

/// What every node of the tree is told of the job when it is started. `log` is the head's
/// LAUNCH_LOG.
JobMessage job_message(const Plan& plan, const std::string& log);

/// What the tree is told when ranks are placed late. The plan knows the process mapping.
AssignmentMessage assignment(const Plan& plan, const LatePlacement& placed, bool may_leave_wdir);

/// The tree as a block. Its root is the head; where no hosts were given, this machine is all of it.
Block tree_of(const Plan& plan);
/// The ranks of the same nodes; of none where they are placed late. The head has none of its own.
std::vector<std::vector<RankRun>> ranks_of(const Plan& plan);

}  // namespace launch
