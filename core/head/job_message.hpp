#pragma once

#include <string>

#include "core/job/plan.hpp"
#include "core/node/child.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// What every node of the tree is told of the job. `log` is the head's LAUNCH_LOG.
JobMessage job_message(const Plan& plan, const std::string& log);

/// The tree as a block. Its root is the head: without ranks of its own, or, where no hosts were
/// given, with all of them.
Block tree_of(const Plan& plan);

}  // namespace launch
