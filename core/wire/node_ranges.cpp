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
