#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/async/detached_pool.hpp"
#include "core/modex_server.hpp"
#include "core/process/guard.hpp"
#include "core/run/input_merge.hpp"
#include "core/run/local_ranks.hpp"
#include "core/run/start_gate.hpp"
#include "core/stage/stage.hpp"
#include "core/tree/node.hpp"
#include "core/tree/tree_user.hpp"
#include "core/wire/assignment.hpp"

namespace launch {

/// A job at one node of a tree, head and relay alike: the node's own ranks with their standard
/// streams, its staged files, its part of the exchange of cards. Talks to its parts at other nodes
/// through the tree, and to the head through JobUpstream.
class NodeJob : public TreeUser, private ModexHost {
  public:
    struct Settings {
        const JobMessage& job;  ///< outlives this
        const ModexFactory& make_modex;
        const Guard& guard;
    };
    /// What is known of this node: its index and name, and the ranks of all nodes from it on that
    /// are below it, where they are placed already.
    struct Place {
        NodeIndex self = 0;
        std::string host;
        bool remote = false;  ///< a relay, with a login environment of its own
        std::vector<std::vector<RankRun>> ranks;
    };

    NodeJob(any_io_executor executor, Settings settings, Reaper& reaper, JobUpstream& upstream,
            Node& tree);

    void open(Place place);
    /// Ranks wait for check() here: on a lone host the start itself tells.
    bool looks_first() const { return !settings_.job.may_leave_wdir; }
    /// A look at what the ranks here will need; what is missing is told upstream when this returns,
    /// before the node is said to be up.
    awaitable<void> check();
    /// Starts the ranks here and the relays below. Where ranks are not placed yet, assign()
    /// follows.
    void start();
    /// The ranks of this node and of those below, which are started. The job has been told its
    /// placement. Who is not up by now is left out.
    void assign(AssignmentMessage assignment);
    /// At the head, then: these were up and are lost, and their ranks with them.
    void lose(const std::vector<AssignmentMessage::Part>& parts);

    /// Standard input from the head; empty: its end.
    void give_input(std::string_view bytes);
    /// A link above broke: what was on its way here may be lost.
    void ask_again();
    /// This node has another parent, who knows nothing of what the one before was told.
    void new_parent();
    /// Waits until ranks and relays have ended and nothing of them is left. Relays that have not
    /// left after `limit` are cut off; the result names their hosts.
    awaitable<std::vector<std::string>> finish(milliseconds limit);

    bool from_parent(FrameType type, std::string_view body) override;
    bool from_child(NodeIndex child, FrameType type, std::string_view body) override;
    bool from_peer(uint32_t place, std::string_view message) override;
    bool report_passes(NodeIndex child, FrameType type, std::string_view body) override;
    void ordered(FrameType type, uint64_t value) override;
    bool waits_for_hosts() const override { return placed_late_ && !assignment_; }
    NodeIndex nodes() const override { return placed() ? settings_.job.nodes : 0; }
    std::vector<std::vector<RankRun>> ranks_of(NodeRange nodes) const override;
    void child_added(const ChildView& child) override;
    void child_not_started(NodeIndex child) override;
    void child_came(const ChildView& child, NodeIndex above,
                    const std::vector<NodeRange>& others) override;
    void nodes_came(const ChildView& child) override;
    void nodes_left(NodeRange nodes, NodeIndex above,
                    const std::vector<NodeRange>& others) override;
    void child_lost(const ChildView& child) override;
    void child_ended(NodeIndex child) override;
    void peers_open(uint32_t own, uint32_t count) override { modex_->open_peers(own, count); }
    void no_peers() override { modex_->no_peers(); }
    void peer_lost(uint32_t place) override { modex_->peer_lost(place); }

  private:
    using NodeRanks = std::vector<std::vector<RankRun>>;  ///< one list for each node

    void modex_up(std::string message) override { upstream_.modex(std::move(message)); }
    void modex_down(NodeIndex child, std::string message) override;
    void modex_down(NodeIndex child, MessageSource messages) override;
    void modex_peer(uint32_t number, std::string message) override;
    void modex_wants_peers() override { tree_.want_peers(); }
    void modex_fault(const FaultMessage& fault) override { upstream_.fault(fault); }
    void modex_folder(const std::string& path) override;
    void modex_notice(const std::string& text) override;
    void modex_trace(uint32_t rank, std::string line) override;
    awaitable<void> carry_trace();

    /// Ranks are known, here and below.
    bool placed() const { return settings_.job.ranks > 0; }
    NodeRanks ranks_in(const std::vector<NodeRange>& nodes) const;
    std::vector<uint32_t> ranks_of(const FailureMessage& failure) const;
    void place(const AssignmentMessage& assignment);
    void add_child(NodeIndex child, const NodeRanks& ranks);
    void assign_to(const ChildView& child);
    bool reads_input(const NodeRanks& ranks) const;
    void open_input();

    void tell_unready(std::vector<UnreadyMessage::Program> unready);
    void give_up_start(UnreadyMessage::Program unready);
    void open_stage();
    awaitable<void> stage_files();
    void stage_failed(Error error);
    void start_ranks(NodeIndex number, const std::vector<RankRun>& runs);
    void start_ready_ranks();
    awaitable<void> prepare_ranks();
    void unlock(StartGate::Lock lock);
    void end_waiting(int signal);

    any_io_executor executor_;
    Settings settings_;
    JobUpstream& upstream_;
    Node& tree_;
    std::unique_ptr<ModexServer> modex_;
    InputMerge input_;
    LocalRanks ranks_;
    Place place_;
    bool placed_late_ = false;      ///< ranks are placed by assign()
    std::unique_ptr<Stage> stage_;  ///< null: no files are staged
    StartGate gate_;                ///< of the ranks here
    bool stage_failed_ = false;
    /// Why the ranks here do not start: a signal came before, or a file server does not answer.
    std::optional<NotStarted> unstarted_;
    bool input_known_ = false;  ///< who reads it, but for ranks here that have not started
    /// The number of this node among those with ranks, and its ranks, until they start.
    std::optional<std::pair<NodeIndex, std::vector<RankRun>>> waiting_ranks_;
    bool prepared_ = false;  ///< what they are offered is there
    std::optional<AssignmentMessage> assignment_;
    DetachedPool files_;         ///< who looks for what ranks need
    std::stop_source no_start_;  ///< what ranks need is not asked for any more
    std::deque<std::string> trace_;
    bool tracing_ = false;
    TaskGroup tasks_;
};

}  // namespace launch
