// SPDX-License-Identifier: MIT
#pragma once

#include "core/head/head_tree.hpp"
#include "core/head/job_tree.hpp"
#include "core/link/patience.hpp"

namespace launch {

/// A tree that was started for one job, and ends with it.
class OwnTree final : public JobTree {
  public:
    explicit OwnTree(HeadTree& tree) : tree_(tree) {}

    const JobMessage& begin(JobMessage message, JobUpstream& upstream, TreeJob& job) override;
    void start(std::optional<AssignmentMessage> placed) override;
    void assign(AssignmentMessage message,
                const std::vector<AssignmentMessage::Part>& lost) override;
    void order(FrameType type, uint64_t value) override { tree_.order(first_job, type, value); }
    void signal(const SignalMessage& order) override { tree_.signal(first_job, order); }
    void survey(const SurveyOrder& order) override { tree_.survey(first_job, order); }
    void answer(const SpawnedMessage& answer) override { tree_.answer(first_job, answer); }
    void give_input(std::string_view bytes) override { job_->give_input(bytes); }
    void end_start() override { tree_.end_start(); }
    void pause() override { tree_.pause(); }
    void resume() override { tree_.resume(); }
    bool settle_routes() override { return tree_.settle_routes(); }
    Clock::time_point routes_deadline() const override { return tree_.routes_deadline(); }
    void failure(const FailureMessage& failure) override { tree_.failure(failure); }
    awaitable<std::vector<std::string>> finish() override {
        return tree_.finish(patience::leave_head_within(job_->message().policies.kill_grace));
    }
    NodeStats stats() const override { return tree_.stats(); }
    LinkCounts counts() const override { return tree_.counts(); }

  private:
    HeadTree& tree_;
    NodeJob* job_ = nullptr;  ///< its part at this node
};

}  // namespace launch
