// SPDX-License-Identifier: MIT
#include "core/tree/route_state.hpp"

#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace launch {
namespace {

using State = RouteState;
using Event = RouteEvent;

/// All events that change something; every other pair of the two enums leaves the state as it is.
const std::map<State, std::map<Event, State>>& table() {
    static const std::map<State, std::map<Event, State>> table{
        {State::of_start,
         {{Event::given_up, State::stays},
          {Event::table_came, State::moving},
          {Event::not_in_table, State::left_out},
          {Event::stays_below, State::placed}}},
        {State::stays, {}},
        {State::moving, {{Event::place_found, State::placed}}},
        {State::placed, {}},
        {State::left_out, {}},
    };
    return table;
}

TEST(RouteState, EveryPairOfStateAndEvent) {
    ASSERT_EQ(table().size(), static_cast<size_t>(last_route_state) + 1);
    for (const auto& [state, moves] : table())
        for (int i = 0; i <= static_cast<int>(last_route_event); ++i) {
            const auto event = static_cast<Event>(i);
            const auto move = moves.find(event);
            EXPECT_EQ(next(state, event), move == moves.end() ? state : move->second)
                << "state " << static_cast<int>(state) << ", event " << i;
        }
}

/// Who has the routing tree's neighbours never has those of the start again.
TEST(RouteState, NobodyGoesBack) {
    for (const State state : {State::moving, State::placed})
        for (int i = 0; i <= static_cast<int>(last_route_event); ++i)
            EXPECT_TRUE(goes_over(next(state, static_cast<Event>(i)))) << i;
    EXPECT_FALSE(goes_over(State::of_start));
    EXPECT_FALSE(goes_over(State::stays));
}

}  // namespace
}  // namespace launch
