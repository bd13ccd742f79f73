// SPDX-License-Identifier: MIT
#include "core/relay/relay_state.hpp"

namespace launch {

RelayState next(RelayState state, RelayEvent event) {
    switch (event) {
        case RelayEvent::begun: return state == RelayState::waiting ? RelayState::working : state;
        case RelayEvent::told_to_end: return is_to_leave(state) ? state : RelayState::dismissed;
        case RelayEvent::parent_lost: return is_to_leave(state) ? state : RelayState::orphaned;
        case RelayEvent::taken_out: return is_to_leave(state) ? state : RelayState::removed;
        case RelayEvent::cleaned_up: return is_to_leave(state) ? RelayState::left : state;
    }
    return state;
}

}  // namespace launch
