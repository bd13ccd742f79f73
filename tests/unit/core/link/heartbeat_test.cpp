// SPDX-License-Identifier: MIT
#include "core/link/heartbeat.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

struct Beat {
    bool heard;
    int late;
};

/// The number of the beat at which a limit of three is reached; 0: it is not.
size_t given_up_at(const std::vector<Beat>& beats) {
    Silence silence;
    for (size_t i = 0; i < beats.size(); ++i) {
        silence.beat(beats[i].heard, beats[i].late);
        if (silence.lasts(3)) return i + 1;
    }
    return 0;
}

TEST(Silence, is_borne_up_to_its_limit) {
    const Beat heard{true, 0};
    const Beat silent{false, 0};
    const Beat away{false, 2};
    const struct {
        const char* name;
        std::vector<Beat> beats;
        size_t given_up_at;
    } rows[] = {
        {"three silent beats", {silent, silent, silent}, 3},
        {"a word between them", {silent, silent, heard, silent, silent}, 0},
        {"and three after it", {silent, heard, silent, silent, silent}, 5},
        {"a late beat tells nothing", {silent, silent, away, silent, silent, silent, silent}, 0},
        {"and is as many more", {silent, silent, away, silent, silent, silent, silent, silent}, 8},
        {"a word does not end that", {away, heard, silent, silent, silent}, 0},
        {"nor is it borne for ever", {away, heard, heard, silent, silent, silent}, 6},
        {"late again and again", {away, away, away, away, away, away}, 0},
    };
    for (const auto& row : rows)
        EXPECT_EQ(given_up_at(row.beats), row.given_up_at) << row.name;
}

TEST(Silence, ends_for_a_process_that_is_late_now_and_then) {
    for (const size_t every : {1u, 2u, 3u}) {
        std::vector<Beat> beats;
        for (size_t i = 1; i <= 1000; ++i)
            beats.push_back({false, i % every == 0 ? 1 : 0});
        EXPECT_NE(given_up_at(beats), 0u) << every;
        for (size_t i = 49; i < beats.size(); i += 50)
            beats[i].heard = true;
        EXPECT_EQ(given_up_at(beats), 0u) << every << ", with a word now and then";
    }
}

TEST(Silence, is_forgotten) {
    Silence silence;
    silence.beat(false, 0);
    silence.beat(false, 0);
    silence.excuse();
    silence.beat(false, 0);
    EXPECT_FALSE(silence.lasts(2));
}

TEST(Heartbeat, tells_how_late_it_is) {
    const auto now = Heartbeat::Moment::now();
    Heartbeat heart(milliseconds{4000}, now);
    EXPECT_EQ(heart.take(now), 0) << "a beat before its time is none too late";
    EXPECT_EQ(heart.absence(now).count(), 0);

    Heartbeat quick(milliseconds{80}, now);
    const auto late = now + milliseconds{20 + 50};
    EXPECT_TRUE(quick.due(late));
    EXPECT_EQ(quick.absence(late), milliseconds{50}) << "before the beat is taken";
    EXPECT_EQ(quick.take(late), 3);
    EXPECT_FALSE(quick.due(late));
    EXPECT_EQ(quick.absence(late), milliseconds{50}) << "and after";
    EXPECT_EQ(quick.time_of(4), milliseconds{80});
}

TEST(Heartbeat, is_late_by_the_time_that_its_machine_slept) {
    const auto now = Heartbeat::Moment::now();
    Heartbeat heart(milliseconds{80}, now);
    Heartbeat::Moment awake = now + milliseconds{20};
    awake.boot_time += milliseconds{50};
    EXPECT_EQ(heart.take(awake), 3);
}

TEST(Heartbeat, excuses_an_absence_that_was_told) {
    const auto now = Heartbeat::Moment::now();
    Heartbeat heart(milliseconds{80}, now);
    heart.restart(now + milliseconds{70});
    EXPECT_EQ(heart.take(now + milliseconds{90}), 0);
    EXPECT_LE(heart.absence(now + milliseconds{90}).count(), 0);
}

TEST(Heartbeat, of_no_limit_is_never_late) {
    const auto now = Heartbeat::Moment::now();
    const Heartbeat heart(milliseconds{0}, now);
    EXPECT_FALSE(heart.enabled());
    EXPECT_EQ(heart.absence(now + milliseconds{5}).count(), 0);
}

}  // namespace
}  // namespace launch
