// SPDX-License-Identifier: MIT
#include "modex/server/holdings.hpp"

namespace launch {
namespace {

bool is_room(uint64_t held, uint64_t more, uint64_t limit) {
    return more <= limit && held <= limit - more;
}

}  // namespace

bool Holdings::fits(uint32_t rank, Load load) const {
    const auto at = ranks_.find(rank);
    const Load held = at == ranks_.end() ? Load{} : at->second.all;
    return is_room(held.keys, load.keys, limits_.keys) &&
           is_room(held.bytes, load.bytes, limits_.bytes) &&
           is_room(held.questions, load.questions, limits_.questions);
}

bool Holdings::add(uint32_t rank, Load load) {
    if (forgotten(rank)) return true;
    if (!fits(rank, load)) return false;
    Load& all = ranks_[rank].all;
    all = {all.keys + load.keys, all.bytes + load.bytes, all.questions + load.questions};
    return true;
}

void Holdings::remove(uint32_t rank, Load load) {
    if (forgotten(rank)) return;
    Load& all = ranks_.at(rank).all;
    all = {all.keys - load.keys, all.bytes - load.bytes, all.questions - load.questions};
}

bool Holdings::hold(uint32_t rank, Kind kind, const std::string& key, uint64_t bytes) {
    if (forgotten(rank)) return true;
    auto& by_key = ranks_[rank].by_key;
    const std::string name = static_cast<char>(kind) + key;
    const auto known = by_key.find(name);
    const Load before = known == by_key.end() ? Load{} : Load{1, known->second, 0};
    remove(rank, before);
    const bool held = add(rank, {1, bytes, 0});
    if (held)
        by_key.insert_or_assign(name, bytes);
    else
        add(rank, before);
    return held;
}

void Holdings::release(Kind kind, const std::string& key) {
    const std::string name = static_cast<char>(kind) + key;
    for (auto& [rank, held] : ranks_) {
        const auto at = held.by_key.find(name);
        if (at == held.by_key.end()) continue;
        remove(rank, {1, at->second, 0});
        held.by_key.erase(at);
    }
}

void Holdings::release_all(uint32_t rank, Kind kind, const std::string& prefix) {
    const auto held = ranks_.find(rank);
    if (held == ranks_.end()) return;
    const std::string name = static_cast<char>(kind) + prefix;
    std::erase_if(held->second.by_key, [&](const auto& each) {
        if (!each.first.starts_with(name)) return false;
        remove(rank, {1, each.second, 0});
        return true;
    });
}

void Holdings::forget(uint32_t rank) {
    ranks_.erase(rank);
    gone_.insert(rank);
}

}  // namespace launch
