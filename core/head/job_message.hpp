// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/job/late_placement.hpp"
#include "core/tree/block.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/tree_message.hpp"

namespace launch {

/// The message to every node of the tree when its relay is started.
TreeMessage tree_message(const Plan& plan);

/// The message about a job to every node. `log` is the head's LAUNCH_LOG.
JobMessage job_message(const Plan& plan, const std::string& log);

/// Where its ranks are, of a plan that says so.
AssignmentMessage assignment(const Plan& plan);
/// The message with the placement of ranks that are placed late. The plan knows the process
/// mapping.
AssignmentMessage late_assignment(const Plan& plan, const LatePlacement& placed,
                                  bool may_leave_wdir);

/// The tree as a block. Its root is the head; where no hosts were given, this machine is all of it.
Block tree_of(const Plan& plan);

}  // namespace launch
