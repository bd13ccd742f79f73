// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// How far a node has come from the tree of the start to the routing tree (see Routing).
enum class RouteState : uint8_t {
    of_start,  ///< its place is that of the start; a routing tree may come, or not
    stays,     ///< the head has given the routing tree up: the tree of the start remains
    moving,    ///< it knows the routing tree, and looks for its place there
    placed,    ///< it has a place there
    left_out,  ///< the routing tree is without it, as the head has given this node up
};
inline constexpr RouteState last_route_state = RouteState::left_out;

enum class RouteEvent : uint8_t {
    given_up,      ///< at the head: there will be no routing tree
    table_came,    ///< the node knows the routing tree, and that it is in it
    not_in_table,  ///< the node knows the routing tree, and that it is not in it
    stays_below,   ///< the node knows the routing tree; it joined later, and stays where it is
    place_found,   ///< a node above, or the head, has confirmed the node's place
};
inline constexpr RouteEvent last_route_event = RouteEvent::place_found;

/// The state after the event. An event that means nothing in a state changes nothing there. Pure.
RouteState next(RouteState state, RouteEvent event);

/// The node's neighbours are those of the routing tree, or are to be.
inline bool goes_over(RouteState state) {
    return state == RouteState::moving || state == RouteState::placed;
}

}  // namespace launch
