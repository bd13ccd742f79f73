// SPDX-License-Identifier: MIT
#include "core/wire/stack_groups.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Lines = std::vector<std::string>;

StackGroups places() {
    StackGroups groups;
    groups.add({"app", {"main", "solve", "MPI_Allreduce"}, {}}, {0, 1, 2, 4});
    groups.add({"app", {"main", "load", "read"}, {}}, {3});
    groups.add({"app", {"main", "solve"}, "stopped"}, {5});
    return groups;
}

std::string encoded(const StackGroups& groups) {
    Encoder out;
    groups.encode(out);
    return out.take();
}

std::optional<StackGroups> decoded(std::string_view bytes) {
    Decoder in(bytes);
    auto groups = StackGroups::decode(in);
    return checked(in, std::move(groups));
}

TEST(StackGroups, are_shown_with_the_largest_first_and_the_innermost_function_first) {
    EXPECT_EQ(stack_lines(places()),
              (Lines{"6 ranks in 3 groups", "[0-2,4] MPI_Allreduce <- solve <- main",
                     "[3] read <- load <- main", "[5] stopped: solve <- main"}));
}

TEST(StackGroups, name_the_program_where_there_are_several) {
    StackGroups groups;
    groups.add({"sh", {"wait4"}, {}}, {0});
    groups.add({"app", {}, "no stack: libdw.so.1 is not installed"}, {0});
    EXPECT_EQ(stack_lines(groups),
              (Lines{"1 rank in 2 groups", "[0] app: no stack: libdw.so.1 is not installed",
                     "[0] sh: wait4"}));
}

TEST(StackGroups, merge_ranks_at_the_same_place) {
    StackGroups groups = places();
    StackGroups others;
    others.add({"app", {"main", "load", "read"}, {}}, {3, 9});
    others.add({"app", {"main", "solve"}, {}}, {6});  // runs, unlike rank 5
    groups.merge(others);
    EXPECT_EQ(groups.by_size().size(), 4U);
    EXPECT_EQ(groups.all_ranks(), (StackGroups::Ranks{0, 1, 2, 3, 4, 5, 6, 9}));
}

TEST(StackGroups, come_back_from_their_bytes) {
    EXPECT_EQ(decoded(encoded(places())), places());
    EXPECT_EQ(decoded(encoded({})), StackGroups());
}

/// 900 ranks, of which one is elsewhere: little comes to the head.
TEST(StackGroups, take_few_bytes_for_many_ranks) {
    StackGroups groups;
    StackGroups::Ranks most;
    for (uint32_t rank = 0; rank < 900; ++rank)
        if (rank != 500) most.insert(rank);
    groups.add({"app", {"main", "solve", "MPI_Allreduce"}, {}}, most);
    groups.add({"app", {"main", "solve", "compute"}, {}}, {500});
    EXPECT_LT(encoded(groups).size(), 100U);
}

TEST(StackGroups, refuse_bytes_that_would_take_much_memory) {
    Encoder many_ranks;
    many_ranks.number(1).text("a").number(0).number(0).text("");
    many_ranks.number(1).number(0).number(UINT32_MAX).number(1);
    EXPECT_FALSE(decoded(many_ranks.take()));
    Encoder much_text;
    const std::string frame(1U << 20, 'f');
    much_text.number(40);
    for (int i = 0; i < 40; ++i) {
        much_text.text(std::to_string(i)).number(i == 0 ? 0 : 1).number(i == 0 ? 1 : 0);
        if (i == 0) much_text.text(frame);
        much_text.text("").number(1).number(static_cast<uint64_t>(i)).number(1).number(1);
    }
    const auto cut = decoded(much_text.take());
    ASSERT_TRUE(cut);
    EXPECT_LT(cut->by_size().size(), 20U);
    EXPECT_EQ(cut->by_size().front().stack.note, "too many different places");
    EXPECT_EQ(decoded(encoded(*cut)), *cut);
    Encoder unknown_frames;
    unknown_frames.number(1).text("a").number(3).number(0).text("");
    unknown_frames.number(1).number(0).number(1).number(1);
    EXPECT_FALSE(decoded(unknown_frames.take()));
}

}  // namespace
}  // namespace launch
