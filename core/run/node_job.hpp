// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/bind/machine.hpp"
#include "core/modex_server.hpp"
#include "core/process/free_port.hpp"
#include "core/process/guard.hpp"
#include "core/run/input_merge.hpp"
#include "core/run/local_ranks.hpp"
#include "core/run/node_share.hpp"
#include "core/run/passed_input.hpp"
#include "core/run/rank_places.hpp"
#include "core/run/start_gate.hpp"
#include "core/run/survey_desk.hpp"
#include "core/stage/stage.hpp"
#include "core/tree/node.hpp"
#include "core/tree/tree_user.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/signal_message.hpp"
#include "core/wire/tree_message.hpp"

namespace launch {

/// A job at one node of a tree, head and relay alike: the node's own ranks with their standard
/// streams, its staged files, its part of the exchange of cards. Talks to its parts at other nodes
/// through the tree, and to the head through JobUpstream.
class NodeJob : private ModexHost {
  public:
    /// State that all jobs at a node share. It outlives them.
    struct Surroundings {
        const TreeMessage& tree;
        const ModexFactory& make_modex;
        const RankFactory& make_rank;
        const Guard& guard;
        const MachineReader& read_machine;
    };
    /// Facts about this node.
    struct Here {
        NodeIndex self = 0;
        std::string host;
        bool remote = false;       ///< a relay, with a login environment of its own
        uint32_t generation = 0;   ///< of that relay, see core/tree/generations.hpp
        std::string address = {};  ///< by which the parent reaches this node; empty: not known
    };

    /// `text`: the message as it goes to nodes below.
    NodeJob(any_io_executor executor, JobNumber number, JobMessage job, std::string text,
            Surroundings surroundings, NodeShare& share, Reaper& reaper, JobUpstream& upstream,
            Node& tree);

    /// With its placement, when that has come.
    const JobMessage& message() const { return job_; }
    /// The tree ran before the job began: each node with ranks of its own says by itself when they
    /// can start, or why not, and what goes wrong with the job is nothing to the tree.
    bool is_guest() const { return !surroundings_.tree.with_job || number_ != first_job; }
    /// Told to those below; its files may come from now on. assign() follows, at once or when it is
    /// known which hosts are up (JobMessage::placed_late).
    void open(Here here);
    /// Whether the relays below may be started: the job's message to them is complete, or a part
    /// comes later.
    bool may_start_tree() const { return job_.placed_late || placed(); }
    /// They are being started: all who may ask for standard input are known.
    void children_are_known();
    /// Ranks wait for check() here, and the head waits for its result before the node is up. The
    /// head waits for no lone host: looks_alone().
    bool looks_first() const { return !job_.may_leave_wdir; }
    /// Checks what the ranks here will need. Missing things are reported upstream when this
    /// returns, before the node is reported as up. A guest job does so when its ranks are known.
    awaitable<void> check();
    /// At the head: the ranks of all nodes. Once; where ranks are placed late, who is not up by now
    /// is left out. False: not of this job.
    bool deal(AssignmentMessage assignment);
    /// At the head, then: these were up and are lost, and their ranks with them.
    void lose(const std::vector<AssignmentMessage::Part>& parts);

    /// Standard input from the head; empty: its end.
    void give_input(std::string_view bytes);
    /// A link above broke: what was on its way here may be lost.
    void ask_again();
    /// This node has another parent, which knows nothing of the messages to the old one.
    void new_parent();
    /// The parent believed this node elsewhere, and has forgotten what it said.
    void say_again();
    /// The job is over: ranks that still run get as long as that to end.
    void end(milliseconds grace);
    /// Waits until no rank runs. Call after end().
    awaitable<void> ranks_ended() { return ranks_.finish(); }
    bool had_ranks() const { return !ranks_.none_started(); }
    /// The rank was placed on that node, this one or one below.
    bool runs(NodeIndex node, uint32_t rank) const;
    /// Waits until nothing of the job is left here. Call after ranks_ended().
    awaitable<void> finish();
    /// Whether the head has a report, before it asked, that no process of the job is left here, and
    /// nothing that it has to wait for.
    bool has_told_end() const { return told_end_; }

    /// How long what its ranks left behind may take to end.
    milliseconds grace_of_left_processes() const {
        // A rank that was given up has used up this time already.
        return ranks_.has_stuck() ? milliseconds{0} : job_.policies.kill_grace;
    }

    /// Messages and changes of the tree, see TreeUser.
    bool from_parent(FrameType type, std::string_view body);
    bool from_child(NodeIndex child, FrameType type, std::string_view body);
    bool from_peer(RoutePosition from, std::string_view message);
    /// Ranks below that child have ended (ExitsMessage). False: malformed, or none has started.
    bool ranks_exited(NodeIndex child, std::string_view body);
    void hosts_failed(NodeIndex child, const FailureMessage& failure);
    /// The head's orders:
    ///  - window (rows and columns): to those with the user's terminal;
    ///  - terminate (grace in ms): SIGTERM to all ranks, SIGKILL after the grace; exits are
    ///    reported;
    ///  - start_ranks (a StartWord): all is ready, ranks that wait for that start.
    void ordered(FrameType type, uint64_t value);
    /// To all ranks here, or to those that it names.
    void signal(const SignalMessage& order);
    /// Answers a question about the ranks here and below.
    void survey(SurveyOrder order);
    /// Told to all nodes, and for one.
    void spawned(const SpawnedMessage& answer) {
        if (answer.node == here_.self) modex_->spawned(answer);
    }
    bool waits_for_hosts() const { return job_.placed_late && !placed(); }
    void child_added(const ChildView& child);
    void child_not_started(NodeIndex child);
    void child_came(const ChildView& child, NodeIndex above, const std::vector<NodeRange>& others);
    void nodes_came(const ChildView& child, const std::vector<NodeRange>& came);
    void nodes_left(NodeRange nodes, NodeIndex above, const std::vector<NodeRange>& others);
    void child_lost(const ChildView& child);
    void child_ended(NodeIndex child);
    /// When nodes are gone from below this one, too.
    void place_when_known();
    /// A guest's data goes along the tree: links between all nodes count them as a tree has them
    /// that is there for one job.
    void peers_open(RoutePosition own, uint32_t count) {
        if (!is_guest()) modex_->open_peers(index(own), count);
    }
    void no_peers() {
        if (placed()) modex_->no_peers();
    }
    void peer_lost(RoutePosition peer) {
        if (placed()) modex_->peer_lost(index(peer));
    }

  private:
    using NodeRanks = std::vector<std::vector<RankRun>>;  ///< one list for each node

    void modex_up(std::string message) override { upstream_.modex(std::move(message)); }
    void modex_down(NodeIndex child, std::string message) override;
    void modex_down(NodeIndex child, MessageSource messages) override;
    void modex_peer(uint32_t number, std::string message) override;
    void modex_wants_peers() override;
    void modex_fault(const FaultMessage& fault) override { upstream_.report(fault); }
    std::string modex_shared_name() const override;
    void modex_folder(const std::string& path) override;
    void modex_notice(const std::string& text) override;
    std::vector<RankState> modex_ranks() const override;
    void modex_spawn(SpawnMessage wanted) override;
    void modex_trace(uint32_t rank, std::string line) override;
    std::string of_job(std::string_view body) const { return wrap_job(number_, body); }
    awaitable<void> carry_trace();

    /// Ranks are known, here and below.
    bool placed() const { return job_.ranks > 0; }
    NodeRanks ranks_of(NodeRange nodes) const;
    NodeRanks ranks_in(const std::vector<NodeRange>& nodes) const;
    std::vector<uint32_t> ranks_of(const FailureMessage& failure) const;
    bool assign(AssignmentMessage told);
    std::vector<ChildView> children_with_ranks() const;
    bool knows_all_ranks() const;
    void forget_said_early(std::optional<NodeIndex> child) {
        std::erase_if(said_early_, [child](const Said& said) {
            return said.child == child && said.type != FrameType::exits;
        });
    }
    void note_ranks(AssignmentMessage told);
    void add_child(NodeIndex child, const NodeRanks& ranks);
    void leave_out_the_lost();
    void begin_at(const ChildView& child);
    bool reads_input(const NodeRanks& ranks) const;
    void ask_for_input();
    bool take_input(InputPiece piece);
    void send_input(NodeIndex child, const InputPiece& piece);
    bool input_granted(NodeIndex child, const InputGrant& grant);

    /// Ranks of a lone host wait for check(), since none is to run if a program of others cannot.
    /// With one program the start itself tells: all its ranks fail alike.
    bool looks_alone() const {
        const bool waits_for_head = looks_first() || word_ || job_.starts_together();
        return job_.nodes == 1 && job_.programs.size() > 1 && !waits_for_head &&
               !job_.placed_late && !job_.policies.keep_going;
    }
    void look_first();
    void hold_back(std::vector<UnreadyMessage::Program>& unready);
    awaitable<void> refuse_peers();
    void tell_unready(std::vector<UnreadyMessage::Program> unready);
    void give_up_start(UnreadyMessage::Program unready);
    awaitable<void> find_places(std::vector<RankRun> runs);
    awaitable<RankPlaces> read_places(PlaceRequest request);
    std::vector<UnreadyMessage::Program> unplaced(const std::vector<RankRun>& runs) const;
    void tell_places();
    void hold_port();
    void open_stage();
    awaitable<void> stage_files();
    void stage_failed(Error error);
    void start_ranks(HostRank host, const std::vector<RankRun>& runs);
    void start_ready_ranks();
    awaitable<void> prepare_ranks();
    std::string interface_for_ranks();
    void unlock(StartGate::Lock lock);
    void prepared();
    void gate_changed();
    void end_waiting(int signal);
    void ranks_are_over();
    std::set<NodeIndex> nodes_to_survey() const;
    awaitable<void> answer_survey(SurveyOrder order);
    std::vector<RankState> states_of(const std::vector<RankRun>& ranks) const;
    awaitable<void> survey_own(SurveyOrder order);
    void take_survey(SurveyMessage answer);
    bool take_survey(std::string_view body);
    void lose_surveyed(const std::vector<NodeRange>& nodes);

    any_io_executor executor_;
    JobNumber number_;
    JobMessage job_;
    std::shared_ptr<const std::string> job_text_;  ///< as it goes to children
    Surroundings surroundings_;
    NodeShare& share_;
    JobUpstream& upstream_;
    Node& tree_;
    std::unique_ptr<ModexServer> modex_;
    PassedInput passed_;
    InputMerge input_;
    LocalRanks ranks_;
    Here here_;
    NodeRanks placed_ranks_;        ///< of all nodes from this one on, as far as they are known
                                    ///< here
    std::unique_ptr<Stage> stage_;  ///< null: no files are staged
    StartGate gate_;                ///< of the ranks here
    bool stage_failed_ = false;
    /// Why the ranks here do not start: a signal came before, or a file server does not answer.
    std::optional<NotStarted> unstarted_;
    std::optional<RankPlaces> places_;  ///< on this machine, of the ranks here
    std::optional<HeldPort> port_;      ///< for --rendezvous, until ranks start
    bool children_known_ = false;       ///< all who may ask for standard input for those below them
    /// Which of the hosts with ranks this is, and its ranks, until they start.
    std::optional<std::pair<HostRank, std::vector<RankRun>>> waiting_ranks_;
    std::vector<SignalMessage> early_signals_;  ///< for some ranks, which had not started
    bool told_end_ = false;
    /// Null: none has come yet. The job is placed when it covers this node and all below.
    std::shared_ptr<const AssignmentMessage> assignment_;
    struct Said {
        std::optional<NodeIndex> child;  ///< nothing: by the parent
        FrameType type{};
        std::string body;
    };
    /// By neighbours whose part of the job is placed, while that here is not. A neighbour that has
    /// another parent meanwhile says it again, but how ranks ended; a new parent says it, too.
    std::vector<Said> said_early_;
    /// The head's word came, and says whether ranks may leave the job's folder.
    std::optional<bool> word_;
    std::stop_source no_start_;  ///< what ranks need is not asked for any more
    /// Lines of LAUNCH_LOG, by rank; the first is on its way up.
    std::deque<std::pair<uint32_t, std::string>> trace_;
    SurveyDesk surveys_;
    Event surveyed_;
    std::stop_source no_survey_;  ///< the job ends here
    TaskGroup tasks_;
};

}  // namespace launch
