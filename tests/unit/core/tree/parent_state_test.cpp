// SPDX-License-Identifier: MIT
#include "core/tree/parent_state.hpp"

#include <gtest/gtest.h>
#include <map>

namespace launch {
namespace {

using State = ParentState;
using Event = ParentEvent;

/// All events that change something; every other pair of the two enums leaves the state as it is.
const std::map<State, std::map<Event, State>>& table() {
    static const std::map<State, std::map<Event, State>> table{
        {State::linked,
         {{Event::link_ended, State::seeking},
          {Event::sent_on, State::seeking},
          {Event::said_bye, State::leaving},
          {Event::closed, State::gone}}},
        {State::seeking,
         {{Event::attached, State::linked},
          {Event::not_found, State::gone},
          {Event::dismissed, State::gone},
          {Event::closed, State::gone}}},
        {State::leaving, {{Event::link_ended, State::gone}, {Event::closed, State::gone}}},
        {State::gone, {}},
    };
    return table;
}

TEST(ParentState, EveryPairOfStateAndEvent) {
    for (int s = 0; s <= static_cast<int>(last_parent_state); ++s) {
        const auto state = static_cast<State>(s);
        const auto& moves = table().at(state);
        for (int e = 0; e <= static_cast<int>(last_parent_event); ++e) {
            const auto move = moves.find(static_cast<Event>(e));
            EXPECT_EQ(next(state, static_cast<Event>(e)),
                      move == moves.end() ? state : move->second)
                << "state " << s << ", event " << e;
        }
    }
}

}  // namespace
}  // namespace launch
