// SPDX-License-Identifier: MIT
#include "core/tree/child.hpp"

#include <algorithm>

#include "core/async/timer.hpp"
#include "core/async/wait_limit.hpp"
#include "core/link/patience.hpp"
#include "core/tree/relay_start.hpp"

namespace launch {
Child::Child(ChildContext& context, SubtreeMap::ChildId id, Block block)
    : context_(context),
      id_(id),
      block_(std::move(block)),
      tasks_(context.executor),
      changed_(context.executor) {
    for (const auto& [job, shelf] : context_.stages)
        feeds_.emplace(job, std::make_shared<StageFeed>(shelf));
}

void Child::step(ChildEvent event) {
    state_ = next(state_, event);
    changed_.notify();
}

void Child::expect(Origin origin) {
    origin_ = origin;
    state_ = ChildState::expected;
}

awaitable<void> Child::run() {
    if (state_ == ChildState::starting) co_await start_relay();
    if (state_ == ChildState::expected) co_await wait_to_come();
    if (is_heard(state_)) co_await listen();
    if (state_ == ChildState::lost) report_loss();
    step(ChildEvent::drained);
    channels_ = {};  // no other link will ask for what was kept for the child
    released_.clear();
}

awaitable<void> Child::start_relay() {
    RelayStart start({context_.executor,
                      context_.transport,
                      context_.tree.policies,
                      {context_.tree.launch_path, context_.tree.launch_owners},
                      context_.build_id,
                      context_.stop,
                      clock_,
                      context_.image},
                     block_.hosts.front());
    auto link = co_await start.run();
    context_.owner.start_ended(*this);  // before the failure, after which nobody asks for its times
    if (!link) {
        const bool tells = !context_.stop.stop_requested();
        if (tells) report_failure(std::move(link.error()));
        step(ChildEvent::not_started);
        co_return;
    }
    link_ = std::move(*link);
    has_spoken_ = true;
    pushed_bytes_ = start.pushed_bytes();
    step(ChildEvent::started);
    if (state_ != ChildState::running) {
        link_->close();  // this node has cut it off meanwhile
        co_return;
    }
    notice_push(start.replaced());
    notice_noise();
    greet();
}

void Child::greet() {
    link_->send_magic();
    link_->send(FrameType::hello, Hello{Hello::current_version, context_.build_id}.encode());
    give_part();
}

/// Listens to the child over one link after the other, until no other takes the place of the last.
awaitable<void> Child::listen() {
    if (!came_here()) tasks_.spawn(write_to_end(link_));
    tasks_.spawn(forward_output());
    for (auto& [job, feed] : feeds_)
        tasks_.spawn(run_feed(job, feed));
    while (is_heard(state_)) {
        link_end_ = co_await hear(link_);
        step(may_return() ? ChildEvent::link_ended : ChildEvent::link_failed);
        if (state_ == ChildState::away) co_await wait_for_return();
    }
    link_->close();
    if (next_link_) next_link_->close();
    for (auto& [job, feed] : feeds_)
        feed->stop();
    co_await tasks_.join();
    if (released()) step(ChildEvent::emptied);
}

/// Takes in what the child says on this link, until that ends or is not listened to any more.
awaitable<Child::LinkEnd> Child::hear(Link link) {
    for (;;) {
        auto frame = co_await link->receive();
        if (!frame) co_return LinkEnd{LinkEnd::Kind::nonsense, std::move(frame.error().cause)};
        if (!frame->has_value()) break;
        has_spoken_ = true;
        const bool leaves = (*frame)->type == FrameType::bye;
        if (!handle(**frame)) {
            std::string cause = std::exchange(link_end_.cause, {});
            if (cause.empty())
                cause = leaves ? "its relay left before the job ended"
                               : "its relay sent " + malformed((*frame)->type);
            co_return LinkEnd{LinkEnd::Kind::nonsense, std::move(cause)};
        }
        // A relay that leaves waits until its parent hangs up, where the link is a direct one, also
        // one that it has moved to since.
        if (state_ != ChildState::leaving) continue;
        if (has_direct_link()) break;
        link->close_when_moved();
    }
    co_return std::exchange(link_end_, {});
}

/// The child can call this node over another link, and what it said made sense.
bool Child::may_return() const {
    const bool reachable = !context_.contacts.empty() && context_.contacts.front().port != 0;
    return reachable && link_end_.kind != LinkEnd::Kind::nonsense;
}

awaitable<void> Child::wait_for_return() {
    const bool was_silent = link_end_.kind == LinkEnd::Kind::silent;
    const auto liveness = context_.tree.policies.liveness;
    WaitLimit wait(was_silent ? patience::come_back_from_silence(liveness) : patience::come_back);
    bool dead = false;
    if (!next_link_ && link_end_.kind == LinkEnd::Kind::ended) dead = co_await surely_dead();
    link_->close();
    // Nodes below a dead relay come here by themselves.
    const auto orphans = [this] { return context_.below.count(id_) > 1; };
    while (state_ == ChildState::away && !next_link_ && !released() && (!dead || orphans()) &&
           !wait.over())
        co_await wait.wait(changed_);
    if (state_ != ChildState::away) co_return;
    if (next_link_) {
        change_link();
    } else {
        step(released() ? ChildEvent::emptied : ChildEvent::given_up);
    }
}

void Child::change_link() {
    link_->close();
    past_counts_ += link_->counts();
    link_ = std::move(next_link_);
    silence_.excuse();
    link_end_ = {};
    step(ChildEvent::attached);
}

/// The child's relay is no more: the transport says that the command that it started on the child's
/// host has ended.
awaitable<bool> Child::surely_dead() {
    const auto deadline = Clock::now() + patience::exit_code;
    const Link link = link_;
    Timer limit(context_.executor, deadline);
    limit.async_wait([link](std::error_code ec) {
        if (!ec) link->close();
    });
    co_await link->read_left_stream();
    limit.cancel();
    while (!link_->stream().exit_code() && Clock::now() < deadline && next_link_ == nullptr)
        co_await sleep_for(context_.executor, milliseconds{10});
    co_return link_->stream().exit_code().has_value();
}

/// A child that the routing tree has here dials its new parent by itself; that parent may still be
/// waiting for its own position. So no time limit is set for it here: only the head, which gets a
/// report of every position, gives up a node that finds none (FrameType::remove).
awaitable<void> Child::wait_to_come() {
    while (state_ == ChildState::expected && !released())
        co_await changed_.wait();
    if (state_ == ChildState::expected) step(ChildEvent::emptied);
}

bool Child::attach(Link link, const AttachMessage& message) {
    // If the node has said something here and is at another count, it had another parent meanwhile.
    if (!may_attach(state_) || (has_spoken_ && !continues(message))) return false;
    block_.generation = message.generation;
    // A node that comes as the routing tree has it here has not lost a parent.
    const bool comes_with_tree = state_ == ChildState::expected && origin_ == Origin::routing_tree;
    attached_ += comes_with_tree ? 0 : 1;
    ++direct_links_;
    answer(*link, message);
    window_ = context_.window;
    link->grant(window_);
    if (state_ == ChildState::expected) {
        link_ = std::move(link);
        step(ChildEvent::attached);
    } else {
        newest().close();
        next_link_ = std::move(link);
        link_->close();
        changed_.notify();
    }
    send_queued();
    return true;
}

/// The node has the count of this Child: that of the start, or the one that an answer has begun. It
/// may also have one of another Child, as which it was below this node before.
bool Child::continues(const AttachMessage& message) const {
    return has_come() && message.received && message.count == channels_.count;
}

/// Tells a node that it has its place here, and all that it may have missed. Where it does not
/// continue this Child's count, both sides count anew, each time that it calls until it has heard
/// that.
void Child::answer(FramedLink& link, const AttachMessage& message) {
    AttachedMessage attached{{}, context_.contacts};
    if (continues(message)) {
        has_spoken_ = true;
        channels_.acknowledge(*message.received);
        attached.received = channels_.received();
    } else {
        channels_.count = id_;
    }
    attached.count = channels_.count;
    link.send(FrameType::attached, attached.encode());
    channels_.resend(link);
    for (const auto& entry : context_.broadcasts.entries())
        if (entry.number > message.heard) link.send(entry.type, entry.payload);
}

bool Child::stay_on(Block block) {
    step(ChildEvent::stays);
    if (state_ != ChildState::running) return false;
    reroute(std::move(block));
    silence_.excuse();
    return true;
}

void Child::confirm_place(const AttachMessage& message) {
    if (is_spoken_to()) answer(newest(), message);
}

LinkCounts Child::counts() const {
    LinkCounts counts = past_counts_;
    if (link_) counts += link_->counts();
    return counts;
}

void Child::feed(JobNumber job, const std::shared_ptr<SegmentShelf>& shelf) {
    if (feeds_.contains(job)) return;
    const auto feed = std::make_shared<StageFeed>(shelf);
    feeds_.emplace(job, feed);
    if (has_come() && is_heard(state_)) tasks_.spawn(run_feed(job, feed));
}

/// The job's files stay open here only for a segment that is on its way.
void Child::stop_feeding(JobNumber job) {
    const auto at = feeds_.find(job);
    if (at == feeds_.end()) return;
    at->second->stop();
    feeds_.erase(at);
}

/// Owns the feed while it runs, because the job may end before the feed returns.
awaitable<void> Child::run_feed(JobNumber job, std::shared_ptr<StageFeed> feed) {
    co_await feed->run(
        [this, job](std::string piece) { return send_segment(job, std::move(piece)); });
}

/// False where the link has broken; if another takes its place, the child says from where on it
/// wants the files.
awaitable<bool> Child::send_segment(JobNumber job, std::string payload) {
    const Link link = link_;
    const std::string text = wrap_job(job, payload);
    co_return co_await link->send_paced(FrameType::segment, text);
}

void Child::send(FrameType type, std::string_view payload) {
    if (lives() && link_) newest().send(type, payload);
}

void Child::broadcast(const BroadcastLog::Entry& entry) {
    send(entry.type, entry.payload);
    if (entry.type == FrameType::start_ranks) note_start(false);
}

/// Notes that the child gets the report whether the start goes on. Earlier messages of the child do
/// not show that it has this report, so they do not count as an acknowledgement.
void Child::note_start(bool goes_on) {
    start_ = goes_on ? Start::goes_on : Start::over_unheard;
    if (link_ && link_->take_heard()) silence_.excuse();
}

void Child::keep(FrameType type, std::string_view body, bool now) {
    if (!lives()) return;
    if (channels_.control.has_queue()) return channels_.control.enqueue(type, std::string(body));
    const std::string& payload = channels_.control.keep(type, body);
    if (!link_) return;  // it is sent when there is one
    if (now) {
        newest().send_now(type, payload);
    } else {
        newest().send(type, payload);
    }
}

void Child::send_user(FrameType type, MessageSource messages) {
    if (!lives()) return;
    channels_.control.enqueue(type, std::move(messages));
    send_queued();
}

void Child::send_queued() {
    if (!link_) return;  // messages are made only when there is one
    while (const auto* next = channels_.control.next()) {
        if (next->type == FrameType::released) number_released();
        newest().send(next->type, next->payload);
    }
}

void Child::send_input(std::string_view bytes) {
    if (link_ && lives())
        newest().send_granted(FrameType::input, channels_.input.keep(FrameType::input, bytes));
}

/// Sends the child away. A retired child that has asked over the link of the start to keep its
/// position is dismissed, too.
void Child::dismiss() {
    if (link_ && is_heard(state_)) newest().send(FrameType::dismissed, {});
    step(ChildEvent::dismissed);
}

void Child::close() {
    step(ChildEvent::cut);
    if (link_) link_->close();
    if (next_link_) next_link_->close();
}

void Child::send_ping(bool starting) {
    newest().send(FrameType::ping, PingMessage{starting, channels_.tell()}.encode());
}

void Child::announce(bool starting) {
    const bool knows = starting == (start_ == Start::goes_on);
    if (!is_spoken_to() || knows) return;
    note_start(starting);
    send_ping(starting);
}

void Child::beat(bool starting, int late) {
    if (!is_spoken_to() || link_->closed()) return;
    announce(starting);
    if (!link_->take_spoken() || channels_.owed() > 0) send_ping(starting);
    const bool heard = link_->take_heard();
    if (heard && start_ == Start::over_unheard) start_ = Start::over;
    silence_.beat(heard, late);
    if (!silence_.lasts(start_ == Start::over ? patience::neighbour : patience::at_start)) return;
    link_end_.kind = LinkEnd::Kind::silent;
    link_->close();
}

}  // namespace launch
