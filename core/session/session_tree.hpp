// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/head/job_tree.hpp"
#include "core/link/framed_link.hpp"
#include "core/session/session_nodes.hpp"

namespace launch {

/// The tree of a session, as a job in its client's process has it: all that passes between the two
/// goes over the session's socket. Hosts count as the job does, and each is up when it has said
/// that the job's ranks can start there, or why not.
class SessionTree final : public JobTree {
  public:
    struct Settings {
        std::string session;        ///< its name
        bool on_hypercube = false;  ///< the tree that runs jobs is that of a hypercube
        SessionNodes nodes;
    };
    /// Slots have been reserved by that connection.
    SessionTree(any_io_executor executor, Settings settings, std::unique_ptr<ByteStream> session);

    const JobMessage& begin(JobMessage message, JobUpstream& upstream, TreeJob& job) override;
    void start(std::optional<AssignmentMessage> placed) override;
    /// Where ranks go in a session is known at the beginning.
    void assign(AssignmentMessage, const std::vector<AssignmentMessage::Part>&) override {}
    void order(FrameType type, uint64_t value) override;
    void signal(const SignalMessage& order) override {
        link_->send(FrameType::signal, order.encode());
    }
    void survey(const SurveyOrder& order) override {
        link_->send(FrameType::survey, order.encode());
    }
    void answer(const SpawnedMessage& answer) override {
        link_->send(FrameType::spawned, answer.encode());
    }
    void give_input(std::string_view bytes) override;
    /// The session lives on, whatever its client does.
    void end_start() override {}
    void pause() override {}
    void resume() override {}
    bool settle_routes() override { return true; }
    Clock::time_point routes_deadline() const override { return Clock::time_point::max(); }
    void failure(const FailureMessage& failure) override { job_->hosts_failed(failure); }
    awaitable<std::vector<std::string>> finish() override;
    NodeStats stats() const override { return {}; }
    LinkCounts counts() const override { return link_->counts(); }

  private:
    awaitable<void> listen();
    void take(const Frame& frame);
    void take(FailureMessage failure);
    void handle_report(const Frame& frame);
    void handle_unready(UnreadyMessage message);
    void handle_output(std::string payload);
    awaitable<void> carry_output();
    void end(std::string_view stuck);
    void lose_all();

    Settings settings_;
    std::shared_ptr<FramedLink> link_;
    JobMessage message_;
    JobUpstream* upstream_ = nullptr;
    TreeJob* job_ = nullptr;
    std::deque<std::string> output_;  ///< that the terminal has not taken yet
    bool carries_ = false;            ///< the terminal is given some
    Clock::time_point heard_at_{};    ///< output, or the order to end
    enum class Phase : uint8_t {
        runs,
        ended,  ///< at all nodes, and all output has come
        gone,   ///< the session has ended, or what it said cannot be understood
    } phase_ = Phase::runs;
    std::vector<NodeIndex> stuck_;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
