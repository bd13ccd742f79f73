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

/// What a child needs of its node.
class ChildOwner {
  public:
    virtual ~ChildOwner() = default;

    /// At the head, where reports end: it confirms them to their origin, now and then.
    virtual void confirm(NodeIndex origin, size_t bytes) = 0;
    /// A child tells where those below it take direct links. False: nobody asked.
    virtual bool contacts_came(const Child& child, const ContactsMessage& contacts) = 0;
    /// A child says that these are lost: they and what they took with them.
    /// `through`: the child that passes it on; nothing: it is of this node itself.
    virtual void lost(const FailureMessage& failure,
                      std::optional<SubtreeMap::ChildId> through) = 0;
    /// It has another parent now, and what it was handed here beside its block is not known to have
    /// gone with it: all that is left is started another way.
    virtual void take_back(const Child& gone) = 0;
    /// Nobody has ever run there. A node that joined a tree may be tried again elsewhere.
    virtual void not_started(NodeIndex node) = 0;
    /// Of the relays that have been started there, as far as this node knows.
    virtual uint32_t latest_generation(const std::vector<NodeRange>& nodes) const = 0;
    /// What is left of the word about a loss, or about a start that failed, when those are left out
    /// whose relay is a later one than it is about. Nothing: it is about none any more.
    virtual std::optional<FailureMessage> still_true(FailureMessage failure) const = 0;
    /// Hosts may still be started, and no ranks are placed: where a child is lost, those below it
    /// of whom nothing was heard are started another way.
    virtual bool starts_hosts() const = 0;
    /// A child asks for its place in the routing tree over the link that it has: confirm_place()
    /// answers.
    virtual bool asks_to_stay(Child& child, const AttachMessage& message) = 0;
    /// A child says that these are below it from now on. False: none of this node's.
    virtual bool gained(Child& child, const MovedMessage& nodes) = 0;
    /// The node says, by way of that child, that it has its place in the routing tree.
    virtual void placed(Child& child, NodeIndex node) = 0;
    /// Its relay, which was started here, runs.
    virtual void greeted(const Child& child) = 0;
};

/// What all children of a node share.
struct ChildContext {
    any_io_executor executor;
    Transport& transport;
    Upstream& upstream;
    const TreeMessage& tree;
    std::string tree_bytes;  ///< the same, passed on as it came
    std::string build_id;
    std::stop_token stop;  ///< the job ends: start nobody any more
    uint64_t window = 0;   ///< output bytes a child may have on their way here
    /// Where this node and its ancestors take direct links, if they do, this one first.
    std::vector<Contact> contacts;
    ReportFilter& reports;  ///< of all nodes below
    SubtreeMap& below;
    const BroadcastLog& broadcasts;
    ChildOwner& owner;
    TreeUser* user = nullptr;
    DirectLinks* links = nullptr;    ///< null: there are to be none
    std::vector<NodeRange> lineage;  ///< of this node, see NodeKey
    /// What children are to be given, by job.
    std::map<JobNumber, std::shared_ptr<SegmentShelf>> stages;
    /// Our own executable, from when the first host was seen to want it.
    std::optional<Image> image;
};

/// One child relay of this node, and the block below it: started through the transport, greeted,
/// given its part, listened to until its link ends and no other takes its place in time. When its
/// host cannot be started, the node starts the rest of block() another way, so that every host is
/// tried. A child can also be one that another node started, and that came here when it lost that.
class Child {
  public:
    /// `id`: its own in the node's SubtreeMap, where the node enters what the child has.
    Child(ChildContext& context, SubtreeMap::ChildId id, Block block);

    /// Runs until the link has ended or the host could not be started.
    awaitable<void> run();

    using Link = std::shared_ptr<FramedLink>;
    /// Where a child comes from that is not started from here.
    enum class Origin : uint8_t {
        started_here,
        orphan,        ///< its parent was lost
        routing_tree,  ///< the routing tree has it here
    };
    /// It is not started here, but comes by attach().
    void expect(Origin origin);
    bool came_here() const { return origin_ != Origin::started_here; }
    /// It has come, or come back, over this link, which somebody writes already. False: it may not,
    /// and the link is untouched.
    bool attach(Link link, const AttachMessage& message);
    /// It is a child in the routing tree, of that block there.
    void reroute(Block block) {
        block.generation = block_.generation;
        block_ = std::move(block);
    }
    /// It has another parent in the routing tree: nothing is heard from or said to it any more, and
    /// its end is no loss. The link stays: some transports' commands end with it.
    void retire() { step(ChildEvent::retired); }
    /// It could not go there, and keeps its place here, with that block. False: it has left.
    bool stay_on(Block block);
    /// It keeps the link that it has.
    void confirm_place(const AttachMessage& message);
    const Link& link() const { return link_; }
    ChildState state() const { return state_; }
    /// Something is heard from it, or will be.
    bool lives() const { return is_in_tree(state_); }
    bool ended() const { return state_ == ChildState::ended; }
    /// Some of what it had has come to this node or to one above: it may have nothing left to wait
    /// for.
    void subtree_changed() { changed_.notify(); }
    /// The node is below it, or would be if it lived.
    bool had(NodeIndex node) const { return context_.below.last_owner(node) == id_; }
    /// That some of its block has another parent, to be told on to the node that they were below.
    void tell_released(const MovedMessage& message) {
        keep(FrameType::released, message.encode(), false);
    }

    /// These are to be below it from now on.
    void grow(const GrowMessage& message) { keep(FrameType::grow, message.encode(), false); }
    /// It runs and is heard: what it is told it hears.
    bool is_linked() const { return state_ == ChildState::running; }

    /// Down to the child, if it is there.
    void send(FrameType type, std::string_view payload);
    /// From the head to all; one that is not there is told when it comes. Who is told to start
    /// ranks knows by it that no host is being started any more.
    void broadcast(const BroadcastLog::Entry& entry);
    /// From a job's part here to its part there: once and in order, whatever link carries it.
    void send_user(FrameType type, std::string_view body) { keep(type, body, true); }
    /// The same for more than should wait here for a slow child.
    void send_user(FrameType type, MessageSource messages);
    /// The same for standard input, which control frames overtake.
    void send_input(std::string_view bytes);
    /// It is given the job's files, as far as it asks for them.
    void feed(JobNumber job, const std::shared_ptr<SegmentShelf>& shelf);
    void stop_feeding(JobNumber job);
    /// In the node's SubtreeMap. Two children of a node may have had the same index.
    SubtreeMap::ChildId id() const { return id_; }
    /// The node at the top of its block.
    NodeIndex index() const { return block_.first; }
    /// Another relay runs in its place: it cleans up and leaves.
    void dismiss();
    /// Ends the link now.
    void close();
    /// One beat of the liveness clock: says "I am here" where nothing else was said, and closes
    /// the link of a child that was silent for too many beats in a row (`late`: Heartbeat::take()).
    void beat(bool starting, int late);
    /// Tells the child whether hosts are still being started, if that is new to it.
    void announce(bool starting);

    /// What is left to start when it is lost: parts of its block, in order.
    const std::vector<NodeRange>& rest() const { return rest_; }
    ChildView view() const { return {index(), context_.below.nodes_of(id_)}; }
    /// The same, with those of its nodes that are lost: their ranks are counted with its own.
    ChildView view_with_lost() const { return {index(), context_.below.nodes_ever_of(id_)}; }
    const Block& block() const { return block_; }
    /// Nobody is below it any more, itself included: all have another parent.
    bool released() const { return context_.below.count(id_) == 0; }
    /// It has, or has had, a link to this node.
    bool has_come() const { return link_ != nullptr; }
    /// It is in this tree, and not one that is only being started.
    bool takes_part() const {
        return has_come() ? state_ != ChildState::retired : state_ == ChildState::expected;
    }
    /// It runs, and over no direct link yet.
    bool wants_direct_link() const { return is_spoken_to() && !has_direct_link(); }
    void offer(std::unique_ptr<ByteStream> direct) { link_->offer(std::move(direct)); }
    /// What its links, one after the other, have carried.
    LinkCounts counts() const;
    bool has_direct_link() const { return direct_links_ > 0 || (link_ && link_->moved()); }
    uint32_t attached() const { return attached_; }
    /// How far its start is, if it is started here.
    const StartClock& clock() const { return *clock_; }
    bool is_being_started() const { return state_ == ChildState::starting; }
    /// Bytes of launch itself that were sent to its host.
    uint64_t pushed_bytes() const { return pushed_bytes_; }
    /// Output came from it that its reader has not taken yet.
    bool output_pending() const { return !outputs_.empty(); }

  private:
    /// How the last link ended.
    struct LinkEnd {
        enum class Kind : uint8_t { ended, silent, nonsense } kind = Kind::ended;
        std::string cause;  ///< of nonsense
    };
    /// What it knows of the start of the tree: while that goes on silence is borne for longer. One
    /// that was not heard since it was told that the start is over may have been cut off before:
    /// those below it have not been told, and are to come here before they are given up.
    enum class Start : uint8_t { goes_on, over_unheard, over };

    void step(ChildEvent event);
    awaitable<void> start_relay();
    awaitable<void> wait_to_come();
    void answer(FramedLink& link, const AttachMessage& message);
    void greet();
    awaitable<void> listen();
    awaitable<LinkEnd> hear(Link link);
    awaitable<void> wait_for_return();
    void change_link();
    /// Where it is spoken to.
    FramedLink& newest() { return next_link_ ? *next_link_ : *link_; }
    awaitable<bool> surely_dead();
    bool may_return() const;
    /// The link is there and is read.
    bool is_spoken_to() const { return link_ && is_heard(state_) && state_ != ChildState::retired; }
    void keep(FrameType type, std::string_view body, bool now);
    void send_queued();
    void note_start(bool goes_on);
    void send_ping(bool starting);
    bool take_bye();
    bool handle_report(Frame& frame);
    bool learn_from(FrameType type, std::string_view body);
    bool learn_of_failure(std::string_view body);
    bool handle_numbered(Frame& frame);
    bool take_numbered(FrameType type, std::string_view body);
    awaitable<void> forward_output();
    void run_feed(JobNumber job, StageFeed& feed);
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
    Link next_link_;  ///< which takes its place
    NeighbourChannels channels_;
    TaskGroup tasks_;
    Event changed_;
    std::deque<std::pair<Link, std::string>> outputs_;  ///< over which link it came
    std::map<JobNumber, StageFeed> feeds_;
    std::vector<NodeRange> rest_;
    LinkCounts past_counts_;  ///< of links that broke
    uint64_t pushed_bytes_ = 0;
    uint32_t direct_links_ = 0;  ///< that took a broken one's place
    uint32_t attached_ = 0;
    ChildState state_ = ChildState::starting;
    Origin origin_ = Origin::started_here;
    Start start_ = Start::goes_on;
    LinkEnd link_end_;
    Silence silence_;
};

}  // namespace launch
