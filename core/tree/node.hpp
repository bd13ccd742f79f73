// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/link/ack_desk.hpp"
#include "core/link/bounds.hpp"
#include "core/link/direct_links.hpp"
#include "core/topology.hpp"
#include "core/tree/child.hpp"
#include "core/tree/generations.hpp"
#include "core/tree/peer_links.hpp"
#include "core/tree/routing.hpp"
#include "core/tree/tree_user.hpp"

namespace launch {

/// A node of the tree, head and relay alike: starts the relays below it, keeps the links to them
/// and heals the tree, carries reports up and orders down, and what its user says either way.
class Node : private DirectLinkHandler, private ChildOwner {
  public:
    struct Settings {
        const TreeMessage& tree;  ///< outlives the node
        std::string tree_bytes;   ///< the same, encoded
        std::string build_id;
        const Topology& topology;
        const Topology* routing;  ///< of the routing tree; null: that of the start
        Transport& transport;
        const DirectLinksFactory& make_links;
        Bounds bounds;
    };

    Node(any_io_executor executor, Settings settings, Upstream& upstream);

    /// Names who uses the tree; before anything else. The user outlives the node's last coroutine.
    void carry(TreeUser& user) { context_.user = &user; }
    /// The parameters with which a node was started; the head has only a key.
    struct Origin {
        std::vector<Contact> ancestors;  ///< where nodes above take direct links, the parent first
        std::string address;             ///< by which the parent has reached this node
        NodeKey key;                     ///< this node's own, with the lineage of its parent
    };
    /// Then: takes the block, whose first node is this one.
    void open(const Block& block, Origin origin);
    /// Starts the relays below.
    void start();
    /// No relay is started any more.
    void stop_starting() { stop_.request_stop(); }

    /// New nodes, with numbers greater than this one's, are to be below this node: it starts those
    /// for which it has room, and hands the others on to its children (core/tree/growth.hpp). This
    /// is done also after stop_starting().
    void grow(const GrowMessage& message);
    /// This node is to leave the tree: waits until those of its children have left that are to
    /// leave as well, then has the others find another parent.
    awaitable<void> part_from_children();

    /// The children that are in the tree, without those that are only being started.
    std::vector<ChildView> children() const;
    std::vector<NodeIndex> child_indices() const;
    /// The children with those that are only being started.
    std::vector<ChildView> all_children() const;
    /// How many numbers of nodes there are, from the head's on, as far as this node has heard.
    NodeIndex size() const { return tree_nodes_; }
    /// This node was not there at the start of the tree, but joined it as it ran.
    bool has_joined() const { return has_joined(self_); }
    /// The number is that of a node that was given up, wherever it was: a relay that comes under it
    /// is none of the tree.
    bool is_given_up(NodeIndex node) const { return below_.is_lost(node); }
    /// The node was below a child of this one, and was lost.
    bool is_lost(NodeIndex node) const {
        return !below_.owner(node) && below_.last_owner(node).has_value();
    }
    /// To the user's part at a child: see Child::send_user(). Where that child is not there any
    /// more nothing is sent.
    void send_child(NodeIndex child, FrameType type, std::string_view body);
    void send_child(NodeIndex child, FrameType type, MessageSource messages);
    void send_input(NodeIndex child, std::string_view bytes);
    /// To the user's part at any node, once TreeUser::peers_open() was called.
    void send_peer(RoutePosition to, std::string message) { peers_->send(to, std::move(message)); }
    /// At the head: the user wants TreeUser::peers_open() to be called; or no_peers(), if it cannot
    /// be.
    void want_peers() { tasks_.spawn(ask_for_contacts()); }
    /// The user knows now on which nodes it is.
    void open_peers();
    /// The children are given these files of the job from now on.
    void feed_children(JobNumber job, const std::shared_ptr<SegmentShelf>& shelf);
    void stop_feeding(JobNumber job);

    /// Where contacts are gathered (see Routing): those that are lost will not tell theirs.
    void settle(const FailureMessage& failure);
    /// At the head: the contacts that have come. Only where a routing tree is wanted, or contacts
    /// were asked for.
    const ContactGather& contacts() const { return routing_->gather; }
    /// Where and by which key this node takes direct links.
    Contact own_contact() const;
    /// The generation that a relay of the node must have at least; see core/tree/generations.hpp.
    uint32_t generation_of(NodeIndex node) const { return generations_.least(node); }
    uint32_t latest_generation(const std::vector<NodeRange>& nodes) const override {
        return std::max(block_.generation, generations_.greatest(nodes));
    }
    std::optional<FailureMessage> still_true(const FailureMessage& failure) const override {
        return launch::still_true(failure, generations_);
    }
    /// At the head: the tree of the start remains after all. No other node has to know.
    void stay_as_started();
    /// A node above has confirmed this node's place below it: the present one, or a new one.
    void place_confirmed();
    /// These nodes are above this one from now on, the parent first.
    void set_ancestors(const std::vector<Contact>& ancestors);
    bool has_routes() const { return routing_ && routing_->table; }
    const Routing& routing() const { return *routing_; }
    /// How far this node has come to its place in the routing tree; ParentLink looks for it there.
    RouteState route_state() const { return routing_ ? routing_->state : RouteState::of_start; }
    bool goes_over() const { return launch::goes_over(route_state()); }
    /// There is a routing tree to which all nodes will go over, or have, if the head does not give
    /// it up.
    bool may_go_over() const {
        return settings_.routing != nullptr && routing_ && routing_->state != RouteState::stays;
    }
    /// Whether this node will switch to the routing tree, and has not done so yet.
    bool is_about_to_go_over() const {
        return may_go_over() && !has_joined() && route_state() != RouteState::placed;
    }
    /// The direct links of this node; null where there are to be none.
    DirectLinks* links() { return links_.get(); }

    /// At the head, something for all nodes, itself included:
    ///  - pause: the head is about to be stopped, its silence is not death;
    ///  - want_contacts: all tell where they take direct links;
    ///  - routes (RoutesMessage): all nodes of the routing tree, in which each looks for its place;
    ///  - remove (RemoveMessage): these nodes leave, and the tree stays;
    ///  - finish: it is over, all leave;
    ///  - and what the user has for its own parts. With start_ranks nobody is started any more.
    void broadcast(FrameType type, std::string_view body);
    void broadcast(FrameType type, uint64_t value) { broadcast(type, encode_number(value)); }
    /// Takes a broadcast of the head from above. It is forwarded and obeyed once, however often it
    /// arrives. False: malformed.
    bool hear(FrameType type, Broadcast message);
    const Bounds& bounds() const { return settings_.bounds; }
    /// All that the head has told and that still counts.
    const BroadcastLog& orders() const { return broadcasts_; }
    /// The number of the last thing that the head has told.
    uint64_t heard() const { return broadcasts_.last(); }
    /// The number of the last broadcast that has arrived at this node and at all nodes below it. A
    /// node that is being started does not count: it gets everything that is known here when it
    /// greets.
    uint64_t heard_below() const;
    /// The nodes below this one, with those that were lost there.
    std::vector<NodeRange> below() const;
    /// This node and those that live below it.
    std::vector<NodeRange> all_here() const;
    /// The parent says that nodes which were below this one have another parent. False: they never
    /// were.
    bool release(const MovedMessage& message);
    /// An acknowledgement from the head to one node below (AckMessage). False: malformed.
    bool pass_ack(std::string_view payload);
    /// At the head: tells a node how much of its output of the job has been read, see
    /// OutputAccount::read().
    void output_read(NodeIndex origin, JobNumber job, uint64_t bytes);
    /// This node has no parent any more and ends: no relay is to find a new parent here.
    void lose_parent() {
        come_to(Door::shut);
        if (broadcasts_.has(FrameType::finish)) confirm_all();
    }
    /// This node ends, and the job does not: the nodes below are to find another parent.
    void leave_children();
    /// A link above broke: all nodes below say again what the head has not acknowledged.
    void ask_again();
    /// This node has come to another parent, which it has told of these nodes below it.
    void new_parent(const std::vector<NodeRange>& told);
    /// Begins the end: no relay is started any more, and a relay that comes is dismissed.
    void begin_end();
    /// Waits until the relays below have left. Cuts off those that have not left after `limit`, and
    /// returns the names of their hosts. From then on no relay finds a parent here.
    awaitable<std::vector<std::string>> finish_children(milliseconds limit);
    /// Output of some job waits for its reader.
    bool output_pending() const;
    /// A child waits only for the head to confirm its reports, or has one below it that does: it is
    /// not stuck.
    bool waits_for_head() const;
    awaitable<void> join();
    /// The last call: after join(), and when the link to the parent is not to be renewed any more.
    awaitable<void> close_links();
    /// The cost of this node, without its link to the parent and without counts().
    NodeStats stats() const;
    /// Traffic of this node's links to its children and peers.
    LinkCounts counts() const;
    /// One beat of the liveness clock (see Child::beat).
    void beat(bool starting, int late);
    void announce(bool starting);

  private:
    /// Whether it uses the table of the routing tree. A node that joined is in no table, and has
    /// none.
    bool has_own_table() const { return goes_over() && !has_joined(); }
    /// In the routing tree: those who have theirs below it may come.
    bool has_place() const { return route_state() == RouteState::placed; }
    bool wants_link(const DirectCall& call) override;
    void direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) override;
    void confirm(NodeIndex origin, size_t bytes) override;
    std::string acknowledgement(NodeIndex origin) const;
    void confirm_all();
    bool contacts_came(const Child& child, const ContactsMessage& message) override;
    bool may_speak_for(const Child& child, const std::vector<NodeRange>& nodes) const override;
    bool may_speak_for(const Child& child, NodeRange nodes) const;
    SubtreeMap::ChildId branch_of(const Child& child) const;
    bool comes_along_its_branch(const DirectCall& call) const;
    bool claims_more(const DirectCall& call, const AttachMessage& message) const;
    void have_left(const Child& child, const NodesMessage& nodes) override;
    void lost(const FailureMessage& failure, std::optional<SubtreeMap::ChildId> through) override;
    void give_restarted(SubtreeMap::ChildId through, NodeRange nodes);
    /// Another relay was started in the child's place.
    bool is_replaced(const Child& child) const {
        return child.block().generation < generations_.least(child.index());
    }
    void not_started(NodeIndex node, std::optional<SubtreeMap::ChildId> through) override;
    bool starts_hosts() const override {
        return context_.user->waits_for_hosts() && !stop_.stop_requested();
    }
    bool asks_to_stay(Child& child, const AttachMessage& message) override;
    bool gained(Child& child, const MovedMessage& message) override;
    void placed(Child& child, const RoutedMessage& routed) override;
    void start_ended(const Child& child) override;
    awaitable<void> tell_slow_starts();

    void open_links(size_t children, const std::vector<Contact>& ancestors, NodeKey key);
    size_t route_children() const;
    void open_routing();
    void listen();
    awaitable<void> ask_for_contacts();
    bool waits_for_peer(NodeIndex from) const {
        return routing_ && !is_ending() && early_peers_.count(from) == 0;
    }
    void peer_connected(NodeIndex from, std::unique_ptr<ByteStream> stream);
    void send_contacts();
    void add_missing(NodeRange nodes);
    void tell_missing();
    bool act_on(FrameType type, std::string_view body);
    bool set_routes(std::string_view body);
    void go_over();
    void join_routes(const std::vector<RouteStop>& stops);
    void retire(Child& child);
    void reroute(Child& child, const Block& block);
    awaitable<bool> wait_for_place(Child::Link asker);
    awaitable<void> let_stay(SubtreeMap::ChildId asker, Child::Link link, AttachMessage message);
    void gain(Child& child, const std::vector<NodeRange>& nodes,
              const std::vector<NodeRange>& report);
    void contradict(Child& child, const std::vector<NodeRange>& nodes);
    std::vector<std::pair<Child*, NodeRange>> by_child(NodeRange nodes);
    void tell_lost(Child& child, NodeRange nodes);
    static bool came_by_itself(const Child* child, const std::vector<NodeRange>& nodes);
    void tell_who_is_elsewhere(Child& child, const std::vector<NodeRange>& brought,
                               const std::vector<NodeRange>& report);
    void move_nodes(Child& above, const Child& child, NodeRange nodes);
    /// The nodes among these that the first one takes along to another parent; see Routing.
    std::vector<NodeRange> moving_with(const std::vector<NodeRange>& nodes) const;
    void release_absent(const Child& child, NodeRange nodes);
    void tell_gained(const std::vector<NodeRange>& told);
    void take_others(Child& child, const std::vector<NodeRange>& brought);
    awaitable<void> send_on(Child::Link link, FrameType type, std::string payload);
    bool children_left(bool retired) const;
    Child* child_at(NodeIndex index);
    Child* child_above(NodeIndex node);
    Child* child_of(std::optional<SubtreeMap::ChildId> id);
    Child& add_child(Block block);
    awaitable<void> receive(DirectCall call, Child::Link link);
    bool attach_or_adopt(Child::Link link, const AttachMessage& message);
    bool adopt(Child::Link link, const AttachMessage& message);
    std::vector<NodeRange> brought_by(const Child& child, const AttachMessage& message) const;
    std::vector<NodeRange> coming_from(const Child& above,
                                       const std::vector<NodeRange>& brought) const;
    void tell_who_has_left(Child& child, const std::vector<NodeRange>& brought);
    std::optional<Block> block_of(const AttachMessage& message, const Child& above) const;
    void say_who_stays(NodeRange leaving, const Child* above);

    bool has_joined(NodeIndex node) const { return node > settings_.tree.nodes; }
    NodeRange start_range() const { return {0, settings_.tree.nodes + 1}; }
    NodeRange joined_range() const;
    size_t degree() const;
    void place_joined(const Block& block);
    void hand_on(const Block& block);
    void drop_ended();
    void forget(NodeRange nodes);
    std::optional<Block> joined_block(NodeRange nodes, uint32_t generation) const;
    void start_joined(const Block& block);
    void restart_left_behind(const Child& gone) override;
    bool begin_removal(std::string_view body);
    awaitable<void> let_leave(Child& child, std::optional<FailureMessage> loss);
    void lose_rest_of(const Child& child, const std::string& cause);

    void start_blocks(const Block& block, const std::vector<NodeIndex>& starts);
    void set_window(size_t children);
    void start_rest(const Child& failed);
    void start_parts(const Child& lost);
    awaitable<void> run_child(Child& child);

    any_io_executor executor_;
    Settings settings_;
    Upstream& upstream_;
    std::stop_source stop_;
    ReportFilter reports_{0, 0};
    SubtreeMap below_;
    /// To which child each node was handed when it was to be started: its branch here. That does
    /// not change when the node comes to another parent.
    SubtreeMap branches_;
    Generations generations_;
    SubtreeMap::ChildId last_child_ = 0;
    BroadcastLog broadcasts_{settings_.bounds.broadcasts};
    Clock::time_point confirmed_at_{};  ///< when a confirmation passed here last, or all should end
    std::optional<AckDesk> acks_;       ///< where reports end: at the head; see confirm_all()
    ChildContext context_;
    std::vector<std::unique_ptr<Child>> children_;  ///< in the order of their ids
    size_t running_children_ = 0;
    std::map<NodeIndex, Host> joined_;  ///< nodes below this one that joined the tree as it ran
    std::set<NodeIndex> ordered_out_;   ///< nodes that are to leave in order, and have not yet
    /// Children that are to leave the tree, from when that is known here until they have left.
    std::set<SubtreeMap::ChildId> parting_;
    std::unique_ptr<DirectLinks> links_;
    std::unique_ptr<Routing> routing_;  ///< null: contacts are not asked for
    std::unique_ptr<PeerLinks> peers_;  ///< null: not open
    /// Links of peers that called before this node knew of all nodes, by the caller.
    std::map<NodeIndex, std::unique_ptr<ByteStream>> early_peers_;
    /// Nodes whose contacts are not waited for here, as they failed or have come to another parent.
    /// They are kept until contacts are gathered, which may begin in the middle of a job.
    std::vector<NodeRange> missing_;
    Block block_;  ///< of this node, as it was started
    Clock::time_point opened_at_;
    bool tells_slow_starts_ = false;
    NodeIndex self_ = 0;
    NodeIndex tree_nodes_ = 1;  ///< one more than the greatest number this node has heard of
    std::string address_;       ///< by which this node was reached
    /// What becomes of a relay that looks for a parent here. A node's door is only ever changed to
    /// a later one of these.
    enum class Door : uint8_t {
        open,    ///< it is taken in
        ending,  ///< it is taken in, and told to leave as the job is over
        shut,    ///< it has to look elsewhere
    };
    void come_to(Door door) {
        door_ = std::max(door_, door);
        changed_.notify();
    }
    /// The nodes may be below this one as far as their numbers say, which are larger than its own.
    bool is_below(NodeRange nodes) const {
        return nodes.first > self_ && nodes.first < tree_nodes_ &&
               nodes.count <= tree_nodes_ - nodes.first;
    }
    bool is_ending() const { return door_ != Door::open; }

    Door door_ = Door::open;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
