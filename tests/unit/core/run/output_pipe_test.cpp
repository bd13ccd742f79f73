// SPDX-License-Identifier: MIT
#include "core/run/output_pipe.hpp"

#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

/// A daemon holds the other end, and the test plays both.
struct OutputPipeTest : testing::Test {
    OutputPipeTest() {
        FdPair ends = make_pipe();
        ours.pipe.assign(ends.first.release());
        theirs = std::move(ends.second);
    }
    void write_to_it(size_t bytes) {
        const std::string text(bytes, 'x');
        ASSERT_EQ(write(theirs.get(), text.data(), bytes), static_cast<ssize_t>(bytes));
    }
    void read_from_it(size_t bytes) {
        std::string text(bytes, '\0');
        ASSERT_EQ(read(ours.pipe.native_handle(), text.data(), bytes), static_cast<ssize_t>(bytes));
    }

    asio::io_context io;
    OutputPipe ours{io.get_executor()};
    UniqueFd theirs;
};

using Rest = std::optional<size_t>;

TEST_F(OutputPipeTest, AllIsReadWhileItIsNotCut) {
    write_to_it(10);
    read_from_it(4);
    ours.took(4, false);
    EXPECT_EQ(ours.rest, Rest());
}

TEST_F(OutputPipeTest, WhatIsWrittenAfterTheCutIsNotCarried) {
    write_to_it(10);
    ours.cut();
    EXPECT_EQ(ours.rest, Rest(10));
    write_to_it(100);
    read_from_it(4);
    ours.took(4, true);
    EXPECT_EQ(ours.rest, Rest(6));
    read_from_it(6);
    ours.took(6, true);
    EXPECT_EQ(ours.rest, Rest(0));
}

/// What the read has taken was counted, and nothing else comes: who waited for it would do so for
/// as long as the daemon runs.
TEST_F(OutputPipeTest, AReadThatWasBegunBeforeTheCutAndIsDoneAfterItCounts) {
    write_to_it(10);
    ours.cut();
    read_from_it(10);
    ours.took(10, false);
    EXPECT_EQ(ours.rest, Rest(0));
}

/// Then its bytes were not counted, and what was is all there yet.
TEST_F(OutputPipeTest, AReadThatWasDoneBeforeTheCutTakesNothingOfTheRest) {
    write_to_it(10);
    read_from_it(4);
    ours.cut();
    ours.took(4, false);
    EXPECT_EQ(ours.rest, Rest(6));
}

TEST_F(OutputPipeTest, AnEmptyOneIsClosedByTheCut) {
    ours.cut();
    EXPECT_EQ(ours.rest, Rest(0));
    EXPECT_FALSE(ours.pipe.is_open());
}

}  // namespace
}  // namespace launch
