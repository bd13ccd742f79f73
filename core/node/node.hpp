#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/link/direct_links.hpp"
#include "core/modex_server.hpp"
#include "core/node/ack_desk.hpp"
#include "core/node/child.hpp"
#include "core/node/local_ranks.hpp"
#include "core/node/peer_links.hpp"
#include "core/node/routing.hpp"
#include "core/node/start_gate.hpp"
#include "core/process/guard.hpp"
#include "core/stage/stage.hpp"
#include "core/topology.hpp"
#include "core/tree/generations.hpp"
#include "core/wire/assignment.hpp"

namespace launch {

/// What a node of the tree does, head and relay alike: runs its own ranks, starts the relays
/// below it, carries news up and orders down.
class Node : private ModexHost, private DirectLinkHandler, private ChildOwner {
  public:
    struct Settings {
        const JobMessage& job;  ///< outlives the node
        std::string job_bytes;  ///< the same, encoded
        std::string build_id;
        const Topology& topology;
        const Topology* routing;  ///< of the routing tree; null: that of the start
        Transport& transport;
        const ModexFactory& make_modex;
        const DirectLinksFactory& make_links;
        const Guard& guard;
    };

    Node(any_io_executor executor, Settings settings, Reaper& reaper, Upstream& upstream);

    /// First: prepares for the block, whose first node is this one. `ancestors`: where they take
    /// direct links, the parent first. `address`: by which this node was reached.
    void open(const Block& block, const std::vector<Contact>& ancestors,
              const std::string& address);
    /// A look at what its ranks will need; what is missing is told upstream, before it is up.
    void check(const Block& block);
    /// Runs the node's ranks here and starts the relays below it. `remote`: this is a relay, with a
    /// login environment of its own. Where the job's ranks are not placed yet, assign() follows.
    void start(const Block& block, bool remote);
    /// The ranks of this node and of those below, which are started. The job has been told its
    /// placement. Who is not up by now is left out.
    void assign(AssignmentMessage assignment);
    /// At the head, then: these were up and are lost, and their ranks with them.
    void lose(const std::vector<AssignmentMessage::Part>& parts);
    /// Where a routing tree is wanted (see Routing): these nodes will not take part ...
    void account(const FailureMessage& failure);
    /// ... the contacts that came, at the head ...
    const ContactGather& contacts() const { return routing_->gather; }
    Contact own_contact() const { return context_.contacts.front(); }
    /// ... all nodes of it, from above or of the head itself. False: malformed.
    bool route(std::string_view payload);
    /// ... go over to it, or stay.
    bool reroute(bool go);
    bool has_routes() const { return routing_ && routing_->table; }
    const Routing& routing() const { return *routing_; }
    /// The links of the start may yet be left, or have been, for those of the routing tree.
    bool may_go_over() const {
        return settings_.routing != nullptr && routing_ && routing_->phase != Routing::Phase::stays;
    }
    /// Direct links of this node; null where there are to be none.
    DirectLinks* links() { return links_.get(); }

    /// The head's user wants something of all nodes:
    ///  - signal (its number): to all ranks;
    ///  - terminate (grace in ms): SIGTERM to all ranks, SIGKILL after the grace; exits are
    ///  reported;
    ///  - pause: the head is about to be stopped, its silence is not death;
    ///  - start_ranks: all is ready, ranks that wait for that start.
    void order(FrameType type, uint64_t value);
    /// The same from above; once, however often it comes.
    void obey(FrameType type, OrderMessage order);
    uint64_t orders() const { return orders_.last(); }
    /// Nodes below have gone to another parent. False: malformed.
    bool release(std::string_view payload);
    /// From the head to one node below. False: malformed.
    bool pass_ack(std::string_view payload);
    /// This node has no parent any more and ends: nobody is to find a new parent here.
    void lose_parent() { refusing_ = true; }
    /// This node ends, and the job does not: those below are to find another parent.
    void leave_children();
    /// A link above broke: all below say again what the head has not confirmed.
    void ask_again();
    /// This node has come to another parent.
    void new_parent();
    /// From the parent's modex server. False: malformed.
    bool modex_from_parent(std::string_view message);
    /// Standard input from above; empty: its end.
    void give_input(std::string_view bytes);
    /// Of the files to stage, from above. False: malformed.
    bool give_segment(std::string_view payload) { return stage_ && stage_->take(payload); }
    /// Waits until ranks and relays have ended and nothing of them is left. Relays that have not
    /// left after `limit` are cut off; the result names their hosts.
    awaitable<std::vector<std::string>> finish(milliseconds limit);
    /// After finish(), and when the link to the parent is not to be renewed any more.
    awaitable<void> close_links();
    /// What this node has cost; without its link to a parent, and what went over links.
    NodeStats stats() const;
    LinkCounts counts() const;
    /// One beat of the liveness clock (see Child::beat).
    void beat(bool starting, int late);
    void announce(bool starting);

  private:
    void modex_up(std::string message) override;
    void modex_down(NodeIndex child, std::string message) override;
    void modex_peer(uint32_t number, std::string message) override;
    void modex_wants_peers() override;
    void modex_fault(const FaultMessage& fault) override;
    void modex_folder(const std::string& path) override;
    void modex_notice(const std::string& text) override;
    void modex_trace(uint32_t rank, std::string line) override;
    bool wants_link(NodeIndex from, LinkPurpose purpose) override;
    void direct_link(NodeIndex from, LinkPurpose purpose,
                     std::unique_ptr<ByteStream> stream) override;
    void confirm(NodeIndex origin, size_t bytes) override;
    bool contacts_came(const ContactsMessage& message) override;
    void lost(const FailureMessage& failure) override;
    bool starts_hosts() const override { return late_ && !assignment_ && !stop_.stop_requested(); }
    bool is_finishing() const override { return finishing_; }
    awaitable<void> carry_trace();

    void open_links(size_t children, const std::vector<Contact>& ancestors);
    size_t route_children() const;
    bool wants_route(NodeIndex from) const;
    void open_routing();
    void listen();
    awaitable<void> ask_for_contacts();
    void open_peers();
    bool waits_for_peer(NodeIndex from) const {
        return routing_ && !finishing_ && early_peers_.count(from) == 0;
    }
    void take_peer(NodeIndex from, std::unique_ptr<ByteStream> stream);
    void send_contacts();
    void tell_missing();
    awaitable<void> dial_route_parent();
    void tell_routed(const std::string& cause);
    void go_over();
    void retire(Child& child);
    void reroute(Child& child, const Block& block);
    awaitable<void> run_routed(Child& child);
    awaitable<void> take_routed(Child& child, Child::Link link);
    awaitable<void> send_over(Child::Link link);
    awaitable<void> dismiss(Child::Link link);
    void tell_routes(Child& child);
    bool children_left(bool retired) const;
    Child* child_at(NodeIndex index);
    Child* child_above(NodeIndex node);
    Child& add_child(Block block);
    awaitable<void> receive(NodeIndex from, Child::Link link);
    bool adopt(Child::Link link, const AttachMessage& message);

    void open_stage();
    awaitable<void> stage_files();
    void stage_failed(Error error);
    void end_waiting(int signal);
    void start_ready_ranks();
    void unlock(StartGate::Lock lock);
    void open_input();
    void assign_to(Child& child);
    void lose_ranks(NodeIndex node, const AssignmentMessage& part);
    void start_ranks(NodeIndex number, const std::vector<RankRun>& runs);
    void start_blocks(const Block& block, const std::vector<NodeIndex>& starts);
    void set_window(size_t children);
    void start_rest(const Child& failed);
    void start_parts(const Child& lost);
    bool output_pending() const;
    awaitable<void> run_child(Child& child);
    bool reads_input(const std::vector<std::vector<RankRun>>& ranks) const;
    void add_ranks_of(const Child& child, const std::vector<std::vector<RankRun>>& ranks);
    /// Ranks are known, here and below.
    bool placed() const { return settings_.job.ranks > 0; }
    awaitable<std::vector<std::string>> finish_children(milliseconds limit);
    void close_waiting_links();

    any_io_executor executor_;
    Settings settings_;
    Upstream& upstream_;
    std::stop_source stop_;
    std::unique_ptr<ModexServer> modex_;
    InputMerge input_;
    NewsCount news_{0, 0};
    SubtreeMap below_;
    Generations generations_;
    SubtreeMap::ChildId last_child_ = 0;
    OrderLog orders_;
    std::unique_ptr<Stage> stage_;  ///< null: no files are staged
    StartGate gate_;                ///< of the ranks here
    bool stage_failed_ = false;
    int unstarted_by_ = 0;      ///< the signal that ended the ranks before they started
    bool input_known_ = false;  ///< who reads it, but for ranks here that have not started
    /// The number of this node among those with ranks, and its ranks, until they start.
    std::optional<std::pair<NodeIndex, std::vector<RankRun>>> placed_ranks_;
    std::optional<AckDesk> acks_;  ///< of the head
    ChildContext context_;
    LocalRanks ranks_;
    std::vector<std::unique_ptr<Child>> children_;
    size_t running_children_ = 0;
    std::unique_ptr<DirectLinks> links_;
    std::unique_ptr<Routing> routing_;  ///< null: contacts are not asked for
    std::unique_ptr<PeerLinks> peers_;  ///< null: not open
    /// That came before.
    std::map<NodeIndex, std::unique_ptr<ByteStream>> early_peers_;
    std::vector<Child::Link> parting_;  ///< to those who were sent on
    /// Below this node, whose contacts will not come by its children; until the gathering, which
    /// may begin in the middle of a job, has been told.
    std::vector<NodeRange> missing_;
    NodeIndex self_ = 0;
    NodeIndex tree_nodes_ = 1;  ///< of the whole job, when it was started
    NodeIndex block_size_ = 1;
    std::string address_;  ///< by which this node was reached
    std::string host_;
    bool remote_ = false;
    bool late_ = false;  ///< ranks are placed by assign()
    std::optional<AssignmentMessage> assignment_;
    std::deque<std::string> trace_;
    bool tracing_ = false;
    bool refusing_ = false;  ///< nobody finds a new parent here
    bool finishing_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
