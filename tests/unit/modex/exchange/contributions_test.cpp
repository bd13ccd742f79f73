// SPDX-License-Identifier: MIT
#include "modex/exchange/contributions.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr NodeIndex one = 1;
constexpr NodeIndex other = 2;

std::vector<uint32_t> numbers(const std::vector<Piece>& pieces) {
    std::vector<uint32_t> all;
    for (const Piece& piece : pieces)
        all.push_back(piece.of);
    return all;
}

TEST(Contributions, are_put_together_from_pieces_and_told_to_whom_they_did_not_come_from) {
    Contributions all;
    all.add(5, "own");
    EXPECT_TRUE(all.take({3, 0, 4, "ab"}, one));
    EXPECT_TRUE(all.take({7, 0, 2, "xy"}, other));
    EXPECT_EQ(all.joined(), "ownxy");
    EXPECT_TRUE(all.take({3, 2, 4, "cd"}, one));
    EXPECT_EQ(all.joined(), "abcdownxy");
    EXPECT_EQ(all.bytes(), 9U);
    EXPECT_EQ(all.bytes_of(3), 4U);
    EXPECT_EQ(all.bytes_of(4), 0U);
    EXPECT_EQ(numbers(all.all_but(one)), (std::vector<uint32_t>{5, 7}));
    EXPECT_EQ(numbers(all.all_but(other)), (std::vector<uint32_t>{3, 5}));
    EXPECT_EQ(numbers(all.all_but(std::nullopt)), (std::vector<uint32_t>{3, 5, 7}));
    EXPECT_EQ(all.extract(5), "own");
    EXPECT_EQ(all.extract(5), "");
    EXPECT_EQ(all.bytes(), 6U);
}

TEST(Contributions, that_come_by_two_ways_are_kept_once) {
    Contributions all;
    EXPECT_TRUE(all.take({3, 0, 6, "abcd"}, one));
    EXPECT_TRUE(all.take({3, 0, 6, "ab"}, other));
    EXPECT_TRUE(all.take({3, 2, 6, "cdef"}, other));
    EXPECT_TRUE(all.take({3, 4, 6, "ef"}, one));
    EXPECT_TRUE(all.take({4, 0, 0, ""}, one));
    EXPECT_EQ(all.joined(), "abcdef");
    EXPECT_EQ(all.bytes(), 6U);
}

TEST(Contributions, that_do_not_fit_together_are_refused) {
    Contributions all;
    EXPECT_TRUE(all.take({3, 0, 6, "ab"}, one, 8));
    EXPECT_FALSE(all.take({3, 2, 7, "c"}, one, 8)) << "another size";
    EXPECT_FALSE(all.take({3, 3, 6, "d"}, one, 8)) << "a gap";
    EXPECT_FALSE(all.take({4, 1, 6, "d"}, one, 8)) << "a gap at its beginning";
    EXPECT_FALSE(all.take({4, 0, 7, "1234567"}, one, 8)) << "too much";
    EXPECT_TRUE(all.take({4, 0, 6, "123456"}, one, 8));
    EXPECT_TRUE(all.take({4, 0, 6, "123456"}, one, 8)) << "nothing new";
}

TEST(Contributions, get_no_room_by_what_is_only_said) {
    Contributions all;
    EXPECT_TRUE(all.take({3, 0, UINT64_MAX, "ab"}, one));
    EXPECT_TRUE(all.take({4, 0, most_room, "ab"}, one, 8));
    EXPECT_FALSE(all.take({4, 2, most_room, "cdefg"}, one, 8)) << "too much";
    EXPECT_EQ(all.bytes(), 4U);
}

TEST(Contributions, go_in_batches_of_about_a_limit) {
    Contributions all;
    const std::string large(3 * PieceBatch::limit, 'x');
    all.add(1, "small");
    all.add(2, large);
    all.add(3, "");
    all.add(4, "small too");
    Contributions back;
    size_t batches = 0;
    Contributions::Position position;
    for (auto pieces = all.next_batch(std::nullopt, position); !pieces.empty();
         pieces = all.next_batch(std::nullopt, position)) {
        ++batches;
        size_t size = 0;
        for (Piece& piece : pieces) {
            size += piece.bytes.size();
            EXPECT_TRUE(back.take(std::move(piece), one));
        }
        EXPECT_LE(size, PieceBatch::limit);
    }
    EXPECT_EQ(batches, 4U);
    EXPECT_EQ(back.joined(), all.joined());
    EXPECT_EQ(numbers(back.all_but(std::nullopt)), (std::vector<uint32_t>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace launch
