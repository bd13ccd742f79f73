// SPDX-License-Identifier: MIT
#include "modex/exchange/collective_desk.hpp"

#include <algorithm>

namespace launch {
namespace {

/// Its members learn of each other's jobs.
bool acquaints(const Collective& collective) {
    using Kind = Collective::Kind;
    if (collective.kind != Kind::connect && collective.kind != Kind::group) return false;
    return collective.members.size() > 1 || collective.members.front().all;
}

RootReplies refusal(const RootAsker& asker, const char* why) {
    return {{asker, {0, false, why}}};
}

}  // namespace

/// All of a job's ranks may be named one by one, or as such.
void CollectiveDesk::name_alike(Collective& collective) const {
    for (SpaceMembers& members : collective.members) {
        const SpaceFacts* const facts = book_.facts(members.space);
        const auto& ranks = members.ranks;
        const bool are_all = facts != nullptr && ranks.size() == facts->ranks && !ranks.empty() &&
                             ranks.back() + 1 == facts->ranks;
        if (!are_all) continue;
        members.all = true;
        members.ranks.clear();
    }
}

bool CollectiveDesk::expect_members(const Collective& collective, Open& one) const {
    for (const SpaceMembers& members : collective.members) {
        const SpaceFacts* const facts = book_.facts(members.space);
        if (facts == nullptr) return false;
        auto& missing = one.missing[members.space];
        if (members.all) {
            for (uint32_t rank = 0; rank < facts->ranks; ++rank)
                missing.insert(missing.end(), rank);
        } else if (!members.ranks.empty() && members.ranks.back() >= facts->ranks) {
            return false;
        } else {
            missing.insert(members.ranks.begin(), members.ranks.end());
        }
    }
    return !one.missing.empty();
}

/// Takes the present members off the missing ones, except members that have exited since.
void CollectiveDesk::strike_out(const SpaceMemberList& present, Open& one) const {
    for (const SpaceMembers& members : present) {
        const auto at = one.missing.find(members.space);
        if (at == one.missing.end()) continue;
        for (const uint32_t rank : members.ranks)
            if (!book_.is_gone(members.space, rank)) at->second.erase(rank);
        if (at->second.empty()) one.missing.erase(at);
    }
}

bool CollectiveDesk::misses_any(const SpaceMemberList& present, const Open& one) {
    for (const SpaceMembers& members : present) {
        const auto at = one.missing.find(members.space);
        for (const uint32_t rank : members.ranks)
            if (at != one.missing.end() && at->second.contains(rank)) return true;
    }
    return false;
}

bool CollectiveDesk::misses_the_dead(const Open& one) const {
    for (const auto& [space, ranks] : one.missing)
        for (const uint32_t rank : ranks)
            if (book_.is_gone(space, rank)) return true;
    return false;
}

RootReplies CollectiveDesk::join(const RootAsker& asker, const NameAsk& message) {
    auto collective = Collective::decode(message.name);
    auto part = CollectivePart::decode(message.value);
    if (!collective || !part) return refusal(asker, malformed);
    name_alike(*collective);
    auto at = open_.find(*collective);
    if (at == open_.end() && message.again) {
        const auto over = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& each) {
            return each.collective == *collective && each.rounds > part->round;
        });
        if (over != kept_.end()) return {{asker, over->answer}};
    }
    if (at == open_.end()) {
        if (open_.size() >= most_open) return refusal(asker, too_many);
        Open one;
        if (!expect_members(*collective, one)) return refusal(asker, no_space);
        at = open_.emplace(*std::move(collective), std::move(one)).first;
    }
    Open& one = at->second;
    one.askers.push_back(asker);
    one.round = std::max(one.round, part->round);
    one.wants_context = one.wants_context || part->wants_context;
    // A part that is sent again may be there already; then its members are not missing.
    if (!part->data.empty() && (!message.again || misses_any(part->present, one))) {
        one.bytes += part->data.size();
        one.data.push_back(std::move(part->data));
    }
    strike_out(part->present, one);
    if (one.bytes > most_data) return fail(at, too_large);
    if (one.missing.empty()) return complete(at);
    return misses_the_dead(one) ? fail(at, no_member) : RootReplies{};
}

RootReplies CollectiveDesk::give_up(const RootAsker& asker) {
    const auto at = std::find_if(open_.begin(), open_.end(), [&](const auto& each) {
        const auto& askers = each.second.askers;
        return std::find(askers.begin(), askers.end(), asker) != askers.end();
    });
    return at == open_.end() ? RootReplies{} : fail(at, name_timeout);
}

void CollectiveDesk::lose_child(SpaceId space, NodeIndex child) {
    for (auto& [collective, one] : open_)
        std::erase_if(one.askers, [&](const RootAsker& asker) {
            return asker.space == space && asker.child == child;
        });
}

RootReplies CollectiveDesk::rank_gone(const std::string& space, uint32_t rank) {
    RootReplies replies;
    for (auto at = open_.begin(); at != open_.end();) {
        const auto next = std::next(at);
        const auto missing = at->second.missing.find(space);
        if (missing != at->second.missing.end() && missing->second.contains(rank)) {
            auto more = fail(at, no_member);
            replies.insert(replies.end(), more.begin(), more.end());
        }
        at = next;
    }
    return replies;
}

/// Also where all its ranks have joined: who has gone is not answered, and the others are to know.
RootReplies CollectiveDesk::space_gone(SpaceId id, const std::string& space) {
    const auto is_of_it = [&](const Collective& each) {
        return std::any_of(each.members.begin(), each.members.end(),
                           [&](const SpaceMembers& some) { return some.space == space; });
    };
    std::erase_if(kept_, [&](const Kept& each) { return is_of_it(each.collective); });
    RootReplies replies;
    for (auto at = open_.begin(); at != open_.end();) {
        const auto next = std::next(at);
        std::erase_if(at->second.askers, [&](const RootAsker& each) { return each.space == id; });
        if (is_of_it(at->first)) {
            auto more = fail(at, no_member);
            replies.insert(replies.end(), more.begin(), more.end());
        }
        at = next;
    }
    return replies;
}

RootReplies CollectiveDesk::complete(All::iterator at) {
    CollectiveResult result;
    if (at->second.wants_context) result.context = ++contexts_;
    if (acquaints(at->first))
        for (const SpaceMembers& members : at->first.members)
            if (const auto* facts = book_.facts(members.space)) result.spaces.push_back(*facts);
    result.data = std::move(at->second.data);
    const NameAnswer answer{0, true, result.encode()};
    keep(at->first, at->second.round + 1, answer);
    return end(at, answer);
}

RootReplies CollectiveDesk::fail(All::iterator at, const char* why) {
    return end(at, {0, false, why});
}

RootReplies CollectiveDesk::end(All::iterator at, const NameAnswer& answer) {
    RootReplies replies;
    for (const RootAsker& asker : at->second.askers)
        replies.push_back({asker, answer});
    open_.erase(at);
    return replies;
}

/// Keeps the answer of an operation that succeeded. One that failed fails again, or is waited for
/// again.
void CollectiveDesk::keep(const Collective& collective, uint64_t rounds, const NameAnswer& answer) {
    std::erase_if(kept_, [&](const Kept& each) { return each.collective == collective; });
    kept_.push_back({collective, rounds, answer});
    size_t bytes = 0;
    for (const Kept& each : kept_)
        bytes += each.answer.value.size();
    while (kept_.size() > most_kept || (bytes > most_kept_bytes && kept_.size() > 1)) {
        bytes -= kept_.front().answer.value.size();
        kept_.pop_front();
    }
}

}  // namespace launch
