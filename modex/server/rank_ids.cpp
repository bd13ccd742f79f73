#include "modex/server/rank_ids.hpp"

#include <sys/random.h>

namespace launch {
namespace {

/// Not std::random_device: by it the executable would need the C library of the year 2022.
uint32_t random_number() {
    uint32_t number = 0;
    while (getrandom(&number, sizeof number, 0) != sizeof number) {
    }
    return number;
}

}  // namespace

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
