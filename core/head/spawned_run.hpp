// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/factories.hpp"
#include "core/head/job_record.hpp"
#include "core/head/output_sink.hpp"
#include "core/head/spawn_ground.hpp"
#include "core/run/job_upstream.hpp"

namespace launch {

/// Receives reports of spawned processes for the job that they belong to.
class SpawnWatch {
  public:
    virtual ~SpawnWatch() = default;

    virtual void spawn_wanted(uint32_t space, const SpawnMessage& message) = 0;
    /// A rank, by its name, asked for that in vain.
    virtual void spawn_refused(const std::string& rank, const std::string& what,
                               const std::string& why) = 0;
    virtual void rank_failed(uint32_t space, const RankExit& exit) = 0;
    virtual void fault(const FaultMessage& fault, const JobRecord& record) = 0;
    /// A host with some of them was lost.
    virtual void host_lost(const FailureMessage& failure) = 0;
    virtual void notice_of(const std::string& host, const NoticeMessage& notice) = 0;
    /// Where what they write goes. The plan, which is theirs, outlives it.
    virtual std::unique_ptr<OutputSink> output_of(const Plan& plan) = 0;
    /// Output of a spawned process could not be written, to its file or to standard output.
    virtual void output_failed(const Error* file_error) = 0;
    virtual void spawned_changed() = 0;
};

/// Processes that a rank asked for, at the head: from when their slots are taken until nothing of
/// them is left. They start together, when each host has said that they can; where one can't, none
/// does, and who asked hears of it.
class SpawnedRun : public TreeJob, public JobUpstream {
  public:
    /// How they have started, or why not.
    using Answer = std::function<void(const std::vector<uint32_t>& unable, std::string why)>;

    SpawnedRun(any_io_executor executor, SpawnGround::Place place, JobMessage message,
               SpawnWatch& watch);

    /// Calls `answer` once.
    awaitable<void> run(Answer answer);
    /// The job is being ended.
    void end(milliseconds grace);
    /// See JobRecord::aborted().
    void aborted(std::optional<uint32_t> rank) { record_.aborted(rank); }
    void order(FrameType type, uint64_t value) { tree_->order(type, value); }
    void signal(const SignalMessage& order) { tree_->signal(order); }
    void answer(const SpawnedMessage& answer) { tree_->answer(answer); }

    const Plan& plan() const { return plan_; }
    const JobRecord& record() const { return record_; }
    const std::string& job_id() const { return plan_.spec.job_id; }
    /// Hosts that have not cleaned up.
    const std::vector<std::string>& stuck() const { return stuck_; }

    void hosts_up(const std::vector<NodeIndex>& nodes) override;
    void hosts_starting(const StartsMessage&) override {}  // all hosts run
    void hosts_failed(const FailureMessage& failure) override;
    void notice(const NoticeMessage& notice) override;
    void note(const std::string&) override {}  // the job hears of it, too
    void routes_changed() override {}
    void take(const JobReport& report) override;
    void take(const NodeStats&) override {}
    awaitable<bool> output(OutputMessage message) override;
    awaitable<bool> output(NodeIndex, OutputMessage message) override { return output(message); }
    awaitable<void> ended(NodeIndex) override { co_return; }  // JobTree::finish() waits for all
    bool uses(NodeIndex node) const override {
        return node < plan_.nodes() && !plan_.placement.node(node - 1).empty();
    }
    void placed_late() override {}
    void report(const JobReport& report) override { take(report); }
    void failure(const FailureMessage& failure) override { hosts_failed(failure); }
    void stage_wanted(const WantedMessage&) override {}
    void modex(std::string) override {}  // the head is the root of the exchange
    void input_wanted(const InputGrant&) override {}
    void input_refused() override {}

  private:
    enum class Phase : uint8_t { starts, runs, over };

    void take(const UnreadyMessage& unready) { record_.node_unready(unready); }
    void take(const SurveyMessage&) {}
    void take(const CostsMessage&) {}  // costs are not requested
    void take(const StagedMessage&) {}
    void take(const FailureMessage& refusal) { hosts_failed(refusal); }
    void take(const ExitsMessage& exits);
    void take(const FaultMessage& fault) { watch_.fault(fault, record_); }
    void take(const SpawnMessage& wanted) { watch_.spawn_wanted(plan_.space, wanted); }
    bool settle_start(const Answer& answer);
    awaitable<void> wait_for_end();
    void changed();

    any_io_executor executor_;
    Plan plan_;
    std::unique_ptr<JobTree> tree_;
    SpawnWatch& watch_;
    JobRecord record_;
    std::unique_ptr<OutputSink> output_;
    Phase phase_ = Phase::starts;
    std::optional<Clock::time_point> give_up_at_;  ///< it is being ended
    std::vector<std::string> stuck_;
    Event changed_;
};

}  // namespace launch
