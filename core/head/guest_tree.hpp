// SPDX-License-Identifier: MIT
#pragma once

#include "core/head/guest_job.hpp"
#include "core/head/head_tree.hpp"

namespace launch {

/// Places the ranks of a job that comes to a tree which runs. Hosts may have been lost since they
/// were chosen: the result is one failure for each.
std::vector<FailureMessage> place_guest(NodeJob& job, const HeadTree& tree,
                                        AssignmentMessage placed);

/// The tree of a job as another one has it that came later: a host is up for it when the host has
/// said that its ranks can start there, or why not, and its end is not that of the tree.
class GuestTree final : public JobTree, private GuestJob {
  public:
    /// `gone`: called when it is destroyed.
    GuestTree(any_io_executor executor, HeadTree& tree, JobNumber number,
              std::function<void()> gone);
    ~GuestTree() override { gone_(); }

    const JobMessage& begin(JobMessage message, JobUpstream& upstream, TreeJob& job) override;
    void start(std::optional<AssignmentMessage> placed) override;
    /// Where its ranks go is known at the beginning.
    void assign(AssignmentMessage, const std::vector<AssignmentMessage::Part>&) override {}
    void order(FrameType type, uint64_t value) override { tree_.order(number_, type, value); }
    void signal(const SignalMessage& order) override { tree_.signal(number_, order); }
    void survey(const SurveyOrder& order) override { tree_.survey(number_, order); }
    void answer(const SpawnedMessage& answer) override { tree_.answer(number_, answer); }
    void give_input(std::string_view) override {}  // its ranks read none
    void end_start() override {}
    void pause() override {}
    void resume() override {}
    bool settle_routes() override { return true; }
    Clock::time_point routes_deadline() const override { return Clock::time_point::max(); }
    void failure(const FailureMessage& failure) override { hosts_failed(failure); }
    awaitable<std::vector<std::string>> finish() override;
    NodeStats stats() const override { return {}; }
    LinkCounts counts() const override { return tree_.counts(); }

  private:
    using GuestJob::take;
    void hosts_failed(const FailureMessage& failure) override;
    void notice(const NoticeMessage& notice) override { job_->notice(notice); }
    void take(const JobReport& report) override;
    awaitable<bool> output(OutputMessage message) override;
    awaitable<bool> output(NodeIndex origin, OutputMessage message) override {
        return job_->output(origin, message);
    }
    bool uses(NodeIndex node) const override { return job_->uses(node); }

    HeadTree& tree_;
    JobNumber number_;
    std::function<void()> gone_;
    TreeJob* job_ = nullptr;
    NodeJob* node_job_ = nullptr;  ///< its part at this node
};

}  // namespace launch
