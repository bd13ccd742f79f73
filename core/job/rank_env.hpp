// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/job/job_hosts.hpp"
#include "core/topology.hpp"

namespace launch {

/// The identity of a rank, which it gets in these variables:
///
///   LAUNCH_RANK        0 .. LAUNCH_SIZE - 1
///   LAUNCH_SIZE        ranks in the job
///   LAUNCH_LOCAL_RANK  0 .. LAUNCH_LOCAL_SIZE - 1, among the ranks of the job on this host
///   LAUNCH_LOCAL_SIZE  ranks of the job on this host
///   LAUNCH_NODE        index of this host in the job, from 0
///   LAUNCH_NODES       hosts in the job
///   LAUNCH_HOST        this host's name as the user gave it; "localhost" without a host list
///   LAUNCH_FIRST_HOST  a name of rank 0's host that means it on every host of the job
///   LAUNCH_HOSTLIST    the names of all hosts in the job, folded, by LAUNCH_NODE; not set where
///                      it is longer than 64 KiB
///   LAUNCH_JOB_ID      the same for every process of the job, different for every job
struct RankIdentity {
    uint32_t rank = 0;
    uint32_t size = 1;
    uint32_t local_rank = 0;
    uint32_t local_size = 1;
    HostRank host_rank{};
    uint32_t nodes = 1;
    std::string host;
    JobHosts hosts;
    std::string job_id;
};

/// Adds the variables above.
void add_identity(std::vector<std::string>& env, const RankIdentity& identity);

/// The environment of a shell is partly about the host and the login it runs in (HOME, SSH_TTY,
/// ...). Such names are not carried from the head to other hosts; each host's own values are
/// used. `inherited` comes from the head, `own` is the environment of the relay.
std::vector<std::string> merge_host_env(const std::vector<std::string>& inherited,
                                        const std::vector<std::string>& own);

}  // namespace launch
