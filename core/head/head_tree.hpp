// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/factories.hpp"
#include "core/head/host_record.hpp"
#include "core/head/job_tree.hpp"
#include "core/head/route_setup.hpp"
#include "core/job/plan.hpp"
#include "core/link/heartbeat.hpp"
#include "core/run/node_jobs.hpp"
#include "core/tree/node.hpp"

namespace launch {

/// The tree as its head sees it: the root node with its jobs, the hosts that are up, the end of the
/// start, liveness, and the switch of all nodes to a routing tree (head_tree_routes.cpp). A report
/// goes to the job that it belongs to, or to all jobs.
class HeadTree : public Upstream {
  public:
    /// The plan, of which only hosts and trees count here, outlives this.
    HeadTree(any_io_executor executor, const Plan& plan, Transport& transport,
             const Factories& factories, const Guard& guard, Reaper& reaper);

    /// Sets the owner of a tree that outlives its jobs. The owner must outlive finish().
    void watch(TreeWatch& holder) { holder_ = &holder; }
    /// Begins a job. `upstream` and `job` must outlive the job's end, or finish().
    NodeJob& begin(JobNumber number, JobMessage message, JobUpstream& upstream, TreeJob& job);
    /// Opens this node, the root.
    void open();
    /// Starts the hosts. Call after open().
    void start();
    /// It is over at all nodes: each tells by TreeJob::ended().
    void end(JobNumber job) { order(job, FrameType::end_job, 0); }
    /// Stops all reports to this job.
    void forget(JobNumber job) { jobs_.erase(job); }
    /// To the job's part at every node, see NodeJob::ordered().
    void order(JobNumber job, FrameType type, uint64_t value);
    /// As order(), and for some of its ranks only.
    void signal(JobNumber job, const SignalMessage& order) {
        node_.broadcast(FrameType::signal, wrap_job(job, order.encode()));
    }
    /// Each node with ranks of the job answers, see SurveyDesk.
    void survey(JobNumber job, const SurveyOrder& order) {
        node_.broadcast(FrameType::survey, wrap_job(job, order.encode()));
    }
    /// To the node whose rank has asked for processes.
    void answer(JobNumber job, const SpawnedMessage& answer) {
        node_.broadcast(FrameType::spawned, wrap_job(job, answer.encode()));
    }
    /// Tells a node how much of its output of the job has been read, see OutputAccount::read().
    void output_read(NodeIndex origin, JobNumber job, uint64_t bytes) {
        node_.output_read(origin, job, bytes);
    }
    /// This process is about to be stopped: no death.
    void pause() { node_.broadcast(FrameType::pause, 0); }
    /// It was, and goes on.
    void resume() { heart_.restart(); }
    /// Hosts that are not up are not waited for any more, and not told of.
    void end_start();
    /// Where there is a routing tree: true when all nodes have their place in it, or stay as they
    /// were started. To be asked again at routes_deadline().
    bool settle_routes();
    Clock::time_point routes_deadline() const { return routes_.deadline(); }
    /// Hosts that somebody waits for.
    struct Growth {
        std::vector<NodeIndex> nodes;          ///< that the hosts are, in their order
        std::vector<FailureMessage> failures;  ///< one of each that is not up, see complete()

        /// Null if the node has no failure here.
        const FailureMessage* failure_of(NodeIndex node) const;
    };
    /// Begins to start hosts, which join the tree, each below a node that has room
    /// (core/tree/growth.hpp). Jobs that run are not held up. Any number of growths may go on at a
    /// time.
    Growth grow(const std::vector<Host>& hosts);
    /// Waits until each of these nodes is up or has failed, for as long as a start may take; or
    /// until no host joins any more. Hosts that joined and are late are given up. Call right after
    /// grow(); nodes that were being started before can be waited for, too.
    awaitable<void> complete(Growth& growth);
    /// Nothing joins or leaves any more; who waits for that returns.
    void end_growth() {
        grows_ = false;
        changed_.notify();
    }
    /// Removes these nodes from the tree; their children move to other parents. Returns when the
    /// nodes have left, or were lost while they left. `now`: processes that run there are lost with
    /// them, and jobs get a report of that.
    awaitable<void> remove(std::vector<NodeIndex> nodes, bool now);
    /// Whether the tree has node numbers left for that many more hosts.
    bool has_numbers_for(size_t hosts) const {
        return hosts == 0 || hosts < most_nodes - hosts_.count();
    }

    /// Dismisses all relays. Cuts off those that have not left after `limit`, and returns the names
    /// of their hosts.
    awaitable<std::vector<std::string>> finish(milliseconds limit);

    /// The head's own node: 1 if the head is the only host, else 0.
    NodeIndex self() const { return plan_.local ? 1 : 0; }
    const Bounds& bounds() const { return node_.bounds(); }
    /// See Node::output_pending().
    bool output_pending() const { return node_.output_pending(); }
    const HostRecord& hosts() const { return hosts_; }
    /// The children of the head's own node, each with its subtree.
    std::vector<ChildView> children() const { return node_.all_children(); }
    NodeStats stats() const { return node_.stats(); }
    LinkCounts counts() const { return node_.counts(); }

    void failure(const FailureMessage& failure) override;
    void notice(const NoticeMessage& notice) override;
    void starts(const StartsMessage& starts) override {
        tell([&starts](TreeWatch& told) { told.hosts_starting(starts); });
    }
    void contacts(const ContactsMessage&) override;
    void waiting_changed() override {}
    void routed(const RoutedMessage& routed) override;
    void left(const NodesMessage& nodes) override;
    void gained(const MovedMessage&) override {}  // nobody is above the head
    void pass(FrameType type, std::string_view payload, const Report& report, bool fresh) override;
    awaitable<bool> pass_output(std::string payload, bool fresh) override;

  private:
    /// The phases of the tree's life, as far as the timers here depend on them.
    enum class Phase : uint8_t {
        starts,  ///< hosts are being started
        runs,    ///< hosts that are not up are nobody's concern any more
        ends,    ///< relays leave
        has_ended
    };

    void enter(Phase phase);
    /// Tells all who hear of the tree.
    template <class Call>
    void tell(Call call) {
        if (holder_ != nullptr) call(*holder_);
        for (const auto& [number, job] : jobs_)
            call(*job);
    }
    void nodes_up(const std::vector<NodeIndex>& nodes);
    void take(FrameType type, std::string_view body);
    void ignore_report(NodeIndex origin);
    std::vector<std::string> lost_hosts(const FailureMessage& failure) const;
    FailureMessage explained(FailureMessage failure) const;
    awaitable<void> keep_time();
    awaitable<void> announce_start();
    awaitable<void> keep_start_limit();

    std::optional<NodeIndex> former_number(const Host& host);
    bool is_starting() const;
    bool is_growing() const { return grows_ && phase_ < Phase::ends; }
    bool is_awaited(NodeIndex node, const Growth& growth) const;
    bool is_complete(const Growth& growth) const;
    std::set<NodeIndex> awaited_beside(const Growth& growth) const;
    void give_up(milliseconds limit, Growth& growth);
    bool joined(NodeIndex node) const { return node > message_.nodes; }
    milliseconds limit_of(const Growth& growth) const;
    FailureMessage did_not_come(NodeIndex node) const;
    void tell_growths(const FailureMessage& failure);
    void note_failure(const FailureMessage& failure, bool is_first);

    bool contacts_known() const;
    RoutesMessage routes() const;
    bool is_used(NodeIndex node) const;
    void open_routes();
    void await_places();
    void give_up_places();
    void note_routes(const std::string& text);
    void give_up_routes(const std::string& why);
    std::string names_of(const std::vector<NodeIndex>& nodes) const;

    any_io_executor executor_;
    const Plan& plan_;
    TreeMessage message_;
    HostRecord hosts_;
    Node node_;
    NodeJobs node_jobs_;
    std::map<JobNumber, TreeJob*> jobs_;
    TreeWatch* holder_ = nullptr;       ///< null: it is there for its one job
    std::vector<Growth*> growths_;      ///< that go on
    std::vector<NodeIndex> never_ran_;  ///< numbers of hosts that joined, and could not be started
    bool grows_ = true;
    std::set<NodeIndex> removed_;  ///< with what ran there, and not lost yet
    bool some_leave_ = false;      ///< remove() waits for them
    Heartbeat heart_;
    RouteSetup routes_;
    Phase phase_ = Phase::starts;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
