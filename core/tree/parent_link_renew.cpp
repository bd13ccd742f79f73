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
/// be busy.
awaitable<ParentLink::Answer> ParentLink::renew() {
    const auto deadline = Clock::now() + patience::renew;
    if (kin_.links == nullptr) co_return Answer::none;
    auto candidates = kin_.ancestors;
    while (!candidates.empty()) {
        std::vector<Contact> silent;
        for (const Contact& contact : candidates) {
            const auto begin = Clock::now();
            if (state_ != ParentState::seeking || begin >= deadline) co_return Answer::none;
            if (!contact.usable()) continue;
            const auto answer = co_await attach_to(contact);
            if (answer != Answer::none) co_return answer;
            if (Clock::now() - begin >= patience::dial) silent.push_back(contact);
        }
        candidates = std::move(silent);
    }
    co_return Answer::none;
}

void ParentLink::reroute(Route route) {
    rerouted_ = true;
    kin_.size = route.size;
    kin_.ancestors = route.ancestors;
    // A link that has taken another's place may lead to who does not listen to it any more.
    const bool settled = renewals_ == 0 && route.ancestors.front().node == parent_;
    if (!route.link && !route.moves && settled) return;
    route_ = std::move(route);
    if (route_->late) link_->close();
}

/// If the new parent is lost just now, another takes its place.
awaitable<ParentLink::Answer> ParentLink::go_over() {
    const Route route = *std::exchange(route_, std::nullopt);
    if (move_) move_->stop();
    link_of_start_ = link_;
    link_of_start_->finish_writing();
    if (!route.link) co_return Answer::none;
    co_return co_await attach_over(route.link, route.ancestors.front(), patience::go_over);
}

awaitable<ParentLink::Answer> ParentLink::attach_to(Contact contact) {
    auto stream =
        co_await kin_.links->dial(contact, LinkPurpose::attach, patience::dial, stop_.get_token());
    if (!stream || state_ != ParentState::seeking) co_return Answer::none;
    auto link = std::make_shared<FramedLink>(executor_, std::move(*stream));
    co_return co_await attach_over(std::move(link), std::move(contact), patience::dial);
}

awaitable<ParentLink::Answer> ParentLink::attach_over(std::shared_ptr<FramedLink> link,
                                                      Contact contact, milliseconds limit) {
    writing_.spawn(write_to_end(link));
    const bool same_parent = contact.node == parent_;
    coming_ = link;
    auto answer = co_await ask_to_attach(link, same_parent, limit);
    coming_ = nullptr;
    if (answer && answer->type == FrameType::finish) {
        link->close();
        co_return Answer::dismissed;
    }
    auto attached = answer ? AttachedMessage::decode(answer->payload) : std::nullopt;
    if (!attached || state_ != ParentState::seeking) {
        link->close();
        co_return Answer::none;
    }
    take_over(std::move(link), std::move(*attached), contact, same_parent);
    co_return Answer::attached;
}

/// The answer, where it is one that is known.
awaitable<std::optional<Frame>> ParentLink::ask_to_attach(std::shared_ptr<FramedLink> link,
                                                          bool same_parent, milliseconds limit) {
    AttachMessage message{kin_.self, kin_.size, {}, kin_.orders(), rerouted_, kin_.generation};
    if (same_parent) message.received = channels_.received();
    link->send_magic();
    link->send(FrameType::attach, message.encode());
    auto frame = co_await receive_within(executor_, link, limit);
    if (!frame || !frame->has_value()) co_return std::nullopt;
    const FrameType type = (*frame)->type;
    if (type != FrameType::attached && type != FrameType::finish) co_return std::nullopt;
    co_return std::move(**frame);
}

void ParentLink::take_over(std::shared_ptr<FramedLink> link, AttachedMessage answer,
                           const Contact& contact, bool same_parent) {
    past_counts_ += link_->counts();
    ++renewals_;
    link_ = std::move(link);
    silence_.excuse();
    parent_ = contact.node;
    kin_.ancestors = std::move(answer.ancestors);
    if (!kin_.ancestors.empty()) kin_.ancestors.front().address = contact.address;
    if (!same_parent) channels_ = {};  // it knows nothing of what the one before was told
    channels_.acknowledge(answer.received);
    channels_.resend(*link_);
    if (!same_parent) kin_.adopted();
    resend();
}

}  // namespace launch
