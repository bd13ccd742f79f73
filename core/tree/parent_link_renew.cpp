// SPDX-License-Identifier: MIT
// How a relay finds another link to its parent, or another parent.

#include <algorithm>

#include "core/link/patience.hpp"
#include "core/tree/parent_link.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

milliseconds until(Clock::time_point deadline) {
    return std::max(std::chrono::duration_cast<milliseconds>(deadline - Clock::now()),
                    milliseconds{});
}

}  // namespace

/// Says again all reports that the head has not acknowledged, as it is not known which of those
/// that were on their way have come.
void ParentLink::resend() {
    log_.rewind();
    ask_what_was_read();
    for (const auto& entry : log_.control().entries())
        link_->send(entry.type, entry.payload);
    if (waits_for_head()) send_ping();
    changed_.notify();
}

/// Asks one ancestor after the other for a place. One that says nothing within the limit may only
/// be busy, and is asked again after the others; one that hangs up twice, or whose process is gone,
/// is not. The time for which an ancestor asks this node to wait is not counted. No attempt goes on
/// after the deadline: who would come later has been given up.
awaitable<ParentLink::Answer> ParentLink::renew(milliseconds limit) {
    Answer last;
    if (kin_.links == nullptr) co_return last;
    const bool holds = limit > patience::dial;  // the ancestor may have to wait for its own place
    auto deadline = Clock::now() + patience::renew + (holds ? limit : milliseconds{});
    auto candidates = kin_.ancestors;
    while (!candidates.empty()) {
        std::vector<Contact> silent;
        for (const Contact& contact : candidates) {
            const auto begin = Clock::now();
            if (state_ != ParentState::seeking || begin >= deadline) co_return last;
            if (!contact.usable()) continue;
            auto answer = co_await attach_to(contact, limit, deadline);
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
    told_below_.reset();
    step(ParentEvent::sent_on);
}

/// The parent in the routing tree may be the present one, which is asked over the present link
/// then. A relay that can reach none of those above it in the routing tree asks its present parent
/// to keep it; but not one that was refused by any of them, as it may have been given up.
awaitable<ParentLink::Answer> ParentLink::go_over() {
    Answer answer;
    const bool same = kin_.ancestors.front().node == parent_.node;
    if (same) answer = co_await ask_parent();
    if (answer.kind == Answer::Kind::unreachable) answer = co_await renew(patience::place);
    if (!same && answer.kind == Answer::Kind::unreachable) answer = co_await ask_parent();
    co_return answer;
}

/// Asks the present parent for a position in the routing tree, over the present link. A broadcast
/// that comes before the answer is passed on at once; the next call waits for the same answer.
/// Other messages that the parent sent before it reads the question are ignored, because it repeats
/// all that matter.
awaitable<ParentLink::Answer> ParentLink::ask_parent() {
    const auto link = link_;
    if (std::exchange(asked_, link) != link) link->send(FrameType::attach, attach_message(true));
    for (;;) {
        auto frame = co_await next_answer(link, patience::place);
        if (!frame) co_return Answer{};
        if (frame->type == FrameType::credit || frame->type == FrameType::ack) {
            bool done = false;
            handle(*frame, done);
        }
        // A node that is sent away says its last words over this link.
        if (frame->type == FrameType::dismissed) step(ParentEvent::attached);
        if (frame->type == FrameType::dismissed || is_broadcast(frame->type))
            co_return Answer{Answer::Kind::answered, std::move(*frame), false};
        if (frame->type != FrameType::attached) continue;
        auto attached = AttachedMessage::decode(frame->payload);
        if (!attached || !attached->received || !channels_.acknowledge(*attached->received)) {
            refuse(frame->type);
            co_return Answer{};
        }
        set_ancestors(std::move(attached->ancestors));
        channels_.resend(*link);
        resend();
        asked_ = nullptr;
        told_below_.reset();
        co_return Answer{Answer::Kind::answered, std::move(*frame), false};
    }
}

/// Asks an ancestor, and once more if it hangs up, because that link may have broken by itself.
awaitable<ParentLink::Answer> ParentLink::attach_to(Contact contact, milliseconds limit,
                                                    Clock::time_point deadline) {
    const Answer first = co_await call(contact, limit, deadline);
    if (first.kind != Answer::Kind::refused) co_return first;
    Answer second = co_await call(contact, limit, deadline);
    second.asked_to_wait = second.asked_to_wait || first.asked_to_wait;
    co_return second;
}

awaitable<ParentLink::Answer> ParentLink::call(Contact contact, milliseconds limit,
                                               Clock::time_point deadline) {
    const auto dial = std::min(patience::dial, until(deadline));
    auto stream = co_await kin_.links->dial(contact, LinkPurpose::attach, dial, stop_.get_token());
    if (!stream && detour_.empty()) detour_ = stream.error().cause;
    if (!stream || state_ != ParentState::seeking) co_return Answer{};
    auto link = std::make_shared<FramedLink>(executor_, std::move(*stream));
    co_return co_await attach_over(std::move(link), std::move(contact), limit, deadline);
}

awaitable<ParentLink::Answer> ParentLink::attach_over(std::shared_ptr<FramedLink> link,
                                                      Contact contact, milliseconds limit,
                                                      Clock::time_point deadline) {
    writing_.spawn(write_to_end(link));
    coming_ = link;
    link->send_magic();
    link->send(FrameType::attach, attach_message(contact.node == parent_.node));
    Answer answer;
    auto asked = Clock::now();
    auto bears = std::min(limit, until(deadline));
    auto frame = co_await next_answer(link, bears);
    while (frame && frame->type == FrameType::ping) {  // the ancestor waits for a place itself
        answer.asked_to_wait = true;
        bears = limit;
        asked = Clock::now();
        frame = co_await next_answer(link, limit);
    }
    coming_ = nullptr;
    const bool silent = !frame && Clock::now() - asked >= bears;
    answer.kind = silent ? Answer::Kind::unreachable : Answer::Kind::refused;
    const bool known = frame && (frame->type == FrameType::attached ||
                                 frame->type == FrameType::dismissed || is_broadcast(frame->type));
    auto attached = known && frame->type == FrameType::attached
                        ? AttachedMessage::decode(frame->payload)
                        : std::nullopt;
    if (known && state_ == ParentState::seeking && (attached || frame->type != FrameType::attached))
        answer = {Answer::Kind::answered, std::move(*frame), false};
    if (attached && answer.kind == Answer::Kind::answered)
        switch_to(std::move(link), std::move(*attached), contact);
    else
        link->close();
    co_return answer;
}

std::string ParentLink::attach_message(bool same_parent) {
    const bool routed = goes_over(kin_.route());
    auto below = kin_.below();
    if (!told_below_) told_below_ = below;
    AttachMessage message{kin_.self,       kin_.size,       {}, kin_.heard(), routed,
                          kin_.generation, std::move(below)};
    if (same_parent) message.received = channels_.received();
    message.count = channels_.count;
    return message.encode();
}

/// Nothing: no answer came in time, or it makes no sense.
awaitable<std::optional<Frame>> ParentLink::next_answer(std::shared_ptr<FramedLink> link,
                                                        milliseconds limit) {
    auto frame = co_await receive_within(executor_, link, limit);
    if (!frame || !frame->has_value()) co_return std::nullopt;
    co_return std::move(**frame);
}

/// Sets the ancestors as the parent lists them, except the parent's own address: only this relay
/// knows by which address it reaches the parent.
void ParentLink::set_ancestors(std::vector<Contact> ancestors) {
    kin_.ancestors = std::move(ancestors);
    if (!kin_.ancestors.empty()) kin_.ancestors.front().address = parent_.address;
}

/// The link of the start stays open and idle: some transports end the command that runs this relay
/// when its link ends.
void ParentLink::leave_link() {
    if (move_) move_->stop();
    link_of_start_ = link_;
    link_of_start_->finish_writing();
}

void ParentLink::switch_to(std::shared_ptr<FramedLink> link, AttachedMessage answer,
                           const Contact& contact) {
    if (looks_for_place() && !link_->closed()) leave_link();
    past_counts_ += link_->counts();
    ++renewals_;
    link_ = std::move(link);
    silence_.excuse();
    parent_ = contact;
    set_ancestors(std::move(answer.ancestors));
    if (!answer.received)
        channels_ = {.control = {}, .input = {}, .count = answer.count};
    else if (!channels_.acknowledge(*answer.received))
        refuse(FrameType::attached);
    channels_.resend(*link_);
    if (!answer.received) kin_.adopted(*told_below_);
    told_below_.reset();
    resend();
}

}  // namespace launch
