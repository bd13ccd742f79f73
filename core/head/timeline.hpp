// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.hpp"
#include "core/head/host_starts.hpp"
#include "core/job/exit_status.hpp"
#include "core/job/plan.hpp"
#include "core/run/phase_times.hpp"
#include "core/wire/costs.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// The times of a job, and the resources that its ranks used (--report). All times are in
/// microseconds on the head's clock since the beginning of the job; nothing: that event did not
/// happen, or was not reported.
struct JobTimeline {
    struct Host {
        std::string name;
        std::optional<NodeIndex> started_by;  ///< nothing: its relay ran before, or none was needed
        /// When its start came to each stage.
        std::array<std::optional<uint64_t>, start_stages> began;
        std::optional<uint64_t> up_us;      ///< the head knew that it is ready for ranks
        std::optional<uint64_t> failed_us;  ///< the head knew that it cannot be had, or is lost
        std::string error;                  ///< why
    };
    struct Rank {
        NodeIndex node = 0;               ///< where it is; 0: nowhere
        std::optional<ExitStatus> ended;  ///< nothing: it was lost with its host, or never placed
        std::string detail;               ///< why it did not start, or does not end
        std::optional<RankCost> cost;     ///< with times on the head's clock; nothing: it never ran
    };

    std::string job_id;
    std::string session;  ///< empty: none
    std::vector<Program> programs;
    uint64_t began_unix_us = 0;  ///< when the job began, by the head's calendar
    std::vector<Host> hosts;     ///< of the nodes 1, 2, ...
    std::vector<Rank> ranks;
    std::optional<uint64_t> up_us;  ///< all hosts were up, or had failed
    uint64_t ending_us = 0;         ///< the last rank had ended
    uint64_t over_us = 0;           ///< nothing was left
};

/// Collects a timeline. Hosts and ranks report times by their own clocks, from the moment at which
/// each learned of the job. A node learns of the job as soon as its relay has greeted, so the chain
/// of starts converts the times to the head's clock; the only error is the time that a message
/// takes on its way down. A value without I/O.
class TimelineRecord {
  public:
    using Time = Clock::time_point;

    /// The plan outlives this; ranks may be placed in it later.
    TimelineRecord(const Plan& plan, Time began);

    void up(const std::vector<NodeIndex>& nodes, Time now);
    void failed(const FailureMessage& failure, Time now);
    void take(const CostsMessage& costs);
    void take(const ExitsMessage& exits);

    /// When all is over.
    JobTimeline close(const HostStarts& starts, const PhaseTimes& times, Time now) const;

  private:
    struct HostTimes {
        std::optional<uint64_t> up_us;
        std::optional<uint64_t> failed_us;
        std::string error;
    };
    struct RankEnd {
        std::optional<RankExit> exit;
        std::optional<RankCost> cost;
    };
    uint64_t since_began(Time time) const { return PhaseTimes::between(began_, time); }
    void fail(NodeIndex node, uint64_t now_us, const std::string& error);
    RankEnd* rank(uint32_t number);
    void add_hosts(JobTimeline& line, const HostStarts& starts,
                   const std::vector<uint64_t>& told) const;
    void add_ranks(JobTimeline& line, const std::vector<uint64_t>& told) const;
    std::vector<uint64_t> told_at(const HostStarts& starts) const;

    const Plan& plan_;
    Time began_;
    uint64_t began_unix_us_;
    std::vector<HostTimes> hosts_;
    std::vector<RankEnd> ranks_;  ///< as far as reports have come
};

}  // namespace launch
