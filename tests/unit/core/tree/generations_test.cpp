// SPDX-License-Identifier: MIT
#include "core/tree/generations.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(Generations, TheLatestStartCounts) {
    Generations generations;
    EXPECT_EQ(generations.least(3), 0U);
    generations.raise({3, 4}, 1);
    generations.raise({5, 1}, 2);
    generations.raise({5, 2}, 1);  // told late
    EXPECT_EQ(generations.least(2), 0U);
    EXPECT_EQ(generations.least(3), 1U);
    EXPECT_EQ(generations.least(5), 2U);
    EXPECT_EQ(generations.least(6), 1U);
    EXPECT_EQ(generations.least(7), 0U);
}

TEST(Generations, WhoIsStartedInThePlaceOfOthersIsLaterThanAll) {
    Generations generations;
    EXPECT_EQ(generations.greatest({{0, 9}}), 0U);
    generations.raise({3, 2}, 1);
    generations.raise({4, 1}, 2);
    EXPECT_EQ(generations.greatest({{0, 3}}), 0U);
    EXPECT_EQ(generations.greatest({{0, 4}}), 1U);
    EXPECT_EQ(generations.greatest({{0, 1}, {4, 4}}), 2U);
    EXPECT_EQ(generations.greatest({{5, 4}}), 0U);
}

TEST(Generations, ThoseOfALaterGenerationAreLeftOut) {
    using Ranges = std::vector<NodeRange>;
    Generations generations;
    generations.raise({3, 2}, 1);
    generations.raise({4, 1}, 2);
    EXPECT_EQ(generations.up_to({1, 6}, 0), (Ranges{{1, 2}, {5, 2}}));
    EXPECT_EQ(generations.up_to({1, 6}, 1), (Ranges{{1, 3}, {5, 2}}));
    EXPECT_EQ(generations.up_to({1, 6}, 2), (Ranges{{1, 6}}));
    EXPECT_EQ(generations.up_to({3, 2}, 0), Ranges{});
    EXPECT_EQ(generations.up_to({6, 0}, 0), Ranges{}) << "none of none";
}

FailureMessage failure_of(NodeIndex node, std::vector<NodeRange> below, uint32_t generation) {
    FailureMessage failure;
    failure.node = node;
    failure.below = std::move(below);
    failure.generation = generation;
    return failure;
}

TEST(Generations, AFailureIsOfThoseAtWhichNoLaterRelayRuns) {
    struct Row {
        const char* name;
        FailureMessage told;
        std::vector<NodeIndex> left;  ///< the first is the one that it is about
    };
    Generations generations;
    generations.raise({3, 2}, 1);
    const std::vector<Row> rows = {
        {"of others", failure_of(1, {{2, 1}, {5, 2}}, 0), {1, 2, 5, 6}},
        {"of that relay", failure_of(3, {{4, 1}}, 1), {3, 4}},
        {"of the one before", failure_of(3, {{4, 1}}, 0), {}},
        {"also of others below it", failure_of(3, {{4, 3}}, 0), {5, 6}},
        {"of one other below it", failure_of(4, {{5, 1}}, 0), {5}},
        {"of none below it", failure_of(3, {}, 0), {}},
        {"of an empty range", failure_of(4, {{5, 0}}, 0), {}},
        {"of an empty range and one more", failure_of(4, {{5, 0}, {7, 2}}, 0), {7, 8}},
    };
    for (const Row& row : rows) {
        const auto failure = still_true(row.told, generations);
        std::vector<NodeIndex> left;
        if (failure) left.push_back(failure->node);
        for (const NodeRange& range : failure ? failure->below : std::vector<NodeRange>())
            for (NodeIndex i = 0; i < range.count && i < 10; ++i)
                left.push_back(range.first + i);
        EXPECT_EQ(left, row.left) << row.name;
    }
}

}  // namespace
}  // namespace launch
