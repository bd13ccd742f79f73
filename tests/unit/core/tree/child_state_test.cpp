// SPDX-License-Identifier: MIT
#include "core/tree/child_state.hpp"

#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace launch {
namespace {

using State = ChildState;
using Event = ChildEvent;
using Moves = std::map<Event, State>;

/// All events that change something; every other pair of the two enums leaves the state as it is.
const std::map<State, Moves>& table() {
    static const std::map<State, Moves> table{
        {State::starting,
         {{Event::started, State::running},
          {Event::not_started, State::ended},
          {Event::retired, State::retired},
          {Event::cut, State::closing}}},
        {State::expected,
         {{Event::attached, State::running},
          {Event::emptied, State::parted},
          {Event::retired, State::parted},
          {Event::cut, State::parted}}},
        {State::running,
         {{Event::dismissed, State::dismissed},
          {Event::said_bye, State::leaving},
          {Event::link_ended, State::away},
          {Event::link_failed, State::lost},
          {Event::retired, State::retired},
          {Event::cut, State::closing}}},
        {State::dismissed,
         {{Event::said_bye, State::leaving},
          {Event::link_ended, State::away},
          {Event::link_failed, State::lost},
          {Event::retired, State::retired},
          {Event::cut, State::closing}}},
        {State::leaving, {{Event::link_ended, State::parted}, {Event::link_failed, State::parted}}},
        {State::away,
         {{Event::attached, State::running},
          {Event::given_up, State::lost},
          {Event::emptied, State::parted},
          {Event::retired, State::parted},
          {Event::cut, State::parted}}},
        {State::retired,
         {{Event::not_started, State::ended},
          {Event::stays, State::running},
          {Event::link_ended, State::parted},
          {Event::link_failed, State::parted}}},
        {State::closing,
         {{Event::not_started, State::ended},
          {Event::link_ended, State::parted},
          {Event::link_failed, State::parted}}},
        {State::lost,
         {{Event::emptied, State::parted},
          {Event::retired, State::parted},
          {Event::cut, State::parted},
          {Event::drained, State::ended}}},
        {State::parted, {{Event::drained, State::ended}}},
        {State::ended, {}},
    };
    return table;
}

std::vector<State> states() {
    std::vector<State> all;
    for (int i = 0; i <= static_cast<int>(last_child_state); ++i)
        all.push_back(static_cast<State>(i));
    return all;
}

std::vector<Event> events() {
    std::vector<Event> all;
    for (int i = 0; i <= static_cast<int>(last_child_event); ++i)
        all.push_back(static_cast<Event>(i));
    return all;
}

TEST(ChildState, EveryPairOfStateAndEvent) {
    ASSERT_EQ(table().size(), states().size());
    for (const State state : states()) {
        const Moves& moves = table().at(state);
        for (const Event event : events()) {
            const auto move = moves.find(event);
            EXPECT_EQ(next(state, event), move == moves.end() ? state : move->second)
                << "state " << static_cast<int>(state) << ", event " << static_cast<int>(event);
        }
    }
}

/// What has left, was cut off, or has another parent is never told as lost.
TEST(ChildState, OnlyWhatWasGivenUpIsALoss) {
    for (const State state : {State::leaving, State::retired, State::closing, State::parted})
        for (const Event event : events())
            EXPECT_NE(next(state, event), State::lost) << static_cast<int>(event);
}

/// Whatever state a child is in, a few events end it: none is waited for for ever.
TEST(ChildState, EveryStateComesToItsEnd) {
    for (State state : states()) {
        for (const Event event : {Event::cut, Event::link_ended, Event::drained})
            state = next(state, event);
        EXPECT_EQ(state, State::ended);
    }
}

TEST(ChildState, WhoMayAttach) {
    for (const State state : states()) {
        const bool may =
            state == State::expected || state == State::running || state == State::away;
        EXPECT_EQ(may_attach(state), may) << static_cast<int>(state);
        EXPECT_TRUE(is_in_tree(state) || !may);
    }
    EXPECT_TRUE(is_in_tree(State::lost)) << "those below it may still come";
    EXPECT_FALSE(is_in_tree(State::retired));
    EXPECT_TRUE(is_heard(State::retired)) << "its link is read to its end";
    EXPECT_TRUE(is_heard(State::dismissed)) << "its last words are waited for";
    EXPECT_TRUE(is_in_tree(State::dismissed)) << "those below it may still come";
    EXPECT_FALSE(is_heard(State::lost));
}

}  // namespace
}  // namespace launch
