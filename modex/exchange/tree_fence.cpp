// SPDX-License-Identifier: MIT
#include "modex/exchange/tree_fence.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace launch {

TreeFence::TreeFence(ExchangeState& state, uint64_t& heard, Members group)
    : state_(state), gate_(state, std::move(group)), heard_(heard) {}

bool TreeFence::join(uint32_t rank) {
    note_first(heard_);
    if (!gate_.join(rank)) return false;
    advance();
    return true;
}

bool TreeFence::enter(const std::set<uint32_t>& left) {
    note_first(heard_);
    return gate_.join_all(left);
}

void TreeFence::note_first(uint64_t after) {
    if (idle()) after_ = after;
}

void TreeFence::exited(uint32_t rank) {
    gate_.exited(rank);
    advance();
}

bool TreeFence::from_child(NodeIndex child, FenceUp message) {
    const auto entry = gate_.admit(child, message, last_);
    if (entry == FenceGate::Entry::refused) return false;
    if (entry == FenceGate::Entry::known) {
        if (!is_of_all() && message.after < last_ && message.last) tell_again(child);
        return true;
    }
    if (!take(child, std::move(message.load))) return false;
    if (!message.last) return true;
    note_first(message.after);
    gate_.join_child(child, message);
    advance();
    return true;
}

void TreeFence::advance() {
    const auto next = gate_.advance();
    if (next == FenceGate::End::up) pass_up();
    if (next == FenceGate::End::open && may_end()) end(next_number());
}

void TreeFence::pass_up() {
    FenceUp up{group(), after_, gate_.counted(), gate_.absent(), 0, {}, false};
    if (up.absent > 0) up.absent_rank = gate_.absent_rank();
    auto loads = loads_up();
    for (LoadUp& load : loads) {
        up.load = std::move(load);
        up.last = &load == &loads.back();
        state_.sink.to_parent(encode(up));
    }
}

/// Where nodes may be lost it may come twice, and who waits for none may have missed some.
bool TreeFence::follows(uint64_t number) const {
    return !is_of_all() || state_.settings.heals || number == last_ + 1;
}

bool TreeFence::from_parent(FenceDown message) {
    if (!follows(message.number)) return false;
    if (message.number <= last_) return true;
    heard_ = std::max(heard_, message.number - 1);
    if (!take(message.number, std::move(message.load))) return false;
    if (message.last) end(message.number);
    return true;
}

void TreeFence::tell_end(NodeIndex child, LoadsDown loads) const {
    FenceDown down{group(), last_, {}, false};
    std::tie(down.load, down.last) = loads();
    if (down.last) return state_.sink.to_child(child, encode(down));
    state_.sink.stream_to_child(
        child, [down = std::move(down), loads = std::move(loads), ended = false]() mutable {
            if (ended) return std::optional<std::string>{};
            std::optional message(encode(down));
            ended = down.last;
            if (!ended) std::tie(down.load, down.last) = loads();
            return message;
        });
}

void TreeFence::pass(uint64_t number) {
    last_ = number;
    heard_ = std::max(heard_, number);
    gate_.reset();
}

/// Applies the effects of the end first, then reports it, so that every rank that gets the report
/// finds all values. Where nodes may be lost, all of them get the end of a group's fence, by its
/// number.
void TreeFence::end(uint64_t number) {
    open(number);
    pass(number);
    for (const auto& [index, child] : state_.children)
        if (is_of_all() || state_.settings.heals || gate_.has_members_below(index))
            tell_end(index, loads_down(index));
    done();
}

void TreeFence::split_child(NodeIndex whole, NodeIndex part) {
    gate_.split_child(whole, part);
    return_child(part);
}

void TreeFence::return_child(NodeIndex child) {
    if (is_of_all() && last_ > 0) tell_again(child);
}

void TreeFence::new_parent() {
    gate_.report_again();
    advance();
}

}  // namespace launch
