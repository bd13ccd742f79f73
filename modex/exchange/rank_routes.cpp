#include "modex/exchange/rank_routes.hpp"

namespace launch {
namespace {

bool holds(const RankRun& run, uint32_t rank) {
    if (rank < run.first) return false;
    const uint32_t offset = rank - run.first;
    return offset % run.stride == 0 && offset / run.stride < run.count;
}

bool continues(const RankRun& before, const RankRun& run) {
    return before.stride == 1 && run.stride == 1 && before.first + before.count == run.first;
}

}  // namespace

uint32_t RankRoutes::add(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks) {
    uint32_t total = 0;
    for (const auto& node : ranks) {
        for (RankRun run : node) {
            total += run.count;
            if (run.count == 1) run.stride = 1;
            const bool joins = !routes_.empty() && routes_.back().child == child &&
                               continues(routes_.back().run, run);
            if (joins) {
                routes_.back().run.count += run.count;
            } else {
                routes_.push_back({run, child});
            }
        }
    }
    return total;
}

void RankRoutes::remove(NodeIndex child) {
    std::erase_if(routes_, [child](const Route& route) { return route.child == child; });
}

std::optional<NodeIndex> RankRoutes::child_of(uint32_t rank) const {
    for (const Route& route : routes_) {
        if (holds(route.run, rank)) return route.child;
    }
    return std::nullopt;
}

}  // namespace launch
