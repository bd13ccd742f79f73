// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/head/job_tree.hpp"
#include "core/head/spawn_spec.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// Where processes can run that a rank asks for.
class SpawnGround {
  public:
    struct Place {
        Plan plan;
        std::unique_ptr<JobTree> tree;  ///< its slots are free again when it is destroyed
    };
    virtual ~SpawnGround() = default;

    /// The slots are taken when this returns. An Error: there are too few, or no such hosts.
    /// `space`: see Plan::space.
    virtual awaitable<Result<Place>> place(SpawnSpec wanted, uint32_t space) = 0;
    /// These are to be part of it, whether processes go there or not; they run when this returns.
    virtual awaitable<Status> grow(std::vector<Host> hosts) = 0;
    /// These leave it. An Error: processes of the job are there, or it has no such hosts.
    virtual awaitable<Status> release(std::vector<Host> hosts) = 0;
    /// Called when hosts have joined or left by one of these.
    std::function<void(bool joined, const std::vector<Host>& hosts)> on_hosts;
    /// The job is being ended: who waits for a place, or for hosts to start, gets an Error soon.
    /// Hosts that run can be had after that, too.
    virtual void end() = 0;
};

}  // namespace launch
