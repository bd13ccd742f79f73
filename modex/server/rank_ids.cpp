// SPDX-License-Identifier: MIT
#include "modex/server/rank_ids.hpp"

#include "core/base/random.hpp"

namespace launch {

uint32_t RankIds::add(uint32_t rank) {
    for (;;) {
        const uint32_t id = random_number() & INT32_MAX;
        if (id != 0 && ranks_.emplace(id, rank).second) return id;
    }
}

void RankIds::remove(uint32_t rank) {
    std::erase_if(ranks_, [rank](const auto& entry) { return entry.second == rank; });
}

std::optional<uint32_t> RankIds::find(uint32_t id) const {
    const auto at = ranks_.find(id);
    if (at == ranks_.end()) return std::nullopt;
    return at->second;
}

}  // namespace launch
