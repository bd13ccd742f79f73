// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/base/codec.hpp"
#include "core/topology.hpp"

namespace launch {

/// Ranges of nodes inside a message, in any order. They do not overlap, and together are no more
/// than there can be hosts: who hears of them goes through them one by one.
void encode_ranges(Encoder& out, const std::vector<NodeRange>& ranges);
std::vector<NodeRange> decode_ranges(Decoder& in);

}  // namespace launch
