// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/head/job_tree.hpp"

namespace launch {

/// Writes down what the run of a job wants of it.
class FakeJobTree : public JobTree {
  public:
    explicit FakeJobTree(std::vector<std::string>& log) : log_(log) {}

    const JobMessage& begin(JobMessage message, JobUpstream&, TreeJob&) override {
        message_ = std::move(message);
        return message_;
    }
    void start(std::optional<AssignmentMessage> placed) override {
        log_.push_back("start on " + std::to_string(placed->parts.size()));
    }
    void assign(AssignmentMessage, const std::vector<AssignmentMessage::Part>&) override {}
    void order(FrameType type, uint64_t value) override {
        log_.push_back(std::string(type == FrameType::terminate ? "terminate " : "word ") +
                       std::to_string(value));
    }
    void signal(const SignalMessage& order) override {
        log_.push_back("word " + std::to_string(order.signal));
    }
    void survey(const SurveyOrder&) override { log_.emplace_back("survey"); }
    void answer(const SpawnedMessage&) override {}
    void give_input(std::string_view) override {}
    void end_start() override {}
    void pause() override {}
    void resume() override {}
    bool settle_routes() override { return true; }
    Clock::time_point routes_deadline() const override { return Clock::time_point::max(); }
    void failure(const FailureMessage&) override {}
    awaitable<std::vector<std::string>> finish() override {
        log_.emplace_back("finish");
        co_return std::vector<std::string>{};
    }
    NodeStats stats() const override { return {}; }
    LinkCounts counts() const override { return {}; }

  private:
    std::vector<std::string>& log_;
    JobMessage message_;
};

}  // namespace launch
