#pragma once

#include <map>
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

/// The tree as its head has it: the node at the root with the jobs there, which hosts are up, when
/// all is settled, liveness, and how all nodes go over to a routing tree (head_tree_routes.cpp).
/// What is reported goes to the job that it is of, or to all.
class HeadTree : public Upstream {
  public:
    /// The plan, of which only hosts and trees count here, outlives this.
    HeadTree(any_io_executor executor, const Plan& plan, Transport& transport,
             const Factories& factories, const Guard& guard, Reaper& reaper);

    /// Who holds it for jobs that come and go. It outlives finish().
    void watch(TreeWatch& holder) { holder_ = &holder; }
    /// A job is to run on it. Both outlive the job's end, or finish().
    NodeJob& begin(JobNumber number, JobMessage message, JobUpstream& upstream, TreeJob& job);
    /// This node takes its place.
    void open();
    /// Then: starts the hosts.
    void start();
    /// It is over at all nodes: each tells by TreeJob::ended().
    void end(JobNumber job) { order(job, FrameType::end_job, 0); }
    /// Nothing of it is told any more.
    void forget(JobNumber job) { jobs_.erase(job); }
    /// To the job's part at every node, see NodeJob::ordered().
    void order(JobNumber job, FrameType type, uint64_t value);
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
    /// All relays leave. Those that have not after `limit` are cut off; the result names their
    /// hosts.
    awaitable<std::vector<std::string>> finish(milliseconds limit);

    /// Of the head's own node: 1 where the head is the only host.
    NodeIndex self() const { return plan_.local ? 1 : 0; }
    const HostRecord& hosts() const { return hosts_; }
    NodeStats stats() const { return node_.stats(); }
    LinkCounts counts() const { return node_.counts(); }

    void failure(const FailureMessage& failure) override;
    void notice(const NoticeMessage& notice) override;
    void starts(const StartsMessage& starts) override {
        tell([&starts](TreeWatch& told) { told.hosts_starting(starts); });
    }
    void contacts(const ContactsMessage&) override;
    void routed(const RoutedMessage& routed) override;
    void gained(const MovedMessage&) override {}  // nobody is above the head
    void pass(FrameType type, std::string_view payload, const Report& report, bool fresh) override;
    awaitable<bool> pass_output(std::string payload, bool fresh) override;

  private:
    /// Of its life, what the clocks here need to know.
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
    FailureMessage explained(FailureMessage failure) const;
    awaitable<void> keep_time();
    awaitable<void> announce_start();
    awaitable<void> keep_start_limit();

    bool contacts_known() const;
    RoutesMessage routes() const;
    bool is_used(NodeIndex node) const;
    void open_routes();
    void await_places();
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
    TreeWatch* holder_ = nullptr;  ///< null: it is there for its one job
    Heartbeat heart_;
    RouteSetup routes_;
    Phase phase_ = Phase::starts;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
