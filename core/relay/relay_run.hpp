// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/async/timer.hpp"
#include "core/base/build_id.hpp"
#include "core/factories.hpp"
#include "core/process/guard.hpp"
#include "core/process/reaper.hpp"
#include "core/relay/relay_state.hpp"
#include "core/run/node_jobs.hpp"
#include "core/run/phase_counts.hpp"
#include "core/run/phase_times.hpp"
#include "core/tree/node.hpp"
#include "core/tree/parent_link.hpp"
#include "core/tree/settled_nodes.hpp"

namespace launch {

/// One relay: a node of the tree and the jobs there, from its greeting until it leaves. Messages of
/// its parent are handled in relay_frames.cpp.
class RelayRun : public Upstream {
  public:
    /// `last_words`: see ParentLink. `called_from`: the own address of a relay that has called its
    /// parent; empty: it was reached.
    RelayRun(any_io_executor executor, std::unique_ptr<ByteStream> streams,
             const Factories& factories, const Guard& guard, ParentLink::LastWords last_words,
             std::string called_from = {})
        : executor_(executor),
          called_from_(std::move(called_from)),
          factories_(factories),
          guard_(guard),
          link_(executor_, std::move(streams), build_id_, std::move(last_words)),
          reaper_(executor_),
          signals_(executor_, SIGTERM, SIGINT, SIGHUP),
          clock_(executor_),
          changed_(executor_),
          tasks_(executor_) {}

    awaitable<void> run();
    /// With the nodes below each; none before the relay has its part of the tree.
    std::vector<ChildView> children() const {
        return node_ ? node_->all_children() : std::vector<ChildView>();
    }

    void failure(const FailureMessage& failure) override {
        FailureMessage told = failure;
        // This is about this relay itself, whichever node reports it here.
        if (node_ && told.node == self_) told.generation = node_->latest_generation(told.below);
        settle(told);
        link_.report(FrameType::failure, told.encode());
    }
    void notice(const NoticeMessage& notice) override {
        link_.report(FrameType::notice, notice.encode());
    }
    void starts(const StartsMessage& starts) override {
        link_.report(FrameType::starts, starts.encode());
    }
    void contacts(const ContactsMessage& contacts) override {
        link_.keep(FrameType::contacts, contacts.encode(), false);
    }
    void routed(const RoutedMessage& routed) override {
        link_.report(FrameType::routed, routed.encode());
    }
    void gained(const MovedMessage& nodes) override {
        const MovedMessage said{nodes.nodes, link_.received()};
        link_.keep(FrameType::gained, said.encode(), false);
    }
    void waiting_changed() override { link_.tell_waiting(); }
    void left(const NodesMessage& nodes) override { link_.report(FrameType::left, nodes.encode()); }
    void pass(FrameType type, std::string_view payload, const Report& report, bool fresh) override {
        if (fresh) settle_by(type, report.body);
        note_up();
        link_.pass(type, payload);
    }
    awaitable<bool> pass_output(std::string payload, bool) override {
        return link_.pass_output(std::move(payload));
    }

  private:
    /// Somebody above or below is still being started: silence is more likely haste than death.
    bool starting() const { return link_.parent_starting() || !settled_.all(); }
    awaitable<void> listen();
    bool handle(const Frame& frame);
    bool hear(const Frame& frame);
    bool open_part(std::string_view payload);
    bool make_node(SubtreeMessage subtree);
    std::unique_ptr<JobUpstream> upstream_of(JobNumber job, const JobMessage& message);
    bool pass_to_jobs(const Frame& frame);
    void start_below();
    awaitable<void> come_up();
    void report_up();
    void placed();
    void go_over();
    bool release(std::string_view payload);
    void deny_move();
    awaitable<void> deny_at(Clock::time_point when);
    bool grow(std::string_view payload);
    void remove(std::string_view body);
    void leave_alone();
    void place_confirmed();
    void settle(const FailureMessage& failure);
    void settle_by(FrameType type, std::string_view report);
    void open_link(std::vector<Contact> ancestors, uint32_t generation);
    void direct_link_failed(Error error);
    awaitable<void> wait_for_part();
    awaitable<void> watch_signals();
    awaitable<void> keep_time();
    awaitable<void> leave();
    LinkCounts counts() const;
    void begin(JobPhase phase) {
        if (tree_.policies.stats) phases_.begin(phase, counts());
    }
    void tell_stats();
    void step(RelayEvent event) {
        state_ = next(state_, event);
        changed_.notify();
    }
    void note_up() {
        if (!settled_.all() || times_.up != Clock::time_point()) return;
        times_.up = Clock::now();
        begin(jobs_->placed() ? JobPhase::run : JobPhase::place);
    }

    any_io_executor executor_;
    std::string called_from_;
    const Factories& factories_;
    const Guard& guard_;
    std::string build_id_ = own_build_id();
    ParentLink link_;
    Reaper reaper_;
    asio::signal_set signals_;
    Timer clock_;
    Event changed_;
    TaskGroup tasks_;
    TreeMessage tree_;
    std::unique_ptr<Topology> topology_;
    std::unique_ptr<Topology> routing_;  ///< null: as the job was started
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<Node> node_;
    std::unique_ptr<NodeJobs> jobs_;  ///< there as soon as the node is
    NodeIndex self_ = 0;
    std::string host_;
    PhaseTimes times_;
    PhaseCounts phases_;
    RelayState state_ = RelayState::waiting;
    Clock::time_point may_deny_at_;
    bool denies_ = false;         ///< a denial is due
    bool parent_paused_ = false;  ///< the head is stopped by its user, and says nothing
    NodeRange block_;             ///< that it was started with
    SettledNodes settled_;        ///< of these, who runs or never will
};

}  // namespace launch
