// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/job/placement.hpp"

namespace launch {

/// The facts about the job's hosts that every rank gets; they are the same for all, so the head
/// encodes them once.
struct JobHosts {
    std::string first;  ///< a name of the host of rank 0 that means it on every host of the job
    std::string list;   ///< names of those with ranks, folded, in the order of LAUNCH_NODE; empty
                        ///< where it is too long for a variable

    bool operator==(const JobHosts&) const = default;
};

/// The kernel takes no variable above 128 KiB.
constexpr std::size_t longest_host_list = 64U << 10;

/// `placement.node(i)` belongs to hosts[i]. A host that goes by "localhost" means another machine
/// to the others: it has the head's own name for them, `head`. Where all hosts are played by one
/// machine they are all "localhost".
JobHosts job_hosts(const std::vector<Host>& hosts, const Placement& placement, bool played,
                   const std::string& head);

}  // namespace launch
