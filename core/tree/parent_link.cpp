// SPDX-License-Identifier: MIT
#include "core/tree/parent_link.hpp"

#include <algorithm>

#include "core/async/wait_limit.hpp"
#include "core/base/build_id.hpp"
#include "core/link/patience.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

/// The beginning of a job is acknowledged at once from so many bytes on.
constexpr size_t long_start = 8u << 10;

}  // namespace

ParentLink::ParentLink(any_io_executor executor, std::unique_ptr<ByteStream> streams,
                       std::string build_id, LastWords last_words)
    : executor_(executor),
      build_id_(std::move(build_id)),
      last_words_(std::move(last_words)),
      link_(std::make_shared<FramedLink>(executor, std::move(streams))),
      changed_(executor),
      room_(executor),
      writing_(executor),
      tasks_(executor) {}

awaitable<bool> ParentLink::greet() {
    writing_.spawn(write_to_end(link_));
    link_->send_magic();
    link_->send(FrameType::hello, Hello{Hello::current_version, build_id_}.encode());
    auto frame = co_await receive_within(executor_, link_, patience::greeting);
    if (!frame || !frame->has_value() || (*frame)->type != FrameType::hello) co_return false;
    const auto hello = Hello::decode((*frame)->payload);
    co_return hello && hello->version == Hello::current_version && hello->build_id == build_id_;
}

void ParentLink::open(Kin kin) {
    kin_ = std::move(kin);
    tasks_.spawn(pump());
    if (kin_.ancestors.empty()) return;
    parent_ = kin_.ancestors.front();
    if (kin_.links == nullptr) return;
    move_.emplace(executor_, link_, *kin_.links, kin_.self, kin_.ancestors.front(), kin_.choice,
                  kin_.connect_timeout, kin_.failed);
    tasks_.spawn(move_->run());
}

void ParentLink::step(ParentEvent event) {
    state_ = next(state_, event);
    changed_.notify();
    if (!gone()) return;
    room_.notify_all();
    for (auto& [job, output] : outputs_)
        output.room.notify_all();
}

awaitable<std::optional<Frame>> ParentLink::receive() {
    while (state_ != ParentState::gone) {
        if (state_ == ParentState::seeking) {
            auto frame = co_await seek();
            if (frame) co_return frame;
            continue;
        }
        const auto link = link_;
        auto frame = co_await next_of(link);
        if (frame) co_return frame;
        link->close();
        step(ParentEvent::link_ended);
    }
    co_return std::nullopt;
}

awaitable<std::optional<Frame>> ParentLink::seek() {
    auto answer = Answer{};
    if (looks_for_place()) {
        answer = co_await go_over();
    } else {
        answer = co_await renew(patience::dial);
    }
    if (answer.kind != Answer::Kind::answered) {
        step(ParentEvent::not_found);
        co_return std::nullopt;
    }
    switch (answer.frame.type) {
        case FrameType::attached:
            step(ParentEvent::attached);
            kin_.renewed();
            co_return std::nullopt;
        case FrameType::dismissed: step(ParentEvent::dismissed); break;
        default:
            break;  // the head told all nodes something: this one goes on looking when it knows
    }
    co_return std::move(answer.frame);
}

/// Nothing: this link has ended, or what came over it makes no sense.
awaitable<std::optional<Frame>> ParentLink::next_of(std::shared_ptr<FramedLink> link) {
    for (;;) {
        auto frame = co_await link->receive();
        if (!frame) refuse("something else than launch does: " + frame.error().cause);
        if (!frame || !frame->has_value()) co_return std::nullopt;
        bool done = false;
        if (!handle(**frame, done)) {
            refuse((*frame)->type);
            co_return std::nullopt;
        }
        if (!done) co_return std::move(**frame);
    }
}

void ParentLink::refuse(const std::string& what) const {
    last_words_("node " + std::to_string(parent_.node) + " sent " + what);
}

/// Handles frames about the link itself (then `done`), and unwraps the others.
bool ParentLink::handle(Frame& frame, bool& done) {
    switch (frame.type) {
        case FrameType::credit: {
            const auto bytes = decode_number(frame.payload);
            if (bytes) link_->add_credit(*bytes);
            done = true;
            return bytes.has_value();
        }
        case FrameType::ping: {
            const auto ping = PingMessage::decode(frame.payload);
            if (!ping || !channels_.acknowledge(ping->received)) return false;
            // Until the parent has heard that this relay knows, it bears silence for longer
            // (Child::Start).
            if (std::exchange(parent_starting_, ping->starting) && !ping->starting) send_ping();
            return true;
        }
        case FrameType::ack: {
            const auto ack = AckMessage::decode(frame.payload);
            done = ack && ack->origin == kin_.self;
            if (done) acknowledged(*ack);
            return ack.has_value();
        }
        case FrameType::modex:
        case FrameType::released:
        case FrameType::grow:
        case FrameType::job:
        case FrameType::assignment: return handle_numbered(channels_.control, frame, done);
        case FrameType::input: return handle_numbered(channels_.input, frame, done);
        case FrameType::resend: resend(); return true;
        default: return true;
    }
}

bool ParentLink::handle_numbered(NeighbourChannel& channel, Frame& frame, bool& done) {
    const auto taken = channel.take(frame.payload);
    if (!taken) return false;
    done = !taken->fresh;
    frame.payload = std::string(taken->body);
    // The parent keeps what begins a job for each of its children until that is acknowledged, so a
    // long one is acknowledged at once. A short one can wait for the next beat: else there would be
    // one more message for every job of a session.
    const bool is_long_start = frame.type == FrameType::job && frame.payload.size() >= long_start;
    if (channel.owed() >= enough_to_acknowledge || is_long_start) send_ping();
    return true;
}

void ParentLink::report(FrameType type, std::string_view body) {
    link_->send(type, log_.add(type, body).payload);
}

void ParentLink::acknowledged(const AckMessage& ack) {
    log_.acknowledge(ack);
    changed_.notify();
    room_.notify();
    const auto output = outputs_.find(ack.job);
    if (output == outputs_.end()) return;
    output->second.account.read(ack.read);
    output->second.room.notify();
}

void ParentLink::open_output(JobNumber job, uint64_t window) {
    outputs_.try_emplace(job, executor_, window);
}

awaitable<bool> ParentLink::output(JobNumber job, OutputMessage message) {
    const std::string body = message.encode_for(job);
    if (message.stream != Stream::end) {
        JobOutput& own = outputs_.at(job);
        Turns::Place place(own.room);
        while (!gone() && !(place.is_first() && own.account.has_room()))
            co_await place.wait();
        own.account.sent(OutputAccount::size_of(message.bytes.size()));
    }
    Turns::Place place(room_);
    while (!gone() && !(place.is_first() && log_.output_bytes() < kin_.bounds.to_head))
        co_await place.wait();
    if (gone()) co_return false;
    log_.add_output(body);
    changed_.notify();
    co_return true;
}

/// An acknowledgement of what was read may be lost with a link. The next one may come too late: the
/// head sends it when more has been read than this node may send.
void ParentLink::ask_what_was_read() {
    for (const auto& [job, output] : outputs_)
        if (output.account.is_unread())
            log_.add_output(OutputMessage{0, Stream::ask, {}}.encode_for(job));
}

/// Sends the log's output in order, as the parent's credit allows.
awaitable<void> ParentLink::pump() {
    while (!gone()) {
        const auto* entry = log_.next_output();
        if (entry == nullptr || link_->closed()) {
            co_await changed_.wait();
            continue;
        }
        const auto link = link_;
        const uint64_t number = entry->number;
        const std::string payload = entry->payload;
        const bool sent = co_await link->send_data(FrameType::output, payload);
        if (sent && link == link_) {
            log_.output_sent(number);
            changed_.notify();
        } else if (!sent && link == link_ && !gone()) {
            co_await changed_.wait();  // for another link, or the end
        }
    }
}

void ParentLink::pass(FrameType type, std::string_view payload) {
    link_->send(type, payload);
}

awaitable<bool> ParentLink::pass_output(std::string payload) {
    const auto link = link_;
    const bool sent = co_await link->send_data(FrameType::output, payload);
    co_return sent || !gone();  // a report that a broken link swallowed is said again by its origin
}

void ParentLink::keep(FrameType type, std::string_view body, bool now) {
    const std::string& payload = channels_.control.keep(type, body);
    if (now) {
        link_->send_now(type, payload);
    } else {
        link_->send(type, payload);
    }
    if (now && move_) move_->said();
}

LinkCounts ParentLink::counts() const {
    LinkCounts counts = past_counts_;
    counts += link_->counts();
    return counts;
}

void ParentLink::send_ping() {
    if (kin_.heard_below) told_heard_ = kin_.heard_below();
    told_waits_ = waits_for_head();
    link_->send(FrameType::ping,
                PingMessage{starting_, channels_.tell(), told_heard_, told_waits_}.encode());
}

void ParentLink::tell_heard() {
    if (kin_.heard_below() >= told_heard_ + kin_.bounds.unheard_broadcasts) send_ping();
}

/// How many beats the parent may be silent.
int ParentLink::borne_silence() const {
    if (parent_.node == 0) return patience::head;
    return starting_ ? patience::at_start : patience::neighbour;
}

void ParentLink::beat(bool starting, bool paused, int late) {
    starting_ = starting;
    if (!link_->take_spoken() || channels_.owed() > 0) send_ping();
    silence_.beat(link_->take_heard(), late);
    if (paused || state_ == ParentState::seeking) silence_.excuse();
    if (silence_.lasts(borne_silence())) link_->close();
}

awaitable<void> ParentLink::confirmed() {
    waits_ = true;
    tell_waiting();
    WaitLimit wait(patience::confirmed);
    size_t left = log_.size();
    while (!gone() && !log_.empty() && !wait.over()) {
        co_await wait.wait(changed_);
        const size_t before = std::exchange(left, log_.size());
        if (left < before) wait.restart();
    }
}

awaitable<void> ParentLink::finish() {
    if (move_) move_->stop();
    // A link that breaks now is renewed like any other: output may still be on its way.
    const auto may_say_more = [this] {
        return state_ == ParentState::seeking || link_->closed() || log_.next_output() != nullptr;
    };
    while (!gone() && may_say_more())
        co_await changed_.wait();
    step(ParentEvent::said_bye);
    link_->send_granted(FrameType::bye, {});  // after all output
    link_->finish_writing();
    co_await writing_.join();
    // A socket that is closed while the other side still writes to it may lose what was sent on it
    // last: so the parent is to hang up first.
    const auto deadline = Clock::now() + patience::hang_up;
    while (is_direct() && !link_->closed() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    link_->close();
    if (link_of_start_) link_of_start_->close();
    co_await tasks_.join();
}

void ParentLink::close() {
    stop_.request_stop();
    link_->close();
    if (coming_) coming_->close();
    if (link_of_start_) link_of_start_->close();
    step(ParentEvent::closed);
}

}  // namespace launch
