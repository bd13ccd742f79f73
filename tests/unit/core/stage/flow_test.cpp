// SPDX-License-Identifier: MIT
#include "core/stage/flow.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace launch {
namespace {

using Verdict = SegmentIntake::Verdict;

TEST(SegmentIntake, TakesNothingThatItHasNotAskedFor) {
    SegmentIntake intake(100, 8);
    EXPECT_EQ(intake.take(0), Verdict::refused);
    EXPECT_EQ(intake.restart(), (WantedMessage{0, 8, true}));
    EXPECT_EQ(intake.take(0), Verdict::fresh);
    EXPECT_EQ(intake.take(0), Verdict::known);
    EXPECT_EQ(intake.take(2), Verdict::known);  // one is missing: it will come again
    EXPECT_EQ(intake.take(1), Verdict::fresh);
    EXPECT_EQ(intake.take(8), Verdict::refused);
}

TEST(SegmentIntake, AsksForMoreWhenHalfAWindowIsOnDisk) {
    SegmentIntake intake(20, 8);
    intake.restart();
    for (uint64_t n = 0; n < 8; ++n)
        intake.take(n);
    intake.written(3);
    EXPECT_FALSE(intake.wanted());
    intake.written(4);
    EXPECT_EQ(intake.wanted(), (WantedMessage{8, 12, false}));
    EXPECT_FALSE(intake.wanted());
    for (uint64_t n = 8; n < 12; ++n)
        intake.take(n);
    intake.written(11);
    EXPECT_EQ(intake.wanted(), (WantedMessage{12, 19, false}));
    intake.written(12);
    EXPECT_EQ(intake.wanted(), (WantedMessage{12, 20, false}));  // the end is told at once
    EXPECT_FALSE(intake.complete());
    intake.written(20);
    EXPECT_FALSE(intake.wanted());
    EXPECT_TRUE(intake.complete());
}

TEST(SegmentCursor, RefusesWhatCannotBe) {
    SegmentCursor cursor(10);
    EXPECT_FALSE(cursor.wanted({0, 11, true}));
    EXPECT_FALSE(cursor.wanted({6, 5, true}));
    EXPECT_TRUE(cursor.wanted({0, 10, true}));
}

TEST(SegmentCursor, SendsWhatIsGrantedAndThere) {
    SegmentCursor cursor(10);
    EXPECT_FALSE(cursor.may_send(10));
    cursor.wanted({0, 2, true});
    EXPECT_FALSE(cursor.may_send(0));
    EXPECT_TRUE(cursor.may_send(1));
    cursor.sent(0);
    EXPECT_FALSE(cursor.may_send(1));
    cursor.sent(1);
    EXPECT_FALSE(cursor.may_send(10));
    cursor.wanted({1, 1, false});  // an old grant that was overtaken
    EXPECT_FALSE(cursor.may_send(10));
    cursor.wanted({1, 9, true});  // what was on its way is lost
    cursor.sent(1);
    EXPECT_EQ(cursor.next(), 2u);
}

TEST(SegmentCursor, ARestartWhileASegmentIsSentHolds) {
    SegmentCursor cursor(10);
    cursor.wanted({0, 8, true});
    for (uint64_t n = 0; n < 5; ++n)
        cursor.sent(n);
    cursor.wanted({2, 8, true});  // heard while 5 waits for the link
    cursor.sent(5);
    EXPECT_EQ(cursor.next(), 2u);
}

/// A link that loses all that is on it now and then: everything comes, once, within the window.
TEST(SegmentFlow, OverLinksThatBreak) {
    constexpr uint64_t total = 500;
    constexpr uint64_t window = 16;
    std::mt19937 random(7);
    for (int round = 0; round < 50; ++round) {
        SegmentIntake intake(total, window);
        SegmentCursor cursor(total);
        std::deque<uint64_t> down;
        std::deque<WantedMessage> up{intake.restart()};
        uint64_t written = 0;
        uint64_t taken = 0;
        for (int step = 0; step < 100'000 && !intake.complete(); ++step) {
            const auto what = random() % 100;
            if (what == 0) {
                down.clear();
                up.assign({intake.restart()});
            } else if (what < 30 && cursor.may_send(total)) {
                down.push_back(cursor.next());
                cursor.sent(cursor.next());
            } else if (what < 60 && !down.empty()) {
                const auto verdict = intake.take(down.front());
                ASSERT_NE(verdict, Verdict::refused);
                if (verdict == Verdict::fresh) {
                    ASSERT_EQ(down.front(), taken++);
                }
                down.pop_front();
                ASSERT_LE(taken - written, window);
            } else if (what < 80 && written < taken) {
                intake.written(written += 1 + random() % (taken - written));
                if (const auto wanted = intake.wanted()) up.push_back(*wanted);
            } else if (!up.empty()) {
                ASSERT_TRUE(cursor.wanted(up.front()));
                up.pop_front();
            }
        }
        EXPECT_TRUE(intake.complete()) << round;
        EXPECT_EQ(taken, total);
    }
}

}  // namespace
}  // namespace launch
