// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/head/guest_job.hpp"
#include "core/head/head_tree.hpp"
#include "core/link/framed_link.hpp"

namespace launch {

/// A job on the tree of a session, as the session's head has it: what the nodes report goes to the
/// client, and what the client orders to the nodes. It ends when the client says so, or is gone.
class SessionJob : public GuestJob {
  public:
    /// `surveys` takes the answers to its own questions, and returns whether it has asked; other
    /// answers are the client's.
    using Surveys = std::function<bool(const SurveyMessage&)>;
    SessionJob(any_io_executor executor, HeadTree& tree, JobNumber number,
               std::shared_ptr<FramedLink> link, Surveys surveys);

    /// To its end at all nodes. The link is the client's, who may say more on it.
    awaitable<void> run(JobMessage message, AssignmentMessage placed);
    /// Then: the client hears that it is over, and hangs up when it has read it all.
    awaitable<void> say_farewell();

    using GuestJob::take;
    void hosts_failed(const FailureMessage& failure) override;
    void notice(const NoticeMessage& notice) override;
    void take(const JobReport& report) override;
    /// Output of the head's own ranks. It is dropped where the client is gone.
    awaitable<bool> output(OutputMessage message) override;
    /// Output of other nodes is kept until the client takes it, so that a client that reads slowly
    /// holds up only its own job. JobMessage::output_window bounds how much there is.
    awaitable<bool> output(NodeIndex origin, OutputMessage message) override;
    bool uses(NodeIndex node) const override { return used_.contains(node); }

    void failure(const FailureMessage& failure) override;
    void input_wanted(const InputGrant& grant) override;
    void input_refused() override;

  private:
    struct Piece {
        NodeIndex origin = 0;
        size_t bytes = 0;     ///< of a rank
        std::string payload;  ///< with them, as the client gets it
    };

    awaitable<void> listen();
    void take(const Frame& frame);
    awaitable<void> carry_output();
    awaitable<void> give(std::string payload);
    void has_read(const Piece& piece);
    void tell_read(NodeIndex origin);
    awaitable<void> wait_for_end();
    /// A client that is slow to read is waited for: it ends by itself, or is stopped.
    bool is_read() const { return sending_ == 0 && output_.empty(); }

    any_io_executor executor_;
    HeadTree& tree_;
    JobNumber number_;
    std::shared_ptr<FramedLink> link_;
    Surveys surveys_;
    NodeJob* node_job_ = nullptr;  ///< its part at the head; null: it has been ordered to end
    milliseconds limit_{0};        ///< from its end until it is over at all nodes
    std::set<NodeIndex> used_;
    size_t sending_ = 0;        ///< pieces of output that wait for the client
    std::deque<Piece> output_;  ///< of other nodes; while there is any, carry_output() runs
    struct Read {
        uint64_t size = 0;  ///< see OutputAccount::read()
        uint64_t told = 0;  ///< how much of it the node knows
    };
    std::map<NodeIndex, Read> read_;  ///< by the client, of each node's output
    uint64_t window_ = 0;             ///< JobMessage::output_window
    Clock::time_point moved_at_{};    ///< when it took the last one
    enum class Phase : uint8_t {
        runs,
        told_to_end,  ///< by the client, who is there
        abandoned,    ///< by the client, who is not
    } phase_ = Phase::runs;
    TaskGroup tasks_;
};

}  // namespace launch
