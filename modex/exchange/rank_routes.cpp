// SPDX-License-Identifier: MIT
#include "modex/exchange/rank_routes.hpp"

#include <algorithm>
#include <tuple>

namespace launch {

bool RankRoutes::Block::holds(uint32_t rank) const {
    if (rank < first) return false;
    const uint32_t offset = rank - first;
    return offset % stride < width && offset / stride < count;
}

bool RankRoutes::Block::join(const Block& next) {
    const bool beside = count == next.count && stride == next.stride && child == next.child &&
                        next.first - first == width;
    const bool fits = count == 1 || width + next.width <= stride;
    if (!beside || !fits) return false;
    width += next.width;
    return true;
}

RankRoutes::Block RankRoutes::block_of(RankRun run, NodeIndex child) {
    // The stride of a single repetition is meaningless; UINT32_MAX is one that no rank exceeds.
    if (run.stride <= 1 || run.count <= 1) return {run.first, run.count, 1, UINT32_MAX, child};
    return {run.first, 1, run.count, run.stride, child};
}

uint32_t RankRoutes::add(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks) {
    uint32_t total = 0;
    std::vector<Block> blocks;
    for (const auto& node : ranks) {
        for (const RankRun& run : node) {
            if (run.count == 0) continue;
            total += run.count;
            blocks.push_back(block_of(run, child));
        }
    }
    std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
        return std::tie(a.stride, a.count, a.first) < std::tie(b.stride, b.count, b.first);
    });
    Block* last = nullptr;
    for (const Block& block : blocks) {
        if (last != nullptr && last->join(block)) continue;
        auto& blocks_alike = block.count == 1 ? contiguous_ : strided_;
        last = &blocks_alike.emplace_back(block);
    }
    std::sort(contiguous_.begin(), contiguous_.end(),
              [](const Block& a, const Block& b) { return a.first < b.first; });
    return total;
}

void RankRoutes::remove(NodeIndex child) {
    const auto is_its = [child](const Block& block) { return block.child == child; };
    std::erase_if(contiguous_, is_its);
    std::erase_if(strided_, is_its);
}

std::optional<NodeIndex> RankRoutes::child_of(uint32_t rank) const {
    auto after = std::upper_bound(contiguous_.begin(), contiguous_.end(), rank,
                                  [](uint32_t r, const Block& block) { return r < block.first; });
    if (after != contiguous_.begin() && (--after)->holds(rank)) return after->child;
    for (const Block& block : strided_) {
        if (block.holds(rank)) return block.child;
    }
    return std::nullopt;
}

}  // namespace launch
