// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <set>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"
#include "core/head/job_events.hpp"
#include "core/head/spawned_run.hpp"

namespace launch {

/// All processes that the ranks of a job, or spawned processes, have spawned, each spawn in a space
/// of its own: "1.0" is rank 0 of the first one. They belong to the job. Requests of ranks for
/// hosts and for events come here, too.
class SpawnedJobs {
  public:
    struct Settings {
        const Plan& plan;  ///< the job's
        SpawnGround& ground;
        std::string log;  ///< LAUNCH_LOG
    };
    /// `job`: the tree of the job itself, for answers to its ranks.
    SpawnedJobs(any_io_executor executor, Settings settings, JobTree& job, SpawnWatch& watch);

    /// A rank of that space (0: of the job itself) wants something. Answered by its tree.
    void take(uint32_t space, const SpawnMessage& wanted);
    void signal(const SignalMessage& order);
    /// A rank of that record, of these jobs or of the job itself, has aborted the job.
    void aborted(const JobRecord& record, uint32_t rank);
    /// The job is being ended: none starts any more.
    void end(milliseconds grace);
    /// Nothing of them is left, and none is about to start.
    bool idle() const { return serving_ == 0; }
    /// Ranks that run.
    uint32_t running() const;
    /// Some of them are, or were, on one of these hosts.
    bool has_ranks_on(const std::vector<std::string>& hosts) const;
    /// Nobody hears of events any more; waits until idle.
    awaitable<void> join();

    /// For ranks that want to know of events: hosts have joined the job or left it, and a rank of
    /// that space has failed.
    void tell_hosts(bool joined, const std::vector<std::string>& names);
    /// Reports lost hosts, if they belong to the job from the beginning or through its ranks.
    void tell_lost(const FailureMessage& failure);
    void tell_failed(uint32_t space, uint32_t rank);

    /// The failed ranks of spawned jobs that are over, one line each.
    const std::vector<std::string>& failure_lines() const { return failure_lines_; }
    /// ... and hosts that did not clean up.
    const std::vector<std::string>& stuck() const { return stuck_; }

  private:
    awaitable<void> serve(uint32_t space, SpawnMessage wanted);
    awaitable<void> serve_hosts(uint32_t space, SpawnMessage wanted);
    awaitable<void> serve_events(uint32_t space, SpawnMessage wanted);
    awaitable<std::string> change_hosts(const SpawnOrder& order);
    void tell(JobEvent event);
    awaitable<std::string> start(uint32_t space, const SpawnMessage& wanted);
    JobMessage message_of(const Plan& plan, uint32_t asker, const SpawnMessage& wanted) const;
    std::vector<std::string> given_env(uint32_t asker, uint32_t rank) const;
    std::string id_of(uint32_t space) const;
    void answer(uint32_t space, const SpawnedMessage& message);
    void keep_what_failed(const SpawnedRun& run);

    any_io_executor executor_;
    Settings settings_;
    JobTree& job_;
    SpawnWatch& watch_;
    std::list<SpawnedRun> runs_;
    uint32_t last_space_ = 0;
    size_t serving_ = 0;  ///< requests, until what came of them is over
    size_t waiting_ = 0;  ///< ranks for an event
    bool ending_ = false;
    std::set<std::string> joined_;  ///< hosts, by the job's ranks
    JobEvents events_;
    Event news_changed_;
    std::vector<std::string> failure_lines_;
    std::vector<std::string> stuck_;
    TaskGroup tasks_;
};

}  // namespace launch
