// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/base/codec.hpp"
#include "core/job/placement.hpp"

namespace launch {

void encode_runs(Encoder& out, const std::vector<RankRun>& runs);
std::vector<RankRun> decode_runs(Decoder& in);

}  // namespace launch
