// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/head/job_run.hpp"
#include "core/head/own_ground.hpp"
#include "core/head/own_tree.hpp"
#include "tests/unit/core/harness/network.hpp"
#include "tests/unit/core/harness/played_head.hpp"
#include "tests/unit/core/harness/played_user.hpp"
#include "tests/unit/core/harness/scripted_ranks.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {

/// One run of a job in one process: its user, its head, its relays, and its ranks, which follow
/// scripts. All but what these do is the product's own.
class JobWorld {
  public:
    /// A job on hosts n1, n2 ..., with `ppn` ranks on each.
    static JobSpec spec(NodeIndex hosts, uint32_t ppn = 1, const std::string& topology = "chain");

    explicit JobWorld(JobSpec spec, uint64_t seed = 1, const Bounds& bounds = {});
    ~JobWorld();
    JobWorld(const JobWorld&) = delete;
    JobWorld& operator=(const JobWorld&) = delete;

    SimulatedRun simulation;
    Network network;
    PlayedUser user{simulation.io.get_executor()};
    ScriptedRanks ranks{network};

    /// The head begins.
    void start();
    /// Something that happens while the job runs, after that time.
    void after(Clock::duration time, std::function<void()> what);
    /// Waits for the head's end; then for that of all others. False: something has none within the
    /// time.
    bool run_to_end(Clock::duration limit = std::chrono::minutes{100});
    /// Starts it and runs it to its end. Its exit code; -1: it has no end.
    int play();

    bool is_over() const { return over_; }
    int exit_code() const;
    const JobOutcome& outcome() const { return run_.outcome(); }
    const Plan& plan() const { return head_.plan; }
    HeadTree& tree() { return head_.tree; }
    /// The numbers of the hosts of which this is true. A host that has left may have joined again,
    /// as another node, so that it can be up and have failed.
    std::set<NodeIndex> hosts_that(bool (HostRecord::*is)(NodeIndex) const) const;
    Clock::time_point ended_at() const { return ended_at_; }
    /// From its start to its end.
    Clock::duration took() const { return ended_at_ - began_at_; }

  private:
    awaitable<void> run_head();

    PlayedHead head_;
    HeadOptions options_;
    OwnTree own_;
    OwnGround ground_;
    JobRun run_;
    Clock::time_point began_at_;
    Clock::time_point ended_at_;
    bool started_ = false;
    bool over_ = false;
};

}  // namespace launch
