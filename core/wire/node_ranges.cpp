// SPDX-License-Identifier: MIT
#include "core/wire/node_ranges.hpp"

#include <algorithm>
#include <cstdint>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

bool overlap(std::vector<NodeRange> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const NodeRange& one, const NodeRange& other) { return one.first < other.first; });
    const auto at = std::adjacent_find(ranges.begin(), ranges.end(),
                                       [](const NodeRange& one, const NodeRange& other) {
                                           return one.first + one.count > other.first;
                                       });
    return at != ranges.end();
}

}  // namespace

bool contains(const std::vector<NodeRange>& ranges, NodeIndex node) {
    return std::any_of(ranges.begin(), ranges.end(),
                       [node](NodeRange range) { return range.contains(node); });
}

std::vector<NodeRange> parts_within(const std::vector<NodeRange>& ranges, NodeRange whole) {
    std::vector<NodeRange> parts;
    for (const NodeRange& range : ranges) {
        const uint64_t first = std::max(range.first, whole.first);
        const uint64_t end =
            std::min(uint64_t{range.first} + range.count, uint64_t{whole.first} + whole.count);
        if (first < end)
            parts.push_back({static_cast<NodeIndex>(first), static_cast<NodeIndex>(end - first)});
    }
    return parts;
}

std::vector<NodeRange> parts_within(const std::vector<NodeRange>& ranges,
                                    const std::vector<NodeRange>& wanted) {
    std::vector<NodeRange> parts;
    for (const NodeRange& range : wanted)
        for (const NodeRange& part : parts_within(ranges, range))
            append_nodes(parts, part);
    return parts;
}

std::vector<NodeRange> parts_without(const std::vector<NodeRange>& ranges, NodeRange whole) {
    const uint64_t end = uint64_t{whole.first} + whole.count;
    auto parts = parts_within(ranges, {0, whole.first});
    if (end > UINT32_MAX) return parts;
    const auto after = static_cast<NodeIndex>(end);
    for (const NodeRange& part : parts_within(ranges, {after, UINT32_MAX - after}))
        parts.push_back(part);
    return parts;
}

void encode_ranges(Encoder& out, const std::vector<NodeRange>& ranges) {
    out.number(ranges.size());
    for (const NodeRange& range : ranges)
        out.number(range.first).number(range.count);
}

std::vector<NodeRange> decode_ranges(Decoder& in) {
    std::vector<NodeRange> ranges;
    const uint32_t count = in.count();
    uint64_t nodes = 0;
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        NodeRange range;
        range.first = in.number32();
        range.count = in.number32();
        nodes += range.count;
        const bool wraps = range.first > UINT32_MAX - range.count;
        if (range.count == 0 || wraps || nodes > max_hosts) in.fail();
        ranges.push_back(range);
    }
    if (in.ok() && overlap(ranges)) in.fail();
    return ranges;
}

}  // namespace launch
