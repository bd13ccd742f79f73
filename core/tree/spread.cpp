// SPDX-License-Identifier: MIT
#include "core/tree/spread.hpp"

#include <algorithm>

namespace launch {
namespace {

constexpr size_t width = 8;

}  // namespace

std::vector<NodeIndex> spread_rest(const Topology& topology, NodeIndex size) {
    std::vector<NodeIndex> starts;
    topology.children(0, size, starts);
    const uint64_t fewest = std::max(starts.size(), width);
    const uint64_t largest = (size - 1 + fewest - 1) / fewest;
    starts.clear();
    uint64_t start = 1;
    for (uint64_t part = 1; start < size; part = std::min(part * width, largest)) {
        for (size_t i = 0; i < width && start < size; ++i, start += part)
            starts.push_back(static_cast<NodeIndex>(start));
    }
    return starts;
}

}  // namespace launch
