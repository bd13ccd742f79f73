// SPDX-License-Identifier: MIT
#include "topologies/auto.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

#include "core/base/seconds.hpp"
#include "topologies/binomial.hpp"
#include "topologies/blocks.hpp"
#include "topologies/flat.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

using std::chrono::microseconds;

struct Candidate {
    std::unique_ptr<Topology> topology;
    ModelTime time;
};

Candidate candidate(std::unique_ptr<Topology> topology, NodeIndex nodes, const CostModel& model) {
    const ModelTime time = model_time(*topology, nodes, model);
    return {std::move(topology), time};
}

/// Whether a k-ary tree of this depth can have so many nodes.
bool fits(uint32_t degree, uint32_t depth, NodeIndex nodes) {
    uint64_t capacity = 1;
    for (uint32_t level = 0; level < depth && capacity < nodes; ++level) {
        capacity = capacity * degree + 1;
    }
    return capacity >= nodes;
}

/// The smallest degree >= 2 that reaches so many nodes within this depth.
uint32_t least_degree(uint32_t depth, NodeIndex nodes) {
    uint32_t low = 2;
    uint32_t high = std::max<uint32_t>(2, nodes - 1);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (fits(middle, depth, nodes)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/// No k-ary tree of this degree and depth is ready sooner: some path has `depth` edges, and below
/// the root's last child, whose block is at most one node short, some path has depth - 2.
microseconds bound(uint32_t degree, uint32_t depth, const CostModel& model) {
    const microseconds deepest = depth * (model.per_edge + model.per_child);
    const microseconds last = degree * model.per_child + std::max(1U, depth - 1) * model.per_edge;
    return std::max(deepest, last);
}

/// The best k-ary tree of exactly this depth, whose degrees are [least, end).
Candidate best_of_depth(uint32_t depth, uint32_t least, uint32_t end, NodeIndex nodes,
                        const CostModel& model) {
    constexpr uint32_t most_tried = 1000;
    end = std::min(end, least + most_tried);
    Candidate best = candidate(make_kary(least), nodes, model);
    // The smallest degree is nearly always the best one; the bound ends the search for exceptions.
    for (uint32_t k = least + 1; k < end && bound(k, depth, model) < best.time.ready; ++k) {
        Candidate other = candidate(make_kary(k), nodes, model);
        if (other.time.ready < best.time.ready) best = std::move(other);
    }
    return best;
}

/// All that are compared, the best first. Depth by depth, since a tree of the same depth needs a
/// search only among degrees; depth 1 is flat.
std::vector<Candidate> candidates(NodeIndex nodes, const CostModel& model) {
    std::vector<Candidate> all;
    all.push_back(candidate(make_flat(), nodes, model));
    if (nodes > 3) all.push_back(candidate(make_binomial(), nodes, model));
    uint32_t end = nodes - 1;
    for (uint32_t depth = 2; end > 2; ++depth) {
        const uint32_t least = least_degree(depth, nodes);
        if (least < end) all.push_back(best_of_depth(depth, least, end, nodes, model));
        end = least;
    }
    std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(a.time.ready, a.time.depth) < std::tie(b.time.ready, b.time.depth);
    });
    return all;
}

std::string in_milliseconds(microseconds time) {
    char text[32];
    std::snprintf(text, sizeof text, "%g ms", static_cast<double>(time.count()) / 1e3);
    return text;
}

/// "kary:10 0.44 s (depth 3) < kary:30 0.495 s (depth 2) < ... < flat 4.6 s (depth 1)": the best
/// few, and flat, which everybody knows.
std::string compared(const std::vector<Candidate>& all) {
    constexpr size_t shown = 3;
    std::string text;
    const Candidate* last = nullptr;
    for (size_t i = 0; i < all.size(); ++i) {
        const Candidate& one = all[i];
        if (i >= shown && one.topology->name() != "flat") continue;
        if (last != nullptr) text += last->time.ready == one.time.ready ? " = " : " < ";
        if (i > shown) text += "... < ";
        text += one.topology->name() + " " +
                in_seconds(std::chrono::round<std::chrono::milliseconds>(one.time.ready)) +
                " (depth " + std::to_string(one.time.depth) + ")";
        last = &one;
    }
    return text;
}

}  // namespace

ModelTime model_time(const Topology& topology, NodeIndex n, const CostModel& model) {
    // Among subtrees of one size at one depth only the one that starts last matters.
    using Starts = std::map<NodeIndex, microseconds>;
    ModelTime time;
    SiblingRuns runs(topology);
    for (Starts level{{n, microseconds{0}}};;) {
        Starts next;
        for (const auto& [block, start] : level) {
            time.ready = std::max(time.ready, start);
            uint32_t position = 0;
            for (const SiblingRun& run : runs.below(block)) {
                position += run.count;
                microseconds& latest = next[run.block];
                latest = std::max(latest, start + position * model.per_child + model.per_edge);
            }
        }
        if (next.empty()) return time;
        ++time.depth;
        level = std::move(next);
    }
}

AutoChoice choose_topology(NodeIndex nodes, const CostModel& model) {
    if (nodes <= 2) return {make_flat(), "auto: flat, because there is at most one host"};
    std::vector<Candidate> all = candidates(nodes, model);
    std::string reason = "auto: " + std::to_string(nodes - 1) + " hosts: " + compared(all) +
                         "; at " + in_milliseconds(model.per_edge) + " per level and " +
                         in_milliseconds(model.per_child) + " per child";
    return {std::move(all.front().topology), std::move(reason)};
}

}  // namespace launch
