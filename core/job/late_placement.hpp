// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/deal.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// The hosts on which a job runs, with their ranks, when it is known which hosts could be started.
/// The ranks are dealt as if the others had never been in the list:
///
///  - a spare stands in the position of the host that it replaces, with its own slots; spares are
///    used in the order of the list, while there are any;
///  - without -n there are as many ranks as slots (or -ppn) of the hosts that are left;
///  - with -n there are as many ranks as requested, and a notice if the slots are too few;
///  - of several programs each keeps its -n, and the one without -n takes the slots that are left:
///    without any, the job cannot run;
///  - a program with hosts of its own runs on those of them that are left, and on the spares that
///    replace them: without any, the job cannot run.
///
/// If no host may be missing, the planned ranks stay, also those of hosts that were up and are lost
/// (--on-host-loss continue).
struct LatePlacement {
    struct Replacement {
        NodeIndex missing = 0;
        NodeIndex spare = 0;

        bool operator==(const Replacement&) const = default;
    };

    Deal deal;                     ///< deal.placement.node(i) belongs to nodes[i]
    std::vector<NodeIndex> nodes;  ///< the hosts that have ranks, in the order of the job
    std::vector<Replacement> replaced;
    std::vector<NodeIndex> left_out;  ///< missing, and no spare was left
};

/// `up[i]`: the plan's hosts[i] is up. A pure function. An Error: the job cannot run.
Result<LatePlacement> place_on_living(const Plan& plan, const std::vector<bool>& up);

/// The hosts of a plan with these tree nodes.
std::vector<Host> hosts_of(const Plan& plan, const std::vector<NodeIndex>& nodes);

/// Notes for the user besides the reasons for missing hosts, one line each.
std::vector<std::string> late_notes(const Plan& plan, const LatePlacement& placed);

}  // namespace launch
