// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/link/bounds.hpp"
#include "core/link/direct_links.hpp"
#include "core/link/direct_move.hpp"
#include "core/link/framed_link.hpp"
#include "core/link/heartbeat.hpp"
#include "core/link/neighbour_channels.hpp"
#include "core/link/output_account.hpp"
#include "core/link/report_log.hpp"
#include "core/tree/parent_state.hpp"
#include "core/tree/route_state.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// A relay's way to its parent, which outlives the link that carries it: where that breaks, a
/// direct link to the parent, or to the nearest other ancestor that answers, takes its place, and
/// what may have been lost is said again. Reports to the head are kept until the head has confirmed
/// them (ReportLog), what neighbours say to each other until the neighbour has (NeighbourChannel).
class ParentLink {
  public:
    using LastWords = std::function<void(const std::string&)>;
    /// `last_words` gets why this relay refuses what its parent sent.
    ParentLink(any_io_executor executor, std::unique_ptr<ByteStream> streams, std::string build_id,
               LastWords last_words);

    /// Greets the process at the other end. False: that is no launch of this build.
    awaitable<bool> greet();

    /// The state and functions of its node that the link needs to find another link or parent.
    struct Kin {
        NodeIndex self = 0;
        uint32_t generation = 0;  ///< see core/tree/generations.hpp
        NodeIndex size = 1;       ///< how many nodes the block of this relay has
        LinkChoice choice = LinkChoice::automatic;
        std::chrono::milliseconds connect_timeout{};
        Bounds bounds{};
        DirectLinks* links = nullptr;     ///< null: there is no other link than the first
        std::vector<Contact> ancestors;   ///< the parent first
        std::function<uint64_t()> heard;  ///< the number of the last Broadcast
        /// The same of this node and all below it.
        std::function<uint64_t()> heard_below;
        std::function<bool()> waits_below;  ///< see Node::waits_for_head()
        std::function<RouteState()> route;  ///< how far this node has come to the routing tree
        std::function<std::vector<NodeRange>()> below;  ///< see AttachMessage
        DirectMove::Failed failed;
        /// The node has another parent, which knows nothing of the messages to the old one. In
        /// AttachMessage::below the new one got these nodes.
        std::function<void(const std::vector<NodeRange>&)> adopted;
        /// There is another link, to the same parent or another: the nodes below must say again
        /// what went through here, as it may be lost with the old link.
        std::function<void()> renewed;
    };
    void open(Kin kin);
    /// There is a routing tree, in which this relay's block has so many nodes, and these nodes are
    /// above it, the parent first. The next receive() looks for a place there. The present link
    /// stays open, but is not listened to any more. Not to be called while receive() waits.
    void reroute(NodeIndex size, std::vector<Contact> ancestors);
    /// The parent that this relay has now.
    NodeIndex parent() const { return parent_.node; }
    /// All nodes above this one, the parent first.
    const std::vector<Contact>& ancestors() const { return kin_.ancestors; }
    /// Why the parent is not the one that the routing tree has for this node; empty: it is that
    /// one.
    const std::string& detour() const { return detour_; }
    /// The parent takes so many more bytes of output.
    void add_credit(uint64_t bytes) { link_->add_credit(bytes); }
    /// Before the first report: this node's number, under which its reports go.
    void set_origin(NodeIndex self) { log_.set_origin(self); }

    /// The next frame from the parent, whichever link it comes over, or from an ancestor that is
    /// asked for a place: FrameType::dismissed, or a Broadcast that this relay has missed. Nothing:
    /// there is no parent any more.
    awaitable<std::optional<Frame>> receive();

    /// The parent has said that hosts are still being started.
    bool parent_starting() const { return parent_starting_; }
    /// The head has said that no host is being started any more.
    void start_is_over() { parent_starting_ = false; }

    /// A broadcast has arrived: acknowledges from time to time how far all nodes from here on have
    /// got.
    void tell_heard();

    /// Tells the parent whether this node or one below it waits for the head, if that is new to it.
    void tell_waiting() {
        if (waits_for_head() != told_waits_) send_ping();
    }

    /// A report of this node.
    void report(FrameType type, std::string_view body);
    /// Call this before the first output of a job. `window`: JobMessage::output_window.
    void open_output(JobNumber job, uint64_t window);
    /// Call this when the job is over here.
    void close_output(JobNumber job) { outputs_.erase(job); }
    /// Output of such a job. Suspends while the head, or who reads the job's output, is slow.
    /// False: there is no parent any more.
    awaitable<bool> output(JobNumber job, OutputMessage message);
    /// A report from below, as it came.
    void pass(FrameType type, std::string_view payload);
    awaitable<bool> pass_output(std::string payload);
    /// Something to the parent itself, once and in order; see NeighbourChannel. `now`: it is not to
    /// wait for more to go with it.
    void keep(FrameType type, std::string_view body, bool now);

    /// Much data is to come from the parent: a direct link to it is worth its making.
    void expect_much() {
        if (move_) move_->expect_much();
    }
    /// So many messages of NeighbourChannels::control have come from the parent.
    uint64_t received() const { return channels_.control.received(); }
    LinkCounts counts() const;
    bool is_direct() const { return renewals_ > 0 || link_->moved(); }
    /// How many links are open: the one to the parent, and that of the start where it is another.
    uint32_t open_links() const { return link_of_start_ ? 2 : 1; }

    /// One beat of the liveness clock; see Child::beat(). `paused`: the user has stopped the head.
    void beat(bool starting, bool paused, int late);

    /// Waits until the head has confirmed all reports of this node, or there is no parent any more:
    /// up to then they can be said again where links above break. To be called when this node has
    /// nothing more to say, and only where FrameType::finish came from above: then the head
    /// confirms each report at once.
    awaitable<void> confirmed();
    /// The last such message of the parent makes no sense.
    void refuse(FrameType type) { refuse(malformed(type)); }
    /// Says the last words, then ends.
    awaitable<void> finish();
    /// Ends now.
    void close();

  private:
    awaitable<std::optional<Frame>> next_of(std::shared_ptr<FramedLink> link);
    bool handle(Frame& frame, bool& done);
    bool handle_numbered(NeighbourChannel& channel, Frame& frame, bool& done);
    void refuse(const std::string& what) const;
    void acknowledged(const AckMessage& ack);
    void ask_what_was_read();
    void step(ParentEvent event);
    bool gone() const { return state_ == ParentState::leaving || state_ == ParentState::gone; }
    /// The result of a request for a position: the frame that answered it. The answer may be a
    /// routing tree that this node did not know.
    struct Answer {
        enum class Kind : uint8_t { unreachable, refused, answered } kind = Kind::unreachable;
        Frame frame;
        bool asked_to_wait = false;  ///< by one that has no place itself yet
    };
    /// Looks for a parent. The result is a frame that the user of this class must know of; nothing:
    /// there is a link now, or none will be found.
    awaitable<std::optional<Frame>> seek();
    awaitable<Answer> renew(std::chrono::milliseconds limit);
    /// In the routing tree. Not before this relay has its part of the tree.
    bool looks_for_place() const { return kin_.route && kin_.route() == RouteState::moving; }
    awaitable<Answer> go_over();
    awaitable<Answer> ask_parent();
    awaitable<Answer> attach_to(Contact contact, std::chrono::milliseconds limit,
                                Clock::time_point deadline);
    awaitable<Answer> call(Contact contact, std::chrono::milliseconds limit,
                           Clock::time_point deadline);
    awaitable<Answer> attach_over(std::shared_ptr<FramedLink> link, Contact contact,
                                  std::chrono::milliseconds limit, Clock::time_point deadline);
    std::string attach_message(bool same_parent);
    awaitable<std::optional<Frame>> next_answer(std::shared_ptr<FramedLink> link,
                                                std::chrono::milliseconds limit);
    void leave_link();
    void set_ancestors(std::vector<Contact> ancestors);
    void switch_to(std::shared_ptr<FramedLink> link, AttachedMessage answer,
                   const Contact& contact);
    int borne_silence() const;
    void resend();
    bool waits_for_head() const {
        return (waits_ && !log_.empty()) || (kin_.waits_below && kin_.waits_below());
    }
    void send_ping();
    awaitable<void> pump();

    any_io_executor executor_;
    std::string build_id_;
    LastWords last_words_;
    std::shared_ptr<FramedLink> link_;
    Kin kin_;
    NeighbourChannels channels_;
    ReportLog log_;
    std::optional<DirectMove> move_;
    Event changed_;
    Turns room_;  ///< of the log, for output of ranks here
    struct JobOutput {
        JobOutput(const any_io_executor& executor, uint64_t window)
            : room(executor), account(window) {}

        Turns room;
        OutputAccount account;
    };
    std::map<JobNumber, JobOutput> outputs_;
    std::stop_source stop_;
    TaskGroup writing_;
    TaskGroup tasks_;
    Contact parent_;  ///< the parent, with the address by which it was reached
    std::string detour_;
    /// AttachMessage::below of the first one since there was a link.
    std::optional<std::vector<NodeRange>> told_below_;
    std::shared_ptr<FramedLink> coming_;  ///< to an ancestor that is being asked for a place
    std::shared_ptr<FramedLink> asked_;   ///< see ask_parent()
    /// The link of the start, once the relay has another parent in the routing tree.
    std::shared_ptr<FramedLink> link_of_start_;
    LinkCounts past_counts_;  ///< what links have carried that are not link_ any more
    uint32_t renewals_ = 0;   ///< how often there was another link
    ParentState state_ = ParentState::linked;
    bool starting_ = false;
    bool parent_starting_ = true;
    bool waits_ = false;       ///< see confirmed()
    bool told_waits_ = false;  ///< PingMessage::waits_for_head of the last ping
    uint64_t told_heard_ = 0;  ///< see tell_heard()
    Silence silence_;
};

}  // namespace launch
