#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/link/direct_links.hpp"
#include "core/link/direct_move.hpp"
#include "core/link/framed_link.hpp"
#include "core/link/heartbeat.hpp"
#include "core/link/neighbour_channels.hpp"
#include "core/link/report_log.hpp"
#include "core/tree/parent_state.hpp"
#include "core/tree/route_state.hpp"

namespace launch {

/// A relay's way to its parent, which outlives the link that carries it: where that breaks, a
/// direct link to the parent, or to the nearest other ancestor that answers, takes its place, and
/// what may have been lost is said again. Reports to the head are kept until the head has confirmed
/// them (ReportLog), what neighbours say to each other until the neighbour has (NeighbourChannel).
class ParentLink {
  public:
    ParentLink(any_io_executor executor, std::unique_ptr<ByteStream> streams, std::string build_id);

    /// Greets; false: whoever started us is none of ours.
    awaitable<bool> greet();

    /// What is needed to find a new link, and to move to a better one.
    struct Kin {
        NodeIndex self = 0;
        uint32_t generation = 0;  ///< see core/tree/generations.hpp
        NodeIndex size = 1;       ///< nodes of the block
        LinkChoice choice = LinkChoice::automatic;
        std::chrono::milliseconds connect_timeout{};
        DirectLinks* links = nullptr;       ///< null: the link it began with is the only one
        std::vector<Contact> ancestors;     ///< the parent first
        std::function<uint64_t()> heard;    ///< the number of the last Broadcast
        std::function<RouteState()> route;  ///< how far this node has come to the routing tree
        std::function<std::vector<NodeRange>()> joined;  ///< see AttachMessage
        DirectMove::Failed failed;
        std::function<void()> adopted;  ///< by one who has nothing of what was said before
        /// The link was renewed, or leads to another ancestor: those below must say again what went
        /// through here.
        std::function<void()> renewed;
    };
    void open(Kin kin);
    /// There is a routing tree, where the block has so many nodes, and these are above it, the
    /// parent first. The next receive() looks for a place there. What the old link carries is not
    /// listened to any more; it stays open. Not while receive() waits.
    void reroute(NodeIndex size, std::vector<Contact> ancestors);
    /// The parent that it has, and all above it, the parent first.
    NodeIndex parent() const { return parent_.node; }
    const std::vector<Contact>& ancestors() const { return kin_.ancestors; }
    /// Why it is not the one that the routing tree has; empty: it is.
    const std::string& detour() const { return detour_; }
    /// The parent takes so many more bytes of output.
    void add_credit(uint64_t bytes) { link_->add_credit(bytes); }
    /// Who reports; before the first report.
    void set_origin(NodeIndex self) { log_.set_origin(self); }

    /// The next frame from the parent, whichever link it comes over, or from an ancestor that is
    /// asked for a place: FrameType::dismissed, or a Broadcast that this relay has missed. Nothing:
    /// there is no parent any more.
    awaitable<std::optional<Frame>> receive();

    /// The parent says that hosts are still being started.
    bool parent_starting() const { return parent_starting_; }
    /// The head says that none is any more.
    void start_is_over() { parent_starting_ = false; }

    /// A report of this node.
    void report(FrameType type, std::string_view body);
    awaitable<bool> output(std::string body);
    /// A report from below, as it came.
    void pass(FrameType type, std::string_view payload);
    awaitable<bool> pass_output(std::string payload);
    /// Between neighbours; see NeighbourChannel. `now`: others wait for it.
    void keep(FrameType type, std::string_view body, bool now);

    /// Much is to come: a direct link is worth it.
    void expect_much() {
        if (move_) move_->expect_much();
    }
    LinkCounts counts() const;
    bool is_direct() const { return renewals_ > 0 || link_->moved(); }
    /// Links that are open, with that of the start.
    uint32_t open_links() const { return link_of_start_ ? 2 : 1; }

    /// One beat of the liveness clock; see Child::beat(). `paused`: the head is, by its user.
    void beat(bool starting, bool paused, int late);

    /// Says the last words, then ends.
    awaitable<void> finish();
    /// Ends now.
    void close();

  private:
    awaitable<std::optional<Frame>> next_of(std::shared_ptr<FramedLink> link);
    bool handle(Frame& frame, bool& done);
    bool take_numbered(NeighbourChannel& channel, Frame& frame, bool& done);
    void step(ParentEvent event);
    bool gone() const { return state_ == ParentState::leaving || state_ == ParentState::gone; }
    /// What comes of asking for a place: the frame by which it was answered. A routing tree that
    /// was not known may be the answer.
    struct Answer {
        enum class Kind : uint8_t { unreachable, refused, answered } kind = Kind::unreachable;
        Frame frame;
        bool asked_to_wait = false;  ///< by one that has no place itself yet
    };
    /// What its user must know; nothing: it has a link now, or gives up.
    awaitable<std::optional<Frame>> seek();
    awaitable<Answer> renew(std::chrono::milliseconds limit);
    /// In the routing tree. Not before this relay has its part of the tree.
    bool looks_for_place() const { return kin_.route && kin_.route() == RouteState::moving; }
    awaitable<Answer> go_over();
    awaitable<Answer> ask_parent();
    awaitable<Answer> attach_to(Contact contact, std::chrono::milliseconds limit);
    awaitable<Answer> attach_over(std::shared_ptr<FramedLink> link, Contact contact,
                                  std::chrono::milliseconds limit);
    std::string attach_message(bool same_parent) const;
    awaitable<std::optional<Frame>> next_answer(std::shared_ptr<FramedLink> link,
                                                std::chrono::milliseconds limit);
    void leave_link();
    void take_ancestors(std::vector<Contact> ancestors);
    void take_over(std::shared_ptr<FramedLink> link, AttachedMessage answer,
                   const Contact& contact);
    int borne_silence() const;
    void resend();
    void send_ping();
    awaitable<void> pump();

    any_io_executor executor_;
    std::string build_id_;
    std::shared_ptr<FramedLink> link_;
    Kin kin_;
    NeighbourChannels channels_;
    ReportLog log_;
    std::optional<DirectMove> move_;
    Event changed_;
    std::stop_source stop_;
    TaskGroup writing_;
    TaskGroup tasks_;
    Contact parent_;  ///< by which address it was reached
    std::string detour_;
    std::shared_ptr<FramedLink> coming_;         ///< asks to take the place of link_
    std::shared_ptr<FramedLink> link_of_start_;  ///< once it is not the link to the parent any more
    LinkCounts past_counts_;                     ///< of links that broke
    uint32_t renewals_ = 0;
    ParentState state_ = ParentState::linked;
    bool starting_ = false;
    bool parent_starting_ = true;
    Silence silence_;
};

}  // namespace launch
