// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run.hpp"
#include "core/base/counted.hpp"

namespace launch {
namespace {

constexpr size_t longest_list = 4;

struct Range {
    uint32_t first;
    uint32_t last;
};

/// Ranges in ascending order, joined where they touch. Empty if there are too many to list.
std::vector<Range> joined_ranges(const std::vector<Range>& ranges) {
    std::vector<Range> made;
    for (const auto& range : ranges) {
        if (!made.empty() && made.back().last + 1 == range.first) {
            made.back().last = range.last;
        } else {
            made.push_back(range);
        }
        if (made.size() > longest_list) return {};
    }
    return made;
}

/// Block placement: each host goes on where the one before it ends. Empty if it is not so.
std::vector<Range> as_block(const Placement& placement, size_t first, size_t last) {
    std::vector<Range> block;
    for (size_t i = first; i <= last; ++i) {
        for (const auto& run : placement.node(i)) {
            if (block.empty()) block.push_back({run.first, run.first - 1});
            if (run.stride != 1 || block[0].last + 1 != run.first) return {};
            block[0].last += run.count;
        }
    }
    return block;
}

/// Cyclic placement: in each round these hosts get consecutive ranks, and all take part in the
/// same rounds. Empty if it is not so.
std::vector<Range> as_rounds(const Placement& placement, size_t first, size_t last) {
    const auto model = placement.node(first);
    if (model.size() != 1 || model[0].count > longest_list) return {};
    for (size_t i = first; i <= last; ++i) {
        const auto runs = placement.node(i);
        const auto expected = model[0].first + static_cast<uint32_t>(i - first);
        if (runs.size() != 1 || runs[0] != RankRun{expected, model[0].count, model[0].stride})
            return {};
    }
    std::vector<Range> rounds;
    const auto width = static_cast<uint32_t>(last - first);
    for (uint32_t round = 0; round < model[0].count; ++round) {
        const uint32_t begin = model[0].first + round * model[0].stride;
        rounds.push_back({begin, begin + width});
    }
    return joined_ranges(rounds);
}

}  // namespace

std::string ranks_of(const Placement& placement, size_t first, size_t last) {
    auto ranges = as_block(placement, first, last);
    if (ranges.empty()) ranges = as_rounds(placement, first, last);
    if (ranges.empty()) {
        uint64_t count = 0;
        for (size_t i = first; i <= last; ++i)
            count += local_size(placement.node(i));
        return counted(count, "rank");
    }
    const bool one = ranges.size() == 1 && ranges[0].first == ranges[0].last;
    std::string text = one ? "rank " : "ranks ";
    for (size_t i = 0; i < ranges.size(); ++i) {
        text += (i > 0 ? ", " : "") + std::to_string(ranges[i].first);
        if (ranges[i].last != ranges[i].first) text += "-" + std::to_string(ranges[i].last);
    }
    return text;
}

}  // namespace launch
