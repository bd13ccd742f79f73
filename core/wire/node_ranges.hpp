// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/base/codec.hpp"
#include "core/topology.hpp"

namespace launch {

bool contains(const std::vector<NodeRange>& ranges, NodeIndex node);
/// The parts of the ranges that are within `whole`, in their order.
std::vector<NodeRange> parts_within(const std::vector<NodeRange>& ranges, NodeRange whole);
/// The parts that are within any of `wanted`, in the order of these.
std::vector<NodeRange> parts_within(const std::vector<NodeRange>& ranges,
                                    const std::vector<NodeRange>& wanted);
/// The parts that are not within `whole`.
std::vector<NodeRange> parts_without(const std::vector<NodeRange>& ranges, NodeRange whole);

/// Ranges of nodes inside a message, in any order. They do not overlap, and together are no more
/// than there can be hosts: who hears of them goes through them one by one.
void encode_ranges(Encoder& out, const std::vector<NodeRange>& ranges);
std::vector<NodeRange> decode_ranges(Decoder& in);

}  // namespace launch
