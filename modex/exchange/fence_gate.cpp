#include "modex/exchange/fence_gate.hpp"

#include <algorithm>

namespace launch {

FenceGate::FenceGate(const ExchangeState& state)
    : state_(state),
      members_(state.settings.local.size()),
      awaited_(static_cast<uint32_t>(members_.size())) {}

/// Where in members_; past its end for a rank of another node.
size_t FenceGate::place(uint32_t rank) const {
    const auto& local = state_.settings.local;
    const auto at = std::lower_bound(local.begin(), local.end(), rank);
    if (at == local.end() || *at != rank) return members_.size();
    return static_cast<size_t>(at - local.begin());
}

FenceGate::Member* FenceGate::find(uint32_t rank) {
    const size_t at = place(rank);
    return at < members_.size() ? &members_[at] : nullptr;
}

bool FenceGate::join(uint32_t rank) {
    Member* member = find(rank);
    if (member == nullptr || member->joined || member->gone) return false;
    member->joined = true;
    ++joined_;
    --awaited_;
    return true;
}

void FenceGate::join_all(const std::set<uint32_t>& left) {
    for (const uint32_t rank : state_.settings.local) {
        if (left.count(rank) == 0) join(rank);
    }
}

bool FenceGate::join_child(NodeIndex child, uint32_t absent, uint32_t absent_rank) {
    return children_.emplace(child, Subtree{absent, absent_rank}).second;
}

FenceGate::Entry FenceGate::admit(NodeIndex child, const FenceUp& message, uint64_t last) {
    const bool passed = message.sequence <= last || closed_ || has(child);
    const Neighbour& from = state_.children.at(child);
    // Where all there have exited the fence goes on without them, though they may have joined.
    const bool may_be_late = from.disturbed || from.gone >= from.ranks;
    if (may_be_late && passed) return Entry::known;
    if (closed_ || message.sequence != last + 1) return Entry::refused;
    const bool joined = join_child(child, message.absent, message.absent_rank);
    return joined ? Entry::joined : Entry::refused;
}

void FenceGate::split_child(NodeIndex whole, NodeIndex part) {
    if (has(whole)) children_.emplace(part, Subtree{});
}

void FenceGate::exited(uint32_t rank) {
    Member* member = find(rank);
    if (member == nullptr || member->gone) return;
    member->gone = true;
    if (!member->joined) --awaited_;
}

FenceGate::End FenceGate::advance() {
    if (closed_ || !complete()) return End::none;
    const bool broken = absent() > 0 && state_.settings.absent_is_fatal;
    if (state_.settings.root && !broken) return End::open;
    closed_ = true;
    if (!state_.settings.root) return End::up;
    state_.sink.fence_broken(absent_rank(), absent());
    return End::none;
}

FenceUp FenceGate::message(Channel channel, uint64_t sequence) const {
    FenceUp up;
    up.channel = channel;
    up.sequence = sequence;
    up.absent = absent();
    up.absent_rank = up.absent > 0 ? absent_rank() : 0;
    return up;
}

bool FenceGate::awaits_nobody() const {
    return awaited_ == 0 &&
           std::all_of(state_.children.begin(), state_.children.end(), [this](const auto& child) {
               return child.second.gone >= child.second.ranks || children_.count(child.first) > 0;
           });
}

bool FenceGate::joined(uint32_t rank) const {
    const size_t at = place(rank);
    return at < members_.size() && members_[at].joined;
}

uint32_t FenceGate::absent() const {
    uint32_t count = static_cast<uint32_t>(members_.size()) - joined_;
    for (const auto& [index, child] : state_.children) {
        const auto in = children_.find(index);
        count += in == children_.end() ? child.ranks : in->second.absent;
    }
    return count;
}

uint32_t FenceGate::absent_rank() const {
    for (const auto& [index, subtree] : children_) {
        if (subtree.absent > 0) return subtree.absent_rank;
    }
    for (const auto& [index, child] : state_.children) {
        if (child.gone > 0 && children_.count(index) == 0) return child.gone_rank;
    }
    for (size_t i = 0; i < members_.size(); ++i) {
        if (members_[i].gone && !members_[i].joined) return state_.settings.local[i];
    }
    return 0;
}

void FenceGate::reset() {
    children_.clear();
    joined_ = 0;
    awaited_ = 0;
    closed_ = false;
    for (Member& member : members_) {
        member.joined = false;
        if (!member.gone) ++awaited_;
    }
}

}  // namespace launch
