// SPDX-License-Identifier: MIT
#include "core/tree/route_state.hpp"

namespace launch {

RouteState next(RouteState state, RouteEvent event) {
    const bool is_first = state == RouteState::of_start;
    switch (event) {
        case RouteEvent::given_up: return is_first ? RouteState::stays : state;
        case RouteEvent::table_came: return is_first ? RouteState::moving : state;
        case RouteEvent::not_in_table: return is_first ? RouteState::left_out : state;
        case RouteEvent::stays_below: return is_first ? RouteState::placed : state;
        case RouteEvent::place_found:
            return state == RouteState::moving ? RouteState::placed : state;
    }
    return state;
}

}  // namespace launch
