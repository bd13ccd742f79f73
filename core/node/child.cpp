#include "core/node/child.hpp"

#include <algorithm>

#include "core/async/wait_limit.hpp"
#include "core/node/relay_start.hpp"

namespace launch {
namespace {

/// Until a transport knows how the command there ended, if it did.
constexpr milliseconds exit_limit{200};

}  // namespace

Child::Child(ChildContext& context, SubtreeMap::ChildId id, Block block)
    : context_(context),
      id_(id),
      block_(std::move(block)),
      tasks_(context.executor),
      changed_(context.executor) {
    if (context_.stage != nullptr) feed_.emplace(*context_.stage);
}

awaitable<void> Child::run() {
    if (adopted_) {
        if (link_) co_await listen();
        ended_ = true;
        co_return;
    }
    RelayStart start({context_.executor, context_.transport, context_.job.policies,
                      context_.job.launch_path, context_.build_id, context_.stop, context_.image},
                     block_.hosts.front());
    auto link = co_await start.run();
    if (link) {
        link_ = std::move(*link);
        pushed_bytes_ = start.pushed_bytes();
        notice_push(start.replaced());
        co_await serve();
    } else if (!context_.stop.stop_requested()) {
        report_failure(std::move(link.error()));
    }
    ended_ = true;
}

awaitable<void> Child::serve() {
    notice_noise();
    link_->send_magic();
    link_->send(FrameType::hello, Hello{Hello::current_version, context_.build_id}.encode());
    give_part();
    co_await listen();
}

/// Over one link after the other.
awaitable<void> Child::listen() {
    listening_ = true;
    tasks_.spawn(write_to_end(link_));
    tasks_.spawn(forward_output());
    if (feed_)
        tasks_.spawn(feed_->run([this](std::string p) { return send_segment(std::move(p)); }));
    for (;;) {
        const Link link = link_;
        for (;;) {
            auto frame = co_await link->receive();
            if (!frame) broken_ = std::move(frame.error());
            if (!frame || !frame->has_value()) break;
            const bool made_sense = handle(**frame);
            if (made_sense && said_bye_ && has_direct_link()) break;  // it waits for that
            if (made_sense) continue;
            broken_ = Error{
                ErrorKind::internal, "read from the relay", {}, -1, "a malformed message", {}};
            break;
        }
        const bool back = co_await wait_for_return();
        if (!back) break;
    }
    listening_ = false;
    gives_up_ = true;
    changed_.notify();
    link_->close();
    if (feed_) feed_->stop();
    co_await tasks_.join();
    if (!said_bye_ && !cut_off_ && !released()) report_loss();
}

/// Links can be had, and the child has not been told to leave.
bool Child::may_return() const {
    const bool reachable = !context_.contacts.empty() && context_.contacts.front().port != 0;
    return reachable && !said_bye_ && !cut_off_ && !broken_;
}

/// The link has ended. True: another has taken its place.
awaitable<bool> Child::wait_for_return() {
    WaitLimit wait(patience::come_back);
    bool dead = false;
    if (next_link_ == nullptr && may_return() && !silent_) dead = co_await surely_dead();
    link_->close();
    // Whoever is below a dead relay comes here by itself.
    const auto orphans = [this] { return context_.below.count(id_) > 1; };
    while (next_link_ == nullptr && may_return() && !released() && (!dead || orphans()) &&
           !wait.over())
        co_await wait.wait(changed_);
    if (next_link_ == nullptr) co_return false;
    link_->close();
    past_counts_ += link_->counts();
    link_ = std::move(next_link_);
    silence_.excuse();
    silent_ = false;
    co_return true;
}

/// The transport says that the command it started there has ended.
awaitable<bool> Child::surely_dead() {
    const auto deadline = Clock::now() + exit_limit;
    const Link link = link_;
    asio::steady_timer limit(context_.executor, deadline);
    limit.async_wait([link](std::error_code ec) {
        if (!ec) link->close();
    });
    co_await link->read_left_stream();
    limit.cancel();
    while (!link_->stream().exit_code() && Clock::now() < deadline && next_link_ == nullptr)
        co_await sleep_for(context_.executor, milliseconds{10});
    co_return link_->stream().exit_code().has_value();
}

void Child::reroute(Block block) {
    block_ = std::move(block);
    rerouted_ = true;
    adopted_ = adopted_ || !link_;
}

void Child::come_broken(Link link) {
    link_ = std::move(link);
    link_->close();
}

void Child::never_came() {
    broken_ = Error{ErrorKind::unreachable, "run", {}, -1, "it did not come to its new parent", {}};
    report_loss();
}

void Child::retire() {
    retired_ = true;
    changed_.notify();
}

void Child::attach(Link link, const AttachMessage& message, bool adopted) {
    const bool expected = rerouted_ && !link_;
    adopted_ = adopted_ || adopted;
    came_running_ = came_running_ || (adopted && !expected && placed());
    attached_ += expected ? 0 : 1;
    ++direct_links_;
    late_.clear();  // orders are said again, and the rest is not for who comes
    kept_.acknowledge(message.received);
    link->send(FrameType::attached, AttachedMessage{kept_.received(), context_.contacts}.encode());
    link->send(FrameType::credit, encode_number(context_.window));
    kept_.say_again(*link);
    for (const auto& entry : context_.orders.entries())
        if (entry.order.number > message.orders) link->send(entry.type, entry.order.encode());
    if (finishing_) link->send(FrameType::finish, {});
    if (!listening_) {
        link_ = std::move(link);
        return;
    }
    tasks_.spawn(write_to_end(link));
    newest().close();
    next_link_ = std::move(link);
    link_->close();
    changed_.notify();
}

std::vector<std::vector<RankRun>> Child::ranks_below() const {
    std::vector<std::vector<RankRun>> ranks(block_.size());
    for (NodeIndex i = 0; i < block_.size(); ++i)
        if (had(block_.first + i)) ranks[i] = block_.ranks[i];
    return ranks;
}

LinkCounts Child::counts() const {
    LinkCounts counts = past_counts_;
    if (link_) counts += link_->counts();
    return counts;
}

/// False where the link has broken; if another takes its place, the child says how to go on.
awaitable<bool> Child::send_segment(std::string payload) {
    const Link link = link_;
    co_return co_await link->send_paced(FrameType::segment, payload);
}

void Child::send(FrameType type, std::string_view payload) {
    if (!lives()) return;
    if (link_) {
        newest().send(type, payload);
    } else {
        late_.emplace_back(type, payload);
    }
}

void Child::pass_order(FrameType type, const OrderMessage& order) {
    send(type, order.encode());
    if (type != FrameType::start_ranks) return;
    announced_starting_ = false;
    if (link_ && link_->take_heard()) silence_.excuse();  // said before it knew
}

void Child::keep(FrameType type, std::string_view body, bool now) {
    if (!lives()) return;
    const std::string& payload = kept_.control.keep(type, body);
    if (!link_) return;  // goes with its part
    if (now) {
        newest().send_now(type, payload);
    } else {
        newest().send(type, payload);
    }
}

void Child::send_modex(std::string_view message) {
    keep(FrameType::modex, message, true);
}

void Child::assign(const AssignmentMessage& assignment) {
    for (const auto& part : assignment.parts)
        if (block_.contains(part.node)) block_.ranks[part.node - block_.first] = part.runs;
    if (!ended_) keep(FrameType::assignment, assignment.encode(), true);
}

void Child::send_input(std::string_view bytes) {
    if (link_ && lives() && !came_running_)
        newest().send_granted(FrameType::input, kept_.input.keep(FrameType::input, bytes));
}

void Child::finish() {
    finishing_ = true;
    if (link_ && lives()) newest().send(FrameType::finish, {});
    changed_.notify();
}

void Child::close() {
    cut_off_ = true;
    if (link_) link_->close();
}

void Child::send_ping(bool starting) {
    newest().send(FrameType::ping, PingMessage{starting, kept_.tell()}.encode());
}

void Child::announce(bool starting) {
    if (!link_ || !listening_ || retired_ || announced_starting_ == starting) return;
    announced_starting_ = starting;
    if (link_->take_heard()) silence_.excuse();  // said before it knew
    send_ping(starting);
}

void Child::beat(bool starting, int late) {
    if (!link_ || !listening_ || retired_ || link_->closed()) return;
    announce(starting);
    if (!link_->take_spoken() || kept_.owed() > 0) send_ping(starting);
    const bool heard = link_->take_heard();
    patient_ = starting || (patient_ && !heard);
    silence_.beat(heard, late);
    if (!silence_.lasts(patient_ ? patience::at_start : patience::neighbour)) return;
    silent_ = true;
    link_->close();
}

}  // namespace launch
