// SPDX-License-Identifier: MIT
#include "core/wire/run_codec.hpp"

namespace launch {

void encode_runs(Encoder& out, const std::vector<RankRun>& runs) {
    out.number(runs.size());
    for (const auto& run : runs)
        out.number(run.first).number(run.count).number(run.stride);
}

std::vector<RankRun> decode_runs(Decoder& in) {
    std::vector<RankRun> runs;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        RankRun run{};
        run.first = in.number32();
        run.count = in.number32();
        run.stride = in.number32();
        if (run.stride == 0) in.fail();
        runs.push_back(run);
    }
    return runs;
}

}  // namespace launch
