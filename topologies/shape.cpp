// SPDX-License-Identifier: MIT
#include "topologies/shape.hpp"

#include <map>

#include "topologies/blocks.hpp"

namespace launch {
namespace {

using Counts = std::map<NodeIndex, uint64_t>;  // subtree size -> how many at one depth

uint64_t total(const Counts& level) {
    uint64_t nodes = 0;
    for (const auto& [block, count] : level)
        nodes += count;
    return nodes;
}

}  // namespace

Shape shape_of(const Topology& topology, NodeIndex n) {
    Shape shape;
    std::map<uint32_t, uint64_t> degrees;
    SiblingRuns runs(topology);
    for (Counts level{{n, 1}}; !level.empty();) {
        shape.nodes_per_depth.push_back(total(level));
        Counts next;
        for (const auto& [block, count] : level) {
            uint32_t degree = 0;
            for (const SiblingRun& run : runs.below(block)) {
                degree += run.count;
                next[run.block] += count * run.count;
            }
            degrees[degree] += count;
        }
        level = std::move(next);
    }
    shape.depth = static_cast<uint32_t>(shape.nodes_per_depth.size() - 1);
    shape.max_degree = degrees.rbegin()->first;
    shape.edges = n - 1;
    shape.degree_histogram.assign(degrees.begin(), degrees.end());
    return shape;
}

}  // namespace launch
