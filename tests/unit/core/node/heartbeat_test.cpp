#include "core/node/heartbeat.hpp"

#include <gtest/gtest.h>
#include <thread>

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

TEST(Silence, is_forgotten) {
    Silence silence;
    silence.beat(false, 0);
    silence.beat(false, 0);
    silence.excuse();
    silence.beat(false, 0);
    EXPECT_FALSE(silence.lasts(2));
}

TEST(Heartbeat, tells_how_late_it_is) {
    Heartbeat heart(milliseconds{4000});
    EXPECT_EQ(heart.take(), 0) << "a beat before its time is none too late";
    EXPECT_EQ(heart.absence().count(), 0);

    Heartbeat quick(milliseconds{80});
    std::this_thread::sleep_for(milliseconds{20 + 50});
    EXPECT_TRUE(quick.due());
    EXPECT_GE(quick.absence(), milliseconds{50}) << "before the beat is taken";
    EXPECT_GE(quick.take(), 3);
    EXPECT_FALSE(quick.due());
    EXPECT_GE(quick.absence(), milliseconds{50}) << "and after";
    EXPECT_EQ(quick.time_of(4), milliseconds{80});
}

TEST(Heartbeat, excuses_an_absence_that_was_told) {
    Heartbeat heart(milliseconds{80});
    std::this_thread::sleep_for(milliseconds{70});
    heart.restart();
    EXPECT_LT(heart.absence(), milliseconds{50});
}

TEST(Heartbeat, of_no_limit_is_never_late) {
    const Heartbeat heart(milliseconds{0});
    std::this_thread::sleep_for(milliseconds{5});
    EXPECT_FALSE(heart.enabled());
    EXPECT_EQ(heart.absence().count(), 0);
}

}  // namespace
}  // namespace launch
