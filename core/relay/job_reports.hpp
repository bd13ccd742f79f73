// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "core/run/job_upstream.hpp"
#include "core/tree/parent_link.hpp"
#include "core/tree/upstream.hpp"

namespace launch {

/// Sends the reports of one job at a relay up the tree, with the job's number.
class JobReports final : public JobUpstream {
  public:
    /// `tree` takes reports about the node itself.
    JobReports(JobNumber job, uint64_t output_window, ParentLink& link, Upstream& tree,
               std::function<void()> placed)
        : job_(job), link_(link), tree_(tree), placed_(std::move(placed)) {
        link_.open_output(job_, output_window);
    }
    ~JobReports() override { link_.close_output(job_); }
    JobReports(const JobReports&) = delete;
    JobReports& operator=(const JobReports&) = delete;

    void placed_late() override { placed_(); }
    void failure(const FailureMessage& failure) override { tree_.failure(failure); }
    void notice(const NoticeMessage& notice) override {
        NoticeMessage of_job = notice;
        of_job.job = job_;
        tree_.notice(of_job);
    }
    awaitable<void> ended(NodeIndex) override {
        co_await output(OutputMessage{0, Stream::end, {}});
    }
    /// The answer to a survey is merged with others at the parent; the rest is for the head.
    void report(const JobReport& report) override {
        const std::string body = wrap_job(job_, encode(report));
        if (std::holds_alternative<SurveyMessage>(report))
            link_.keep(FrameType::surveyed, body, true);
        else
            link_.report(type_of(report), body);
    }
    void stage_wanted(const WantedMessage& message) override {
        link_.pass(FrameType::stage_wanted, wrap_job(job_, message.encode()));
    }
    void modex(std::string message) override {
        link_.keep(FrameType::modex, wrap_job(job_, message), true);
    }
    void input_wanted(const InputGrant& grant) override {
        link_.keep(FrameType::input_wanted, wrap_job(job_, grant.encode()), false);
    }
    void input_refused() override {
        link_.keep(FrameType::input_refused, wrap_job(job_, {}), false);
    }
    awaitable<bool> output(OutputMessage message) override { return link_.output(job_, message); }

  private:
    JobNumber job_;
    ParentLink& link_;
    Upstream& tree_;
    std::function<void()> placed_;
};

}  // namespace launch
