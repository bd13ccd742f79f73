// SPDX-License-Identifier: MIT
#include "modex/exchange/root_desk.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/number_text.hpp"

namespace launch {

SpaceId RootDesk::add(SpaceFacts facts, RootSpace& space) {
    const SpaceId id = ++last_;
    by_name_[facts.space] = id;
    spaces_[id] = {std::move(facts), &space};
    return id;
}

void RootDesk::remove(SpaceId id) {
    const auto at = spaces_.find(id);
    const std::string name = at->second.facts.space;
    spaces_.erase(at);
    if (by_name_[name] == id) by_name_.erase(name);
    names_.space_gone(id);
    deliver(collectives_.space_gone(id, name));
    std::vector<RootAsker> unanswered;
    for (auto each = fetches_.begin(); each != fetches_.end();) {
        const bool over = each->second.of == id || each->second.asker.space == id;
        if (each->second.of == id) unanswered.push_back(each->second.asker);
        each = over ? fetches_.erase(each) : std::next(each);
    }
    for (const RootAsker& asker : unanswered)
        deliver(asker, {0, false, CollectiveDesk::no_space});
}

const SpaceFacts* RootDesk::facts(const std::string& space) const {
    const auto at = by_name_.find(space);
    return at == by_name_.end() ? nullptr : &spaces_.at(at->second).facts;
}

bool RootDesk::is_gone(const std::string& space, uint32_t rank) const {
    const auto at = by_name_.find(space);
    return at == by_name_.end() || spaces_.at(at->second).space->root_knows_gone(rank);
}

void RootDesk::ask(const RootAsker& asker, const NameAsk& message) {
    switch (message.verb) {
        case NameAsk::Verb::fetch: return fetch(asker, message);
        case NameAsk::Verb::collective: return deliver(collectives_.join(asker, message));
        case NameAsk::Verb::give_up: return give_up(asker, message);
        default: return deliver(names_.ask(asker, spaces_.at(asker.space).facts.space, message));
    }
}

void RootDesk::give_up(const RootAsker& asker, const NameAsk& message) {
    RootReplies replies = names_.ask(asker, {}, message);
    if (replies.empty()) replies = collectives_.give_up(asker);
    deliver(std::move(replies));
}

void RootDesk::fetch(const RootAsker& asker, const NameAsk& message) {
    const size_t blank = std::min(message.value.find(' '), message.value.size());
    const auto rank = parse_number<uint32_t>(message.value.substr(0, blank));
    const std::string key = message.value.substr(std::min(blank + 1, message.value.size()));
    const auto space = by_name_.find(message.name);
    const bool known =
        rank && space != by_name_.end() && *rank < spaces_.at(space->second).facts.ranks;
    if (!known) return deliver(asker, {0, false, CollectiveDesk::no_space});
    const uint64_t ticket = next_fetch_++;
    fetches_[ticket] = {asker, space->second};
    spaces_.at(space->second).space->root_fetches(ticket, *rank, key);
}

void RootDesk::fetched(uint64_t ticket, bool found, std::string value) {
    const auto at = fetches_.find(ticket);
    if (at == fetches_.end()) return;
    const RootAsker asker = at->second.asker;
    fetches_.erase(at);
    deliver(asker, {0, found, std::move(value)});
}

void RootDesk::lose_child(SpaceId space, NodeIndex child) {
    names_.lose_child(space, child);
    collectives_.lose_child(space, child);
}

void RootDesk::rank_gone(SpaceId space, uint32_t rank) {
    names_.rank_gone(space, rank);
    deliver(collectives_.rank_gone(spaces_.at(space).facts.space, rank));
}

void RootDesk::deliver(RootReplies replies) {
    for (RootReply& reply : replies)
        deliver(reply.to, std::move(reply.answer));
}

void RootDesk::deliver(const RootAsker& asker, NameAnswer answer) {
    const auto at = spaces_.find(asker.space);
    if (at != spaces_.end()) at->second.space->root_answers(asker, std::move(answer));
}

}  // namespace launch
