// SPDX-License-Identifier: MIT
#include "tests/unit/modex/exchange/script.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr uint32_t keys_of_a_rank = 5;
/// More messages than any script needs: nodes ask each other for ever.
constexpr uint64_t most_messages = 1'000'000;

}  // namespace

Script::Script(const Topology& topology, const NodeRanks& ranks, Simulation::Settings simulation,
               Settings settings)
    : settings_(settings),
      random_(simulation.seed + 1),
      simulation_(topology, ranks, simulation, *this),
      placed_(ranks) {
    for (const auto& node : ranks) {
        for (const uint32_t rank : node)
            ranks_.push_back({rank, 0, 0, below(settings.steps + 1)});
    }
    std::sort(ranks_.begin(), ranks_.end(),
              [](const Rank& a, const Rank& b) { return a.number < b.number; });
}

std::string Script::key_of(uint32_t rank, uint32_t number) const {
    std::string text = std::to_string(rank);
    switch (number) {
        case 0: return "P" + text + "-card";
        case 1: return "key-" + std::string(6 - text.size(), '0') + text;
        case 2: return text;
        case 3: return "shm-" + text + "-" + std::to_string(rank / 2);
        default: return settings_.literals ? "uuid" + std::to_string(rank * 7 + 1000) : "a" + text;
    }
}

std::vector<Script::Value> Script::put_so_far(const std::string& key) const {
    const auto known = values_.find(key);
    return known == values_.end() ? std::vector<Value>() : known->second;
}

std::string Script::value(uint32_t size) {
    std::string text = "value:" + std::to_string(random_());
    text.resize(std::max<size_t>(text.size(), below(2 * size + 1)), 'x');
    return text;
}

void Script::put(Rank& rank) {
    const std::string key = key_of(rank.number, below(keys_of_a_rank));
    auto& values = values_[key];
    if (!values.empty() && !settings_.overwrite) return;
    owners_[key] = rank.number;
    const bool large = settings_.mixed && rank.fences % 2 == 0;
    const uint32_t size = large ? 100 * settings_.value_size : settings_.value_size;
    const bool again = !values.empty() && below(4) == 0;
    values.push_back({again ? values.back().text : value(size), rank.fences});
    simulation_.of(rank.number).put({rank.number, key, values.back().text});
}

void Script::get(Rank& rank) {
    const uint32_t owner = below(static_cast<uint32_t>(ranks_.size()) + 1);
    const std::string key = key_of(owner, below(keys_of_a_rank));
    const std::vector<Value> values = put_so_far(key);
    const bool visible = !values.empty() && values.front().fences < rank.fences;
    if (!settings_.early && !visible && owner < ranks_.size()) return;
    Get get{rank.number, key, rank.fences, 0};
    const bool here =
        !values.empty() && simulation_.node_of(owner) == simulation_.node_of(rank.number);
    if (here) get.local = values.size();
    const uint64_t ticket = gets_++;
    open_[ticket] = get;
    ++rank.waits;
    const int32_t hint = below(2) == 0 ? static_cast<int32_t>(owner) : -1;
    simulation_.of(rank.number).get(ticket, key, hint);
}

bool Script::may_act(const Rank& rank) const {
    if (rank.gone || rank.in_fence || rank.fences == settings_.fences) return false;
    return rank.waits == 0 || settings_.get_across;
}

void Script::act(Rank& rank) {
    if (settings_.exits_of_hundred > 0 &&
        below(100 * settings_.steps) < settings_.exits_of_hundred) {
        rank.gone = true;
        simulation_.exit(rank.number);
    } else if (rank.left == 0) {
        rank.in_fence = true;
        ++rank.joined;
        rank.left = below(settings_.steps + 1);
        EXPECT_TRUE(simulation_.of(rank.number).join(rank.number));
    } else {
        --rank.left;
        below(2) == 0 ? put(rank) : get(rank);
    }
}

/// Seldom one, sometimes some of a family.
void Script::lose_nodes() {
    const auto nodes = static_cast<NodeIndex>(placed_.size());
    if (losses_ == settings_.losses || nodes < 2 || below(60) > 0) return;
    for (NodeIndex node = 1 + below(nodes - 1); node != 0 && losses_ < settings_.losses;
         node = simulation_.parent(node)) {
        if (simulation_.lost(node)) continue;
        ++losses_;
        simulation_.lose(node);
        for (const uint32_t rank : placed_[node])
            ranks_[rank].gone = true;
        if (below(2) == 0) break;
    }
}

void Script::run() {
    for (;;) {
        lose_nodes();
        // Sometimes the network is slow, sometimes the ranks are.
        const uint32_t rounds = below(3) == 0 ? below(50) : below(4);
        bool moved = false;
        for (uint32_t i = 0; i < rounds; ++i)
            moved = simulation_.step() || moved;
        for (uint32_t i = 0; i < 3; ++i) {
            Rank& rank = ranks_[below(static_cast<uint32_t>(ranks_.size()))];
            if (!may_act(rank)) continue;
            act(rank);
            moved = true;
        }
        const bool all_wait = std::none_of(ranks_.begin(), ranks_.end(),
                                           [this](const Rank& rank) { return may_act(rank); });
        if (!moved && all_wait && !simulation_.step()) break;
        ASSERT_LT(traffic().messages, most_messages);
    }
    check_end();
}

void Script::check_end() const {
    for (const auto& [ticket, get] : open_) {
        EXPECT_TRUE(ranks_[get.rank].gone)
            << "rank " << get.rank << " waits for " << get.key << " for ever";
    }
    for (const Rank& rank : ranks_) {
        if (!rank.gone) {
            EXPECT_EQ(rank.fences, settings_.fences) << "rank " << rank.number;
        }
    }
    EXPECT_EQ(traffic().refused, 0U);
}

void Script::fence_done(NodeIndex node, Channel channel, const std::string&) {
    EXPECT_EQ(channel, Channel::cards);
    for (const uint32_t number : placed_[node]) {
        Rank& rank = ranks_[number];
        EXPECT_TRUE(rank.in_fence || rank.gone);
        rank.in_fence = false;
        ++rank.fences;
    }
    if (placed_[node].empty()) return;
    const uint32_t fences = ranks_[placed_[node].front()].fences;
    for (const Rank& rank : ranks_)
        EXPECT_TRUE(rank.gone || rank.joined >= fences) << "rank " << rank.number << " is not in";
}

void Script::answered(uint64_t ticket, bool found, const std::string& value) {
    ASSERT_EQ(open_.count(ticket), 1U);
    const Get get = open_.at(ticket);
    open_.erase(ticket);
    --ranks_[get.rank].waits;
    const std::vector<Value> values = put_so_far(get.key);
    // The oldest value that it may be told: the newest before the last fence.
    size_t oldest = get.local;
    for (size_t i = 0; i < values.size(); ++i) {
        if (values[i].fences < get.fences) oldest = std::max(oldest, i + 1);
    }
    if (!found) {
        const bool owner_died = oldest > 0 && ranks_[owners_.at(get.key)].gone;
        EXPECT_TRUE(oldest == 0 || owner_died) << "rank " << get.rank << " was not told of "
                                               << get.key << " after fence " << get.fences;
        return;
    }
    const bool right =
        std::any_of(values.begin() + static_cast<long>(oldest > 0 ? oldest - 1 : 0), values.end(),
                    [&](const Value& each) { return each.text == value; });
    const bool owner_died = !values.empty() && ranks_[owners_.at(get.key)].gone;
    EXPECT_TRUE(right || owner_died) << "rank " << get.rank << " was told an old value of "
                                     << get.key << " after fence " << get.fences;
}

}  // namespace launch
