// SPDX-License-Identifier: MIT
#include "core/push/opening.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "core/wire/frame.hpp"

namespace launch {
namespace {

using State = Opening::State;

const std::string mark(push_mark);
const std::string magic(link_magic);

struct Row {
    const char* name;
    std::string text;
    State state;
    std::string words;
    std::string left;  ///< for the link's parser
};

const std::vector<Row> rows = {
    {"nothing", "", State::waiting, "", ""},
    {"a relay", magic + "\x01", State::greets, "", magic + "\x01"},
    {"noise, a relay", "hi\n" + magic, State::greets, "", "hi\n" + magic},
    {"a request", mark + " asks x86_64\n", State::asks, "x86_64", ""},
    {"noise, a request", "Welcome " + mark + " asks x\n", State::asks, "x", "Welcome "},
    {"how far it is", mark + " has 12\n", State::has, "12", ""},
    {"a failure", mark + " fails size 3 a b\n", State::fails, "size 3 a b", ""},
    {"without its end", mark + " asks x86", State::waiting, "", mark + " asks x86"},
    {"of another word", mark + " wants x\n", State::waiting, "", mark + " wants x\n"},
    {"of another word, then right", mark + "\n" + mark + " asks y\n", State::asks, "y",
     mark + "\n"},
    {"a part of the mark", mark.substr(0, 9) + " asks x\n", State::waiting, "",
     mark.substr(0, 9) + " asks x\n"},
    {"the mark in a relay's bytes", magic + mark + " asks x\n", State::greets, "",
     magic + mark + " asks x\n"},
};

TEST(Opening, tells_a_relay_from_a_request_and_both_from_noise) {
    for (const Row& row : rows) {
        Opening opening;
        EXPECT_EQ(opening.feed(row.text), row.state) << row.name;
        EXPECT_EQ(opening.words(), row.words) << row.name;
        EXPECT_EQ(opening.take(), row.left) << row.name;
    }
}

TEST(Opening, takes_bytes_cut_anywhere) {
    for (const Row& row : rows) {
        for (size_t cut = 0; cut <= row.text.size(); ++cut) {
            Opening opening;
            State state = opening.feed(row.text.substr(0, cut));
            if (state == State::waiting) {
                state = opening.feed(row.text.substr(cut));
            } else {
                opening.feed(row.text.substr(cut));
            }
            EXPECT_EQ(state, row.state) << row.name << " " << cut;
            EXPECT_EQ(opening.words(), row.words) << row.name << " " << cut;
            EXPECT_EQ(opening.take(), row.left) << row.name << " " << cut;
        }
    }
}

TEST(Opening, comes_byte_by_byte_and_goes_on_after_a_request) {
    Opening opening;
    std::vector<State> states;
    for (const char c : "noise" + mark + " asks m\n" + "more" + mark + " fails run\n" + magic) {
        const State state = opening.feed({&c, 1});
        if (state != State::waiting) states.push_back(state);
    }
    EXPECT_EQ(states, (std::vector{State::asks, State::fails, State::greets}));
    EXPECT_EQ(opening.take(), "noisemore" + magic);
}

TEST(Opening, gives_up_noise_without_end) {
    for (const std::string& begin : {std::string(), mark}) {
        Opening opening;
        State state = opening.feed(begin);
        size_t fed = begin.size();
        for (; state == State::waiting && fed < 2 * max_noise; fed += 100)
            state = opening.feed(std::string(100, '.'));
        EXPECT_EQ(state, State::hopeless);
        EXPECT_LE(fed, max_noise + 100);
    }
}

}  // namespace
}  // namespace launch
