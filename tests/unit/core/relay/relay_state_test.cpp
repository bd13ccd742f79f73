// SPDX-License-Identifier: MIT
#include "core/relay/relay_state.hpp"

#include <gtest/gtest.h>
#include <map>

namespace launch {
namespace {

using State = RelayState;
using Event = RelayEvent;

/// All events that change something; every other pair of the two enums leaves the state as it is.
const std::map<State, std::map<Event, State>>& table() {
    static const std::map<State, std::map<Event, State>> table{
        {State::waiting,
         {{Event::begun, State::working},
          {Event::told_to_end, State::dismissed},
          {Event::parent_lost, State::orphaned},
          {Event::taken_out, State::removed}}},
        {State::working,
         {{Event::told_to_end, State::dismissed},
          {Event::parent_lost, State::orphaned},
          {Event::taken_out, State::removed}}},
        {State::dismissed, {{Event::cleaned_up, State::left}}},
        {State::orphaned, {{Event::cleaned_up, State::left}}},
        {State::removed, {{Event::cleaned_up, State::left}}},
        {State::left, {}},
    };
    return table;
}

TEST(RelayState, every_pair_of_state_and_event) {
    for (int s = 0; s <= static_cast<int>(last_relay_state); ++s) {
        const auto state = static_cast<State>(s);
        const auto& moves = table().at(state);
        for (int e = 0; e <= static_cast<int>(last_relay_event); ++e) {
            const auto move = moves.find(static_cast<Event>(e));
            EXPECT_EQ(next(state, static_cast<Event>(e)),
                      move == moves.end() ? state : move->second)
                << "state " << s << ", event " << e;
        }
    }
}

}  // namespace
}  // namespace launch
