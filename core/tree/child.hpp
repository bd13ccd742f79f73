// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "core/async/task_group.hpp"
#include "core/link/broadcast_log.hpp"
#include "core/link/direct_links.hpp"
#include "core/link/framed_link.hpp"
#include "core/link/heartbeat.hpp"
#include "core/link/neighbour_channels.hpp"
#include "core/link/report_filter.hpp"
#include "core/push/image.hpp"
#include "core/stage/feed.hpp"
#include "core/transport.hpp"
#include "core/tree/block.hpp"
#include "core/tree/child_state.hpp"
#include "core/tree/subtree_map.hpp"
#include "core/tree/tree_user.hpp"
#include "core/tree/upstream.hpp"
#include "core/wire/growth_messages.hpp"
#include "core/wire/tree_message.hpp"

namespace launch {

class Child;

/// The functions of a node that its children call.
class ChildOwner {
  public:
    virtual ~ChildOwner() = default;

    /// A report has been taken in. The head, where reports end, acknowledges them to the node that
    /// they are of, now and then; other nodes do nothing.
    virtual void confirm(NodeIndex origin, size_t bytes) = 0;
    /// The child tells where nodes below it take direct links. False: no node was asked for that.
    virtual bool contacts_came(const Child& child, const ContactsMessage& contacts) = 0;
    /// Each of these nodes is the child or can be below it, so that the child may speak for it.
    virtual bool may_speak_for(const Child& child, const std::vector<NodeRange>& nodes) const = 0;
    /// The child reports that these nodes, which had joined the tree, have left it as ordered.
    virtual void have_left(const Child& child, const NodesMessage& nodes) = 0;
    /// The nodes that a report names are lost. `through`: the child that passed the report on;
    /// nothing: this node itself has lost a child.
    virtual void lost(const FailureMessage& failure,
                      std::optional<SubtreeMap::ChildId> through) = 0;
    /// The child has another parent now. Nodes that joined the tree and were handed to it here, but
    /// that it did not bring to its new parent, are started another way if nothing was heard of
    /// them; all others that it has left here are lost.
    virtual void restart_left_behind(const Child& gone) = 0;
    /// The node's relay could not be started; `through` as in lost().
    virtual void not_started(NodeIndex node, std::optional<SubtreeMap::ChildId> through) = 0;
    /// The generation of the latest relay that has been started at any of these nodes, as far as
    /// this node knows.
    virtual uint32_t latest_generation(const std::vector<NodeRange>& nodes) const = 0;
    /// By the generations that this node knows; see core/tree/generations.hpp.
    virtual std::optional<FailureMessage> still_true(const FailureMessage& failure) const = 0;
    /// Hosts are still being started, and no ranks are placed yet: when a child is lost, the nodes
    /// below it of which nothing was heard are started another way.
    virtual bool starts_hosts() const = 0;
    /// The child asks for its place in the routing tree over the link that it has. The answer is
    /// Child::confirm_place(). False: there is no routing tree.
    virtual bool asks_to_stay(Child& child, const AttachMessage& message) = 0;
    /// The child says that these nodes are below it from now on. False: they cannot be below this
    /// node.
    virtual bool gained(Child& child, const MovedMessage& nodes) = 0;
    /// A node has told the head, by way of that child, that it has its place in the routing tree.
    virtual void placed(Child& child, const RoutedMessage& routed) = 0;
    /// The child's relay, which is started from here, has greeted, or cannot be had.
    virtual void start_ended(const Child& child) = 0;
};

/// State that all children of a node share.
struct ChildContext {
    any_io_executor executor;
    Transport& transport;
    Upstream& upstream;
    const TreeMessage& tree;
    std::string tree_bytes;  ///< `tree` as it came from the parent, to be passed on
    std::string build_id;
    std::stop_token stop;  ///< the job ends: start nobody any more
    uint64_t window = 0;   ///< bytes of output that a child may send before they are passed on
    /// Where this node and its ancestors take direct links, this node first.
    std::vector<Contact> contacts;
    ReportFilter& reports;  ///< tells which reports of nodes below have been here before
    SubtreeMap& below;      ///< which child has which nodes below it
    const BroadcastLog& broadcasts;
    ChildOwner& owner;
    TreeUser* user = nullptr;
    DirectLinks* links = nullptr;    ///< null: there are to be none
    std::vector<NodeRange> lineage;  ///< this node's, see NodeKey
    /// The files of each job that children are given.
    std::map<JobNumber, std::shared_ptr<SegmentShelf>> stages;
    /// Our own executable; there from when the first host was seen to lack it.
    std::optional<Image> image;
    /// No host of the start is waited for any more: silence is borne for less long.
    bool start_is_over = false;
    std::string host = {};  ///< this node's own, as messages name it; empty: the head's
};

/// One child relay of this node, and the block of nodes below it. This node starts the relay
/// through the transport, greets it, gives it its part of the tree, and listens to it until its
/// link ends and no other link takes that one's place in time. When the child's host cannot be
/// started, the node starts the rest of block() another way, so that every host is tried. A child
/// can also be one that another node started, and that came here when it had lost its parent, or
/// since the routing tree has it here.
class Child {
  public:
    /// `id`: the child's own number in the node's SubtreeMap, where the node enters which nodes the
    /// child has.
    Child(ChildContext& context, SubtreeMap::ChildId id, Block block);

    /// Runs until the child's last link has ended, or its host could not be started.
    awaitable<void> run();

    using Link = std::shared_ptr<FramedLink>;
    /// Why the child is one of this node.
    enum class Origin : uint8_t {
        started_here,
        orphan,        ///< it has lost the parent that it had
        routing_tree,  ///< the routing tree has it here
    };
    /// Before run(): the child is not started from here, but comes by attach().
    void expect(Origin origin);
    bool came_here() const { return origin_ != Origin::started_here; }
    /// The child has come, or come back, over this link, for which write_to_end() runs already.
    /// False: it may not, and nothing has been said on the link.
    bool attach(Link link, const AttachMessage& message);
    /// The child has this block in the routing tree.
    void reroute(Block block) {
        block.generation = block_.generation;
        block_ = std::move(block);
    }
    /// The child has another parent in the routing tree: what it says here does not count any more,
    /// nothing is said to it, and its end is no loss. Its link stays open, as with some transports
    /// the command on the child's host ends with the link.
    void retire() { step(ChildEvent::retired); }
    /// A retired child could not reach its new parent, and keeps its place here, with that block.
    /// False: it has left meanwhile.
    bool stay_on(Block block);
    /// Answers a child that has asked for its place in the routing tree over the link that it has.
    void confirm_place(const AttachMessage& message);
    const Link& link() const { return link_; }
    ChildState state() const { return state_; }
    /// The child is in this node's subtree; see is_in_tree().
    bool lives() const { return is_in_tree(state_); }
    bool ended() const { return state_ == ChildState::ended; }
    /// Nodes below the child have moved elsewhere or are lost; perhaps this node has to wait for
    /// none of them any more.
    void subtree_changed() { changed_.notify(); }
    /// The node is below the child, or was when it was lost.
    bool had(NodeIndex node) const { return context_.below.last_owner(node) == id_; }
    /// Tells the child that these nodes have a parent elsewhere; it tells on whichever of its own
    /// children they were below.
    void tell_released(const MovedMessage& message);
    void tell_released(NodeIndex node) { tell_released({{{node, 1}}}); }
    /// The nodes of such messages that the child had not received when it had received so many of
    /// NeighbourChannels::control. They are in ascending order; a node may be there twice.
    std::vector<NodeIndex> released_since(uint64_t count) const;

    /// Tells the child to start these nodes below it, which join the tree.
    void grow(const GrowMessage& message) { keep(FrameType::grow, message.encode(), false); }
    /// The child runs, has a link to this node, and was not told to leave.
    bool is_linked() const { return state_ == ChildState::running; }

    /// Says something to the child if there is a link to it. Not said again over another link.
    void send(FrameType type, std::string_view payload);
    /// Forwards a broadcast of the head. A child without a link gets it when it comes.
    /// FrameType::start_ranks tells it that no host is being started any more.
    void broadcast(const BroadcastLog::Entry& entry);
    /// Sends what a job's part at this node says to its part at the child: each message arrives
    /// once and in order, over whichever link.
    void send_user(FrameType type, std::string_view body) { keep(type, body, true); }
    /// Sends many or large messages: each is made when the child has room for it.
    void send_user(FrameType type, MessageSource messages);
    /// Sends standard input, in an order of its own: control frames overtake it.
    void send_input(std::string_view bytes);
    /// The child gets the job's files from now on, as far as it asks for them.
    void feed(JobNumber job, const std::shared_ptr<SegmentShelf>& shelf);
    void stop_feeding(JobNumber job);
    /// The child's number in the node's SubtreeMap. (Two successive children of a node may have the
    /// same index.)
    SubtreeMap::ChildId id() const { return id_; }
    /// The node at the top of its block.
    NodeIndex index() const { return block_.first; }
    /// Tells the child to clean up and leave: its node is to leave the tree, or another relay runs
    /// in its place.
    void dismiss();
    /// The child and all below it have heard what the head has told all nodes up to that number, as
    /// far as the child has said.
    uint64_t heard() const { return heard_; }
    /// Ends the link now.
    void close();
    /// One beat of the liveness clock: says "I am here" to the child where nothing else was said,
    /// and closes the link of one that was silent for too many beats in a row. `late`: how many
    /// beats this process was late itself, Heartbeat::take().
    void beat(bool starting, int late);
    /// Tells the child whether hosts are still being started, if that is new to it.
    void announce(bool starting);

    /// The nodes of a lost child's block that have to be started in another way, in order.
    const std::vector<NodeRange>& rest() const { return rest_; }
    ChildView view() const { return {index(), context_.below.nodes_of(id_)}; }
    /// The child's view with the nodes that were lost while they were below it: a job counts their
    /// ranks with the child's.
    ChildView view_with_lost() const { return {index(), context_.below.nodes_ever_of(id_)}; }
    /// All nodes below the child, with those that were lost before: a report of that may have been
    /// lost on its way, and a relay that ends cannot repeat it.
    std::vector<NodeRange> all_below() const {
        return parts_within(view_with_lost().nodes, {index() + 1, UINT32_MAX - index()});
    }
    const Block& block() const { return block_; }
    /// None of the nodes that the child had is in its subtree any more, not even the child itself:
    /// all have another parent or are lost.
    bool released() const { return context_.below.count(id_) == 0; }
    /// Whether the child has, or had, a link to this node.
    bool has_come() const { return link_ != nullptr; }
    /// The child belongs to the tree as it is now: it is neither still being started nor retired.
    bool takes_part() const {
        return has_come() ? state_ != ChildState::retired : state_ == ChildState::expected;
    }
    /// The child runs, and its link is still the transport's.
    bool wants_direct_link() const { return is_spoken_to() && !has_direct_link(); }
    void offer(std::unique_ptr<ByteStream> direct) { link_->offer(std::move(direct)); }
    /// Traffic of all links of the child, one after the other.
    LinkCounts counts() const;
    bool has_direct_link() const { return direct_links_ > 0 || (link_ && link_->moved()); }
    uint32_t attached() const { return attached_; }
    /// How far the start of the child's relay is, if it is started from here.
    const StartClock& clock() const { return *clock_; }
    bool is_being_started() const { return state_ == ChildState::starting; }
    /// Bytes of launch's own executable that were sent to the child's host.
    uint64_t pushed_bytes() const { return pushed_bytes_; }
    /// Output has come from the child that could not be passed on yet.
    bool output_pending() const { return !outputs_.empty(); }
    /// See PingMessage.
    bool waits_for_head() const {
        return waits_for_head_ && lives() && state_ != ChildState::leaving;
    }

  private:
    /// How the child's last link ended.
    struct LinkEnd {
        enum class Kind : uint8_t { ended, silent, nonsense } kind = Kind::ended;
        std::string cause;  ///< of nonsense
    };
    /// The child's knowledge of the start of the tree. During the start, all nodes tolerate longer
    /// silences. A child that has not answered since it was sent the end of the start
    /// (over_unheard) may not know of it. Then the nodes below it still tolerate long silences;
    /// this node must do the same, or it would give them up before they look for another parent.
    enum class Start : uint8_t { goes_on, over_unheard, over };

    void step(ChildEvent event);
    awaitable<void> start_relay();
    awaitable<void> wait_to_come();
    bool continues(const AttachMessage& message) const;
    void answer(FramedLink& link, const AttachMessage& message);
    void greet();
    awaitable<void> listen();
    awaitable<LinkEnd> hear(Link link);
    awaitable<void> wait_for_return();
    void change_link();
    /// The link over which the child is spoken to.
    FramedLink& newest() { return next_link_ ? *next_link_ : *link_; }
    awaitable<bool> surely_dead();
    bool may_return() const;
    /// There is a link to the child, and what is said on it counts.
    bool is_spoken_to() const { return link_ && is_heard(state_) && state_ != ChildState::retired; }
    void keep(FrameType type, std::string_view body, bool now);
    void number_released();
    void forget_released(uint64_t count);
    void send_queued();
    void note_start(bool goes_on);
    void send_ping(bool starting);
    bool note_bye();
    bool is_trespass(const std::vector<NodeRange>& nodes);
    bool take_output(std::string payload);
    bool handle_report(Frame& frame);
    bool learn_from(FrameType type, NodeIndex origin, std::string_view body);
    bool learn_of_failure(std::string_view body);
    bool handle_numbered(Frame& frame);
    bool act_on_numbered(FrameType type, std::string_view body);
    awaitable<void> forward_output();
    awaitable<void> run_feed(JobNumber job, std::shared_ptr<StageFeed> feed);
    awaitable<bool> send_segment(JobNumber job, std::string payload);
    bool handle(Frame& frame);
    bool handle_of_link(Frame& frame);
    bool give_files(std::string_view payload);
    void give_part();
    void report_failure(Error error);
    std::vector<NodeRange> lost_below();
    void report_loss();
    void notice_noise();
    void notice_push(bool replaced);

    ChildContext& context_;
    std::shared_ptr<StartClock> clock_ = std::make_shared<StartClock>();
    SubtreeMap::ChildId id_;
    Block block_;
    Link link_;
    Link next_link_;  ///< takes the place of link_ when that one has ended
    NeighbourChannels channels_;
    /// The messages of tell_released() that the child may not have received when it made a report
    /// that still comes, by their numbers. A message in the queue is not_numbered yet.
    std::deque<std::pair<uint64_t, std::vector<NodeRange>>> released_;
    TaskGroup tasks_;
    Event changed_;
    /// Output that is to be passed on, with the link that it came over.
    std::deque<std::pair<Link, std::string>> outputs_;
    /// ChildContext::window when the newest link began: afterwards another may hold for others.
    uint64_t window_ = 0;
    std::map<JobNumber, std::shared_ptr<StageFeed>> feeds_;
    std::vector<NodeRange> rest_;
    LinkCounts past_counts_;  ///< what links have carried that have ended
    uint64_t pushed_bytes_ = 0;
    uint32_t direct_links_ = 0;  ///< how many links came by attach()
    uint32_t attached_ = 0;  ///< how many of these came since another one, or a parent, was lost
    ChildState state_ = ChildState::starting;
    Origin origin_ = Origin::started_here;
    Start start_ = Start::goes_on;
    uint64_t heard_ = 0;
    bool waits_for_head_ = false;
    bool has_spoken_ = false;  ///< it has said something here, so it knows that it is below here
    LinkEnd link_end_;
    Silence silence_;
};

}  // namespace launch
