#pragma once

#include <string>

#include "core/job/late_placement.hpp"
#include "core/node/child.hpp"
#include "core/wire/assignment.hpp"

namespace launch {

/// What every node of the tree is told of the job when it is started. `log` is the head's
/// LAUNCH_LOG.
JobMessage job_message(const Plan& plan, const std::string& log);

/// What the tree is told when ranks are placed late. The plan knows the process mapping.
AssignmentMessage assignment(const Plan& plan, const LatePlacement& placed, bool may_leave_wdir);

/// The tree as a block, without ranks where they are placed late. Its root is the head: without
/// ranks of its own, or, where no hosts were given, with all of them.
Block tree_of(const Plan& plan);

}  // namespace launch
