#include "modex/exchange/group_fence.hpp"

#include <algorithm>
#include <iterator>

namespace launch {

void GroupFence::join(const std::vector<uint32_t>& group, std::string blob,
                      const std::set<uint32_t>& left) {
    GroupUp message{group, {}, 0, std::move(blob)};
    const auto joins = [&](uint32_t rank) {
        return state_.is_local(rank) && !state_.is_gone(rank) && left.count(rank) == 0;
    };
    std::copy_if(group.begin(), group.end(), std::back_inserter(message.joined), joins);
    if (state_.settings.heals) message.sequence = ended_[group].sequence + 1;
    handle(std::nullopt, std::move(message));
}

void GroupFence::say_again() {
    for (const GroupUp& message : pending_)
        state_.sink.to_parent(encode(message));
}

void GroupFence::from_child(NodeIndex child, GroupUp message) {
    handle(child, std::move(message));
}

void GroupFence::handle(std::optional<NodeIndex> child, GroupUp message) {
    if (!state_.settings.root) {
        pass_up(std::move(message));
        return;
    }
    const auto ended = ended_.find(message.group);
    if (ended != ended_.end() && message.sequence <= ended->second.sequence) {
        // The end of the fence was lost on its way.
        const GroupDown down{message.group, ended->second.sequence, ended->second.blob};
        if (child) state_.sink.to_child(*child, encode(down));
        return;
    }
    const auto at = open_.try_emplace(message.group).first;
    const size_t before = at->second.joined.size();
    at->second.sequence = message.sequence;
    at->second.joined.insert(message.joined.begin(), message.joined.end());
    if (at->second.joined.size() > before) at->second.blob += message.blob;
    advance(at);
}

/// Once, by whichever way it came.
void GroupFence::pass_up(GroupUp message) {
    const auto same = [&](const GroupUp& other) {
        return other.sequence == message.sequence && other.joined == message.joined &&
               other.group == message.group;
    };
    if (std::any_of(pending_.begin(), pending_.end(), same)) return;
    state_.sink.to_parent(encode(message));
    if (state_.settings.heals) pending_.push_back(std::move(message));
}

void GroupFence::exited() {
    for (auto at = open_.begin(); at != open_.end();)
        at = advance(at);
}

GroupFence::Fences::iterator GroupFence::advance(Fences::iterator at) {
    const auto& [group, fence] = *at;
    uint32_t absent = 0;
    uint32_t absent_rank = 0;
    for (const uint32_t rank : group) {
        if (fence.joined.count(rank) > 0) continue;
        if (!state_.is_gone(rank)) return std::next(at);
        ++absent;
        absent_rank = rank;
    }
    if (absent > 0 && state_.settings.absent_is_fatal) {
        if (!std::exchange(at->second.broken, true)) state_.sink.fence_broken(absent_rank, absent);
        return std::next(at);
    }
    const GroupDown down{group, at->second.sequence, std::move(at->second.blob)};
    const auto next = open_.erase(at);
    from_parent(down);
    return next;
}

void GroupFence::from_parent(const GroupDown& message) {
    for (const auto& [index, child] : state_.children)
        state_.sink.to_child(index, encode(message));
    std::erase_if(pending_, [&](const GroupUp& up) {
        return up.group == message.group && up.sequence <= message.sequence;
    });
    const bool here = std::any_of(message.group.begin(), message.group.end(),
                                  [this](uint32_t rank) { return state_.is_local(rank); });
    if (note_end(message, here) && here) state_.sink.group_done(message.group, message.blob);
}

/// False: that fence had ended here.
bool GroupFence::note_end(const GroupDown& message, bool here) {
    if (!state_.settings.heals || (!here && !state_.settings.root)) return true;
    Ended& ended = ended_[message.group];
    if (message.sequence <= ended.sequence) return false;
    ended.sequence = message.sequence;
    if (state_.settings.root) ended.blob = message.blob;
    return true;
}

}  // namespace launch
