// SPDX-License-Identifier: MIT
#include "modex/exchange/group_fences.hpp"

#include <algorithm>

namespace launch {

BlobFence& GroupFences::of(const Members& group) {
    return fences_.try_emplace(group, state_, ModexChoice::automatic, group).first->second;
}

bool GroupFences::is_group(const Members& group) const {
    return !group.empty() && group.back() < state_.settings.ranks;
}

void GroupFences::join(const Members& group, std::string blob, const std::set<uint32_t>& left) {
    of(group).join_all(std::move(blob), true, left);
    forget();
}

bool GroupFences::from_child(NodeIndex child, FenceUp message) {
    if (!is_group(message.members)) return false;
    const bool taken = of(message.members).from_child(child, std::move(message));
    forget();
    return taken;
}

bool GroupFences::from_parent(FenceDown message) {
    if (!is_group(message.members)) return false;
    if (message.number <= forgotten_) return true;
    const uint64_t number = message.number;
    const bool last = message.last;
    const bool taken = of(message.members).from_parent(std::move(message));
    if (last) note_end(number);
    return taken;
}

void GroupFences::exited(uint32_t rank) {
    bool ended = false;
    for (auto& [group, fence] : fences_) {
        if (!std::binary_search(group.begin(), group.end(), rank)) continue;
        const bool was_open = !fence.idle();
        fence.exited(rank);
        ended = ended || (was_open && fence.idle());
    }
    if (ended) forget();
}

void GroupFences::split_child(NodeIndex whole, NodeIndex part) {
    for (auto& [group, fence] : fences_)
        fence.split_child(whole, part);
}

void GroupFences::new_parent() {
    for (auto& [group, fence] : fences_)
        fence.new_parent();
    if (forgotten_ > 0) state_.sink.to_parent(encode(GroupsOver{forgotten_}));
}

void GroupFences::advance() {
    for (auto& [group, fence] : fences_)
        fence.advance();
    forget();
}

void GroupFences::over_at(NodeIndex child, const GroupsOver& message) {
    uint64_t& known = state_.children.at(child).groups_over;
    known = std::max(known, message.number);
    forget();
}

void GroupFences::note_end(uint64_t number) {
    if (number == over_ + 1) over_ = number;
    uint64_t oldest = state_.group_fences;
    for (const auto& [group, fence] : fences_)
        if (!fence.idle()) oldest = std::min(oldest, fence.after());
    over_ = std::max(over_, oldest);
    forget();
}

uint64_t GroupFences::over_below() const {
    uint64_t over = state_.settings.root ? state_.group_fences : over_;
    for (const auto& [index, child] : state_.children)
        over = std::min(over, child.groups_over);
    return over;
}

/// All nodes tell the same numbers, so that no level of the tree waits for more than those below.
void GroupFences::tell_over() {
    const uint64_t over = over_below() / over_step * over_step;
    if (over <= forgotten_) return;
    forgotten_ = over;
    if (!state_.settings.root) state_.sink.to_parent(encode(GroupsOver{over}));
}

/// Drops ends for which no node may ask any more.
void GroupFences::forget() {
    const bool heals = state_.settings.heals;
    if (heals) tell_over();
    std::erase_if(fences_, [&](const auto& each) {
        const BlobFence& fence = each.second;
        return fence.rests() && (!heals || fence.last() <= forgotten_);
    });
}

size_t GroupFences::kept() const {
    return static_cast<size_t>(std::count_if(
        fences_.begin(), fences_.end(), [](const auto& each) { return each.second.last() > 0; }));
}

}  // namespace launch
