// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/job/plan.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// The fate of a job when every host is up and its ranks are placed, given the reports of hosts
/// on which something is missing (UnreadyMessage).
struct StartVerdict {
    /// No host where ranks would start in the job's folder has it: they start at home.
    bool may_leave_wdir = false;
    /// These cannot start, by the rank's number. A folder that only some hosts lack is among the
    /// reasons: ranks there are not to run where the others do not.
    std::vector<RankExit> unable;
};

/// The port that the node holds for --rendezvous; 0: the node has not reported one.
uint16_t rendezvous_port(NodeIndex node, const std::vector<UnreadyMessage>& unready);

/// A pure function.
StartVerdict judge_start(const Plan& plan, const std::vector<UnreadyMessage>& unready);

}  // namespace launch
