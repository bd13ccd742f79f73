// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/chance.hpp"

#include <vector>

namespace launch {

std::string Chance::some_tree() {
    static const std::vector<std::string> trees = {"chain", "kary:2", "kary:3", "binomial", "flat"};
    return trees[draw(trees.size())];
}

LinkQuality Chance::some_quality(uint32_t kind) {
    LinkQuality quality;
    if (kind == 1) quality.latency = std::chrono::microseconds{draw(20'000)};
    if (kind == in_pieces) quality.most_at_once = 1 + draw(12);
    return quality;
}

Bounds Chance::little_room() {
    Bounds bounds;
    bounds.from_children = 1u << draw(16);
    bounds.to_head = 1u << draw(16);
    bounds.to_client = 1u << draw(16);
    bounds.smallest_window = 1u << draw(13);
    bounds.largest_window = bounds.smallest_window << draw(6);
    bounds.broadcasts = 1u << draw(6);
    bounds.unheard_broadcasts = 1 + draw(bounds.broadcasts);
    return bounds;
}

uint32_t Chance::most_lines(uint32_t kind, size_t times) {
    const bool writes_much = one_of(times);
    return writes_much && kind != in_pieces ? 20'000 : usual_lines;
}

}  // namespace launch
