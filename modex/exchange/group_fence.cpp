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
    message.after = heard_;
    if (state_.settings.heals) waiting_[group] = heard_;
    handle(std::nullopt, std::move(message));
}

void GroupFence::new_parent() {
    for (const GroupUp& message : pending_)
        state_.sink.to_parent(encode(message));
    told_over_ = 0;
    note_over();
}

bool GroupFence::from_child(NodeIndex child, GroupUp message) {
    const Group& group = message.group;
    const bool of_job = !group.empty() && group.back() < state_.settings.ranks;
    const bool members =
        std::includes(group.begin(), group.end(), message.joined.begin(), message.joined.end());
    if (!of_job || !members) return false;
    handle(child, std::move(message));
    return true;
}

void GroupFence::handle(std::optional<NodeIndex> child, GroupUp message) {
    if (!state_.settings.root) {
        pass_up(std::move(message));
        return;
    }
    const auto ended = ended_.find(message.group);
    if (ended != ended_.end() && message.after < ended->second.number) {
        // The end of the fence was lost on its way.
        const GroupDown down{message.group, ended->second.number, ended->second.blob};
        if (child) state_.sink.to_child(*child, encode(down));
        return;
    }
    // The fence may have ended without them, and its end be forgotten.
    if (state_.settings.heals && !state_.settings.absent_is_fatal && all_gone(message.joined))
        return;
    const auto at = open_.try_emplace(message.group).first;
    const size_t before = at->second.joined.size();
    at->second.joined.insert(message.joined.begin(), message.joined.end());
    if (at->second.joined.size() > before) at->second.blob += message.blob;
    end_if_complete(at);
}

bool GroupFence::all_gone(const std::vector<uint32_t>& ranks) const {
    const auto gone = [this](uint32_t rank) { return state_.is_gone(rank); };
    return !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), gone);
}

/// Once, by whichever way it came.
void GroupFence::pass_up(GroupUp message) {
    const auto same = [&](const GroupUp& other) {
        return other.after == message.after && other.joined == message.joined &&
               other.group == message.group;
    };
    if (std::any_of(pending_.begin(), pending_.end(), same)) return;
    state_.sink.to_parent(encode(message));
    if (state_.settings.heals) pending_.push_back(std::move(message));
}

void GroupFence::exited() {
    for (auto at = open_.begin(); at != open_.end();)
        at = end_if_complete(at);
}

GroupFence::Fences::iterator GroupFence::end_if_complete(Fences::iterator at) {
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
    const GroupDown down{group, heard_ + 1, std::move(at->second.blob)};
    const auto next = open_.erase(at);
    from_parent(down);
    return next;
}

void GroupFence::from_parent(const GroupDown& message) {
    for (const auto& [index, child] : state_.children)
        state_.sink.to_child(index, encode(message));
    std::erase_if(pending_, [&](const GroupUp& up) {
        return up.group == message.group && up.after < message.number;
    });
    note_end(message);
    const bool here = std::any_of(message.group.begin(), message.group.end(),
                                  [this](uint32_t rank) { return state_.is_local(rank); });
    if (here && awaited(message)) state_.sink.group_done(message.group, message.blob);
}

void GroupFence::note_end(const GroupDown& message) {
    heard_ = std::max(heard_, message.number);
    if (!state_.settings.heals) return;
    if (state_.settings.root) {
        if (!state_.children.empty()) ended_[message.group] = {message.number, message.blob};
        return;
    }
    if (message.number == over_ + 1) over_ = message.number;
    uint64_t oldest = heard_;
    for (const GroupUp& up : pending_)
        oldest = std::min(oldest, up.after);
    over_ = std::max(over_, oldest);
    note_over();
}

/// False: that fence had ended here, or nobody here has joined it.
bool GroupFence::awaited(const GroupDown& message) {
    if (!state_.settings.heals) return true;
    const auto at = waiting_.find(message.group);
    if (at == waiting_.end() || message.number <= at->second) return false;
    waiting_.erase(at);
    return true;
}

void GroupFence::over_at(NodeIndex child, const GroupsOver& message) {
    uint64_t& known = state_.children.at(child).groups_over;
    known = std::max(known, message.number);
    note_over();
}

void GroupFence::advance() {
    if (state_.settings.heals) note_over();
}

uint64_t GroupFence::over_everywhere() const {
    uint64_t over = state_.settings.root ? heard_ : over_;
    for (const auto& [index, child] : state_.children)
        over = std::min(over, child.groups_over);
    return over;
}

/// All nodes tell the same numbers, so that no level of the tree waits for more than those below.
void GroupFence::note_over() {
    const uint64_t over = over_everywhere() / over_step * over_step;
    if (state_.settings.root) {
        std::erase_if(ended_, [over](const auto& each) { return each.second.number <= over; });
    } else if (over > told_over_) {
        told_over_ = over;
        state_.sink.to_parent(encode(GroupsOver{over}));
    }
}

}  // namespace launch
