// SPDX-License-Identifier: MIT
#include "modex/exchange/death_roll.hpp"

#include <utility>

namespace launch {
namespace {

std::string range_text(uint32_t first, uint32_t last) {
    std::string text = std::to_string(first);
    if (last > first) text += "-" + std::to_string(last);
    return text;
}

}  // namespace

void DeathRoll::died(uint32_t rank) {
    report({rank});
}

void DeathRoll::from_child(const Deaths& message) {
    report(message.ranks);
}

/// Up to the root, which tells who watches.
void DeathRoll::report(const std::vector<uint32_t>& ranks) {
    if (state_.settings.root) {
        from_parent({ranks});
        return;
    }
    if (state_.settings.heals) told_.insert(ranks.begin(), ranks.end());
    state_.sink.to_parent(encode(Deaths{ranks}));
}

void DeathRoll::new_parent() {
    if (!told_.empty()) state_.sink.to_parent(encode(Deaths{{told_.begin(), told_.end()}}));
    if (watched()) ask_parent(false);
}

std::vector<uint32_t> DeathRoll::take_new(const std::vector<uint32_t>& ranks) {
    std::vector<uint32_t> fresh;
    for (const uint32_t rank : ranks) {
        if (rank < state_.settings.ranks && dead_.insert(rank).second) fresh.push_back(rank);
    }
    return fresh;
}

void DeathRoll::from_parent(const Deaths& message) {
    const Deaths news{take_new(message.ranks)};
    if (news.ranks.empty()) return;
    for (const NodeIndex child : children_) {
        if (state_.children.count(child) > 0) state_.sink.to_child(child, encode(news));
    }
    if (here_) state_.sink.ranks_died(news.ranks);
}

void DeathRoll::watch() {
    const bool before = watched();
    if (std::exchange(here_, true)) return;
    if (!dead_.empty()) state_.sink.ranks_died({dead_.begin(), dead_.end()});
    ask_parent(before);
}

void DeathRoll::watched_by(NodeIndex child) {
    const bool before = watched();
    if (!children_.insert(child).second) return;
    if (!dead_.empty()) state_.sink.to_child(child, encode(Deaths{{dead_.begin(), dead_.end()}}));
    ask_parent(before);
}

void DeathRoll::ask_parent(bool asked_before) {
    if (!state_.settings.root && !asked_before) state_.sink.to_parent(encode(WatchDeaths{}));
}

std::string DeathRoll::text(size_t limit) const {
    std::string text;
    for (auto at = dead_.begin(); at != dead_.end();) {
        const uint32_t first = *at;
        uint32_t last = first;
        for (++at; at != dead_.end() && *at == last + 1; ++at)
            last = *at;
        const std::string next = (text.empty() ? "" : ",") + range_text(first, last);
        if (text.size() + next.size() > limit) break;
        text += next;
    }
    return text;
}

}  // namespace launch
