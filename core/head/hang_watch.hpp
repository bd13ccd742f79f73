// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.hpp"
#include "core/wire/survey.hpp"

namespace launch {

/// Decides whether a job hangs: for a whole time limit it shows no progress, and in each of about
/// ten samples of that time every rank uses nearly no CPU, or only polls in a function of MPI.
/// Whatever speaks against it starts the time again. Sans I/O: the caller passes the time, asks
/// ranks, and ends the job.
class HangWatch {
  public:
    using Time = Clock::time_point;

    enum class Step : uint8_t {
        wait,    ///< until due(); then ask all ranks for SurveyOrder::Subject::usage
        stacks,  ///< ask suspects() for SurveyOrder::Subject::stacks
        hangs,   ///< the job hangs, as verdict() tells
    };
    /// The answers of ranks about what they use.
    struct Sample {
        Time at;        ///< when they were asked
        bool complete;  ///< all ranks that run have answered
        std::vector<RankState> ranks;
    };
    struct Verdict {
        uint32_t ranks = 0;
        uint32_t polling = 0;           ///< those of them that use CPU
        std::vector<uint32_t> stopped;  ///< those of them that a signal has stopped
    };

    HangWatch(std::chrono::milliseconds limit, Time now);

    /// The job has shown progress, such as output.
    void progress(Time now);
    Time due() const { return due_; }
    /// A sample that was asked for before the last progress does not count.
    Step step(Sample sample);
    /// Continues with the sample that the stacks were asked for. If there has been progress
    /// meanwhile they do not count.
    Step step(const StackGroups& stacks);
    /// Ranks that use CPU, of which it is not known yet whether they only poll.
    const StackGroups::Ranks& suspects() const { return suspects_; }
    /// Nothing: the job does not hang, or there has been progress since the verdict.
    const std::optional<Verdict>& verdict() const { return verdict_; }
    /// Why it is not known whether a rank only polls, such as "no stack: libdw.so.1 is not
    /// installed"; empty: it was always known.
    const std::string& unknown() const { return unknown_; }

    /// A rank that uses less of a core is idle, and one that uses more than `one_core` computes in
    /// another process than the one that polls. Threads that are no main thread have no stack
    /// here, so a rank of which they are not idle computes.
    static constexpr double idle_core = 0.05;
    static constexpr double one_core = 1.5;
    /// Samples do not follow each other faster.
    static constexpr std::chrono::milliseconds shortest_interval{1000};

  private:
    void restart(Time now);
    Step restart_with(Sample sample);
    std::optional<StackGroups::Ranks> busy_ranks(const Sample& sample) const;
    void suspect(StackGroups::Ranks ranks);
    Step count_sample();

    const std::chrono::milliseconds limit_;
    const std::chrono::milliseconds interval_;
    Time quiet_since_;
    Time due_;
    uint32_t quiet_samples_ = 0;        ///< in a row, each compared with the one before
    std::optional<Sample> last_;        ///< its ranks are in order
    std::optional<Sample> asked_;       ///< waits for the stacks of its suspects
    StackGroups::Ranks busy_;           ///< in `asked_`
    StackGroups::Ranks suspects_;       ///< those of them whose stacks are asked for
    std::optional<uint32_t> computed_;  ///< the rank that was found computing last
    std::string unknown_;
    std::optional<Verdict> verdict_;
};

}  // namespace launch
