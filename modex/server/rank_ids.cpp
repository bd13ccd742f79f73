#include "modex/server/rank_ids.hpp"

#include <cerrno>
#include <cstdlib>
#include <sys/random.h>

namespace launch {
namespace {

/// Not std::random_device: by it the executable would need glibc 2.36. A kernel that has no random
/// numbers to give leaves nothing to keep an id secret by.
uint32_t random_number() {
    uint32_t number = 0;
    while (getrandom(&number, sizeof number, 0) != sizeof number)
        if (errno != EINTR) std::abort();
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
