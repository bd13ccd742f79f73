// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// The state of a relay.
enum class RelayState : uint8_t {
    waiting,    ///< for its part of the tree, and for the first job where one comes with it
    working,    ///< those below it are being started, or run
    dismissed,  ///< its parent told it to leave
    orphaned,   ///< it has no parent any more, and was not told
    removed,    ///< the user took its host out of the tree, and does not wait for its ranks
    left,       ///< nothing of it is left but its last words
};
inline constexpr RelayState last_relay_state = RelayState::left;

enum class RelayEvent : uint8_t {
    begun,        ///< it has what it needs to start those below
    told_to_end,  ///< it is over, or another relay runs in its place
    parent_lost,  ///< nobody above takes it
    taken_out,    ///< its host is to leave the tree now
    cleaned_up,   ///< nothing below it, and no rank, is left
};
inline constexpr RelayEvent last_relay_event = RelayEvent::cleaned_up;

/// The state after the event. An event that means nothing in a state changes nothing there. Pure.
RelayState next(RelayState state, RelayEvent event);

/// It is to clean up and leave, or has.
inline bool is_to_leave(RelayState state) {
    return state != RelayState::waiting && state != RelayState::working;
}

}  // namespace launch
