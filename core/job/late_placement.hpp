// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/deal.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// Which hosts a job runs on, and with which ranks, when it is known which could be started. The
/// ranks are dealt as if the others had never been in the list:
///
///  - a spare stands where the host was whose place it takes, with its own slots; spares take
///    places in the order of the list, and as long as there are any;
///  - without -n there are as many ranks as slots (or -ppn) of the hosts that are left;
///  - with -n there are as many ranks as asked for, and a notice where the slots are too few;
///  - of several programs each keeps its -n, and the one without takes what the slots leave: if
///    that is nothing, the job cannot run;
///  - a program with hosts of its own runs on those that are left of them, and on the spares that
///    stand there: if there are none, the job cannot run.
///
/// Where none may be missing all have what was planned, hosts too that were up and are lost
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

/// What a user is to know of it besides why hosts are missing, one line each.
std::vector<std::string> late_notes(const Plan& plan, const LatePlacement& placed);

}  // namespace launch
