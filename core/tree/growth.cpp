// SPDX-License-Identifier: MIT
#include "core/tree/growth.hpp"

#include <algorithm>

namespace launch {
namespace {

/// Up to that size all parts together take so many more.
uint64_t taken_at(const std::vector<NodeIndex>& sizes, uint64_t level) {
    uint64_t taken = 0;
    for (const NodeIndex size : sizes)
        taken += level > size ? level - size : 0;
    return taken;
}

/// The greatest size to which all smaller parts can be filled.
uint64_t full_level(const std::vector<NodeIndex>& sizes, uint64_t count) {
    uint64_t low = 0;
    uint64_t high = uint64_t{*std::max_element(sizes.begin(), sizes.end())} + count;
    while (low < high) {
        const uint64_t middle = low + (high - low + 1) / 2;
        if (taken_at(sizes, middle) <= count)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

std::vector<NodeIndex> shares(const std::vector<NodeIndex>& sizes, NodeIndex count) {
    const uint64_t level = full_level(sizes, count);
    uint64_t left = count - taken_at(sizes, level);
    std::vector<NodeIndex> shares;
    for (const NodeIndex size : sizes) {
        const bool one_more = size <= level && left > 0;
        left -= one_more ? 1 : 0;
        shares.push_back(static_cast<NodeIndex>(level > size ? level - size : 0) +
                         (one_more ? 1 : 0));
    }
    return shares;
}

}  // namespace

GrowthShares deal_growth(const std::vector<NodeIndex>& sizes, size_t room, NodeIndex count) {
    if (sizes.empty()) room = std::max<size_t>(room, 1);
    // Free places first: of parts that are as small they get the odd ones.
    const size_t places = std::min<size_t>(room, count);
    std::vector<NodeIndex> all(places, 0);
    all.insert(all.end(), sizes.begin(), sizes.end());
    auto dealt = shares(all, count);
    const auto first_child = dealt.begin() + static_cast<std::ptrdiff_t>(places);
    GrowthShares growth{{first_child, dealt.end()}, {dealt.begin(), first_child}};
    std::erase(growth.of_new, NodeIndex{0});
    return growth;
}

}  // namespace launch
