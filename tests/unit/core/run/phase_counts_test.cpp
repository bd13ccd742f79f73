// SPDX-License-Identifier: MIT
#include "core/run/phase_counts.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr auto output = static_cast<size_t>(FrameKind::output);

LinkCounts sent(uint64_t frames, uint64_t bytes) {
    LinkCounts counts;
    counts.sent[output] = {frames, bytes};
    counts.received[output] = {2 * frames, 2 * bytes};
    return counts;
}

TEST(PhaseCounts, each_phase_has_what_came_in_it) {
    PhaseCounts phases;
    phases.begin(JobPhase::run, sent(3, 30));
    phases.begin(JobPhase::end, sent(10, 110));
    const auto counts = phases.close(sent(11, 120));
    EXPECT_EQ(counts[0], sent(3, 30));
    EXPECT_EQ(counts[1], LinkCounts());
    EXPECT_EQ(counts[2], sent(7, 80));
    EXPECT_EQ(counts[3], sent(1, 10));
    EXPECT_EQ(phases.close(sent(11, 120)), counts);
}

TEST(NodeStats, come_back_with_every_phase) {
    NodeStats stats;
    stats.node = 900;
    stats.links = 33;
    stats.pushed = 32;
    stats.pushed_bytes = uint64_t{1} << 40;
    stats.private_kib = 1234;
    stats.proportional_kib = 2345;
    stats.resident_kib = UINT64_MAX;
    for (size_t phase = 0; phase < job_phases; ++phase)
        stats.counts[phase] = sent(phase + 1, 100 * phase);
    const auto again = NodeStats::decode(stats.encode());
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, stats);
    EXPECT_EQ(again->all_counts(), sent(10, 600));
    EXPECT_FALSE(NodeStats::decode(stats.encode() + "x"));
}

}  // namespace
}  // namespace launch
