// SPDX-License-Identifier: MIT
#include "modex/exchange/fence_gate.hpp"

#include <algorithm>

namespace launch {

FenceGate::FenceGate(const ExchangeState& state, Members group)
    : state_(state), group_(std::move(group)) {
    for (const uint32_t rank : state_.settings.local) {
        if (group_.empty() || std::binary_search(group_.begin(), group_.end(), rank))
            members_.push_back({rank, false, state_.is_gone(rank)});
    }
    reset();
}

FenceGate::Member* FenceGate::find(uint32_t rank) {
    const auto at =
        std::lower_bound(members_.begin(), members_.end(), rank,
                         [](const Member& member, uint32_t r) { return member.rank < r; });
    return at == members_.end() || at->rank != rank ? nullptr : &*at;
}

bool FenceGate::join(uint32_t rank) {
    Member* member = find(rank);
    if (member == nullptr || member->joined || member->gone) return false;
    member->joined = true;
    ++joined_;
    --awaited_;
    return true;
}

bool FenceGate::join_all(const std::set<uint32_t>& left) {
    bool some = false;
    for (const Member& member : members_)
        if (!left.contains(member.rank)) some = join(member.rank) || some;
    return some;
}

void FenceGate::join_child(NodeIndex child, const FenceUp& message) {
    children_[child] = {message.counted, message.absent, message.absent_rank};
    report_again();
}

void FenceGate::split_child(NodeIndex whole, NodeIndex part) {
    if (is_in(whole)) children_[part] = {below(part).ranks, 0, 0};
}

bool FenceGate::is_in(NodeIndex child) const {
    const auto subtree = children_.find(child);
    if (subtree == children_.end()) return false;
    const RanksBelow members = below(child);
    return uint64_t{subtree->second.counted} + members.gone >= members.ranks;
}

RanksBelow FenceGate::below(NodeIndex child) const {
    if (group_.empty()) return state_.children.at(child);
    RanksBelow members;
    for (const uint32_t rank : group_) {
        if (state_.routes.child_of(rank) != child) continue;
        ++members.ranks;
        if (state_.is_gone(rank)) members.lose(rank);
    }
    return members;
}

FenceGate::Entry FenceGate::admit(NodeIndex child, const FenceUp& message, uint64_t last) const {
    const Neighbour& from = state_.children.at(child);
    const RanksBelow members = below(child);
    if (members.ranks == 0) return from.disturbed ? Entry::known : Entry::refused;
    const bool of_some = !group_.empty();
    // A group's fence may have ended without them, and its end be forgotten.
    const bool may_be_over = of_some && !state_.settings.absent_is_fatal;
    if (may_be_over && members.all_gone()) return Entry::known;
    // Where all there have exited the fence goes on without them, though they may have joined.
    const bool left_out = closed() && (members.all_gone() || state_.settings.root);
    const bool passed = message.after < last || left_out || is_in(child);
    const bool may_be_late = from.disturbed || members.all_gone() || state_.settings.heals;
    if (passed) return may_be_late ? Entry::known : Entry::refused;
    return of_some || message.after == last ? Entry::welcome : Entry::refused;
}

void FenceGate::exited(uint32_t rank) {
    Member* member = find(rank);
    if (member == nullptr || member->gone) return;
    member->gone = true;
    if (!member->joined) --awaited_;
}

/// The first report, when all have joined, or another, as more have than were reported.
bool FenceGate::is_due() {
    if (!closed()) return complete();
    if (state_.settings.root) return false;
    const uint32_t members = counted();
    reported_ = std::min(*reported_, members);
    return members > *reported_ && complete();
}

FenceGate::End FenceGate::advance() {
    if (!is_due()) return End::none;
    const bool root = state_.settings.root;
    const uint32_t members = counted();
    if (root && state_.settings.heals && misses_some(members)) return End::none;
    const bool broken = state_.settings.absent_is_fatal && absent() > 0;
    if (root && !broken) return End::open;
    reported_ = members;
    if (!root) return End::up;
    state_.sink.fence_broken(absent_rank(), absent());
    return End::none;
}

/// At the root, which counts `known` members: another lives and is below nobody, or below a child
/// that does not know of it yet, while it comes to another parent.
bool FenceGate::misses_some(uint64_t known) const {
    const uint64_t members = group_.empty() ? state_.settings.ranks : group_.size();
    if (known >= members) return false;
    uint64_t gone = 0;
    if (group_.empty())
        gone = static_cast<uint64_t>(std::count(state_.gone.begin(), state_.gone.end(), true));
    else
        gone = static_cast<uint64_t>(std::count_if(
            group_.begin(), group_.end(), [this](uint32_t rank) { return state_.is_gone(rank); }));
    return known + gone < members;
}

bool FenceGate::awaits_nobody() const {
    return awaited_ == 0 &&
           std::all_of(state_.children.begin(), state_.children.end(), [this](const auto& child) {
               return is_in(child.first) || below(child.first).all_gone();
           });
}

uint32_t FenceGate::counted() const {
    auto count = static_cast<uint32_t>(members_.size());
    for (const auto& [index, child] : state_.children) {
        const auto in = children_.find(index);
        const uint32_t ranks = below(index).ranks;
        count += in == children_.end() ? ranks : std::min(in->second.counted, ranks);
    }
    return count;
}

uint32_t FenceGate::absent() const {
    uint32_t count = static_cast<uint32_t>(members_.size()) - joined_;
    for (const auto& [index, child] : state_.children) {
        const auto in = children_.find(index);
        count += in == children_.end() ? below(index).ranks : in->second.absent;
    }
    return count;
}

uint32_t FenceGate::absent_rank() const {
    for (const auto& [index, subtree] : children_) {
        if (subtree.absent > 0) return subtree.absent_rank;
    }
    for (const auto& [index, child] : state_.children) {
        const RanksBelow members = below(index);
        if (members.gone > 0 && !has_spoken(index)) return members.gone_rank;
    }
    for (const Member& member : members_) {
        if (member.gone && !member.joined) return member.rank;
    }
    return 0;
}

void FenceGate::reset() {
    children_.clear();
    joined_ = 0;
    awaited_ = 0;
    reported_.reset();
    for (Member& member : members_) {
        member.joined = false;
        if (!member.gone) ++awaited_;
    }
}

}  // namespace launch
