// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fetch/fetched_trees.hpp"
#include "core/head/spawned_run.hpp"

namespace launch {

/// Fetches files from hosts when the ranks of a job have ended. A sender runs on each host, as a
/// guest of the job's tree, and the head makes files of its output. The number of senders at a time
/// is limited, because each has files open here. A failure on one host does not affect the others.
class FetchRun : private SpawnWatch {
  public:
    struct Settings {
        const Plan& plan;  ///< of the job
        SpawnGround& ground;
        std::string log;  ///< LAUNCH_LOG
    };
    FetchRun(any_io_executor executor, Settings settings)
        : executor_(executor), settings_(std::move(settings)) {}

    /// From these of the plan's hosts, which have ranks.
    awaitable<void> run(const FetchSpec& spec, std::span<const uint32_t> hosts);
    /// No more is fetched; what has not come whole is removed.
    void end(milliseconds grace);

    /// Failures, and notes on skipped files: one line for all hosts with the same cause.
    std::vector<std::string> failure_lines() const;
    /// Names the files that end() has interrupted; nothing if all came whole.
    std::optional<std::string> interrupted_line() const;
    std::vector<std::string> notes() const;
    /// The error that decides the exit code of the job.
    std::optional<Error> error() const;

  private:
    struct Failure {
        std::string what;  ///< is fetched, and to where if it cannot be written here
        std::string cause;
        std::string hint;
        bool is_here = false;
        auto operator<=>(const Failure&) const = default;
    };

    awaitable<void> run_group(const FetchSpec& spec, std::span<const uint32_t> hosts);
    static Error error_of(const Failure& failure, std::vector<std::string> hosts);
    SpawnSpec senders(const FetchSpec& spec, std::span<const uint32_t> hosts) const;
    void judge(const FetchSpec& spec, const std::string& host);
    Failure why_missing(const FetchSpec& spec, const std::string& host,
                        const FetchedHost& result) const;

    void spawn_wanted(uint32_t, const SpawnMessage&) override {}
    void spawn_refused(const std::string&, const std::string&, const std::string&) override {}
    void rank_failed(uint32_t space, const RankExit& exit) override;
    void fault(const FaultMessage&, const JobRecord&) override {}
    void host_lost(const FailureMessage& failure) override;
    void notice_of(const std::string&, const NoticeMessage&) override {}
    std::unique_ptr<OutputSink> output_of(const Plan& plan) override;
    void output_failed(const Error* file_error) override;
    void spawned_changed() override {}

    any_io_executor executor_;
    Settings settings_;
    std::optional<SpawnedRun> run_;
    std::shared_ptr<FetchedTrees> trees_;     ///< of the hosts that send now
    std::vector<std::string> names_;          ///< theirs, by rank
    std::map<std::string, std::string> why_;  ///< of those that broke off, by name
    std::string why_all_;                     ///< why none of them sends
    std::optional<Error> why_here_;           ///< why nothing can be written here
    std::map<Failure, std::vector<std::string>> failures_;
    std::map<std::string, std::vector<std::string>> left_out_;
    std::vector<std::string> interrupted_;  ///< what was asked for, for each host
    bool ended_ = false;
};

}  // namespace launch
