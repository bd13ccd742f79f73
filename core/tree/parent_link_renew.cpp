// How a relay finds another link to its parent, or another parent.

#include "core/link/patience.hpp"
#include "core/tree/parent_link.hpp"
#include "core/wire/messages.hpp"

namespace launch {
/// Nobody knows how far what was on its way has come.
void ParentLink::resend() {
    log_.rewind();
    for (const auto& entry : log_.control().entries())
        link_->send(entry.type, entry.payload);
    changed_.notify();
}

/// Who hangs up, or whose process is gone, is not asked again; who did not answer in time may only
/// be busy. Who says nothing within the limit is left for the next. The time that an ancestor asks
/// this node to wait is not counted.
awaitable<ParentLink::Answer> ParentLink::renew(milliseconds limit) {
    Answer last;
    if (kin_.links == nullptr) co_return last;
    const bool holds = limit > patience::dial;  // who is asked may have to wait for its own place
    auto deadline = Clock::now() + patience::renew + (holds ? limit : milliseconds{});
    auto candidates = kin_.ancestors;
    while (!candidates.empty()) {
        std::vector<Contact> silent;
        for (const Contact& contact : candidates) {
            const auto begin = Clock::now();
            if (state_ != ParentState::seeking || begin >= deadline) co_return last;
            if (!contact.usable()) continue;
            auto answer = co_await attach_to(contact, limit);
            if (answer.kind == Answer::Kind::answered) co_return answer;
            if (answer.kind == Answer::Kind::refused) last.kind = Answer::Kind::refused;
            const auto took = Clock::now() - begin;
            if (took >= patience::dial) silent.push_back(contact);
            if (answer.asked_to_wait) deadline += took;
        }
        candidates = std::move(silent);
    }
    co_return last;
}

void ParentLink::reroute(NodeIndex size, std::vector<Contact> ancestors) {
    kin_.size = size;
    kin_.ancestors = std::move(ancestors);
    step(ParentEvent::sent_on);
}

/// The parent in the routing tree may be the one that it has. Who cannot reach any that is above it
/// there asks the one that it has to keep it; but not who was refused: it may have been given up.
awaitable<ParentLink::Answer> ParentLink::go_over() {
    Answer answer;
    const bool same = kin_.ancestors.front().node == parent_.node;
    if (same) answer = co_await ask_parent();
    if (answer.kind == Answer::Kind::unreachable) answer = co_await renew(patience::place);
    if (!same && answer.kind == Answer::Kind::unreachable) answer = co_await ask_parent();
    co_return answer;
}

/// For a place in the routing tree, over the link that there is. What the parent said before it had
/// read that is left out: it says all that matters again.
awaitable<ParentLink::Answer> ParentLink::ask_parent() {
    const auto link = link_;
    link->send(FrameType::attach, attach_message(true));
    for (;;) {
        auto frame = co_await next_answer(link, patience::place);
        if (!frame) co_return Answer{};
        if (frame->type == FrameType::credit || frame->type == FrameType::ack) {
            bool done = false;
            handle(*frame, done);
        }
        if (frame->type == FrameType::finish || frame->type == FrameType::dismissed) {
            step(ParentEvent::attached);  // the link is as good as it was, to the end
            co_return Answer{Answer::Kind::answered, std::move(*frame), false};
        }
        if (frame->type != FrameType::attached) continue;
        auto attached = AttachedMessage::decode(frame->payload);
        if (!attached) co_return Answer{};
        take_ancestors(std::move(attached->ancestors));
        if (!attached->received || !channels_.acknowledge(*attached->received)) co_return Answer{};
        channels_.resend(*link);
        resend();
        co_return Answer{Answer::Kind::answered, std::move(*frame), false};
    }
}

awaitable<ParentLink::Answer> ParentLink::attach_to(Contact contact, milliseconds limit) {
    auto stream =
        co_await kin_.links->dial(contact, LinkPurpose::attach, patience::dial, stop_.get_token());
    if (!stream && detour_.empty()) detour_ = stream.error().cause;
    if (!stream || state_ != ParentState::seeking) co_return Answer{};
    auto link = std::make_shared<FramedLink>(executor_, std::move(*stream));
    co_return co_await attach_over(std::move(link), std::move(contact), limit);
}

awaitable<ParentLink::Answer> ParentLink::attach_over(std::shared_ptr<FramedLink> link,
                                                      Contact contact, milliseconds limit) {
    writing_.spawn(write_to_end(link));
    coming_ = link;
    link->send_magic();
    link->send(FrameType::attach, attach_message(contact.node == parent_.node));
    Answer answer;
    auto asked = Clock::now();
    auto frame = co_await next_answer(link, limit);
    while (frame && frame->type == FrameType::ping) {  // it waits for a place itself
        answer.asked_to_wait = true;
        asked = Clock::now();
        frame = co_await next_answer(link, limit);
    }
    coming_ = nullptr;
    const bool silent = !frame && Clock::now() - asked >= limit;
    answer.kind = silent ? Answer::Kind::unreachable : Answer::Kind::refused;
    const bool known = frame && (frame->type == FrameType::attached ||
                                 frame->type == FrameType::dismissed || is_broadcast(frame->type));
    auto attached = known && frame->type == FrameType::attached
                        ? AttachedMessage::decode(frame->payload)
                        : std::nullopt;
    if (known && state_ == ParentState::seeking && (attached || frame->type != FrameType::attached))
        answer = {Answer::Kind::answered, std::move(*frame), false};
    if (attached && answer.kind == Answer::Kind::answered)
        take_over(std::move(link), std::move(*attached), contact);
    else
        link->close();
    co_return answer;
}

std::string ParentLink::attach_message(bool same_parent) const {
    const bool routed = goes_over(kin_.route());
    AttachMessage message{kin_.self, kin_.size,       {},           kin_.heard(),
                          routed,    kin_.generation, kin_.joined()};
    if (same_parent) message.received = channels_.received();
    return message.encode();
}

/// Nothing: none came in time, or what came makes no sense.
awaitable<std::optional<Frame>> ParentLink::next_answer(std::shared_ptr<FramedLink> link,
                                                        milliseconds limit) {
    auto frame = co_await receive_within(executor_, link, limit);
    if (!frame || !frame->has_value()) co_return std::nullopt;
    co_return std::move(**frame);
}

/// As the parent tells them, which does not know by which address it is reached.
void ParentLink::take_ancestors(std::vector<Contact> ancestors) {
    kin_.ancestors = std::move(ancestors);
    if (!kin_.ancestors.empty()) kin_.ancestors.front().address = parent_.address;
}

/// It stays open and idle: some transports' commands end with it.
void ParentLink::leave_link() {
    if (move_) move_->stop();
    link_of_start_ = link_;
    link_of_start_->finish_writing();
}

void ParentLink::take_over(std::shared_ptr<FramedLink> link, AttachedMessage answer,
                           const Contact& contact) {
    if (looks_for_place() && !link_->closed()) leave_link();
    past_counts_ += link_->counts();
    ++renewals_;
    link_ = std::move(link);
    silence_.excuse();
    parent_ = contact;
    take_ancestors(std::move(answer.ancestors));
    if (answer.received)
        channels_.acknowledge(*answer.received);
    else
        channels_ = {};
    channels_.resend(*link_);
    if (!answer.received) kin_.adopted();
    resend();
}

}  // namespace launch
