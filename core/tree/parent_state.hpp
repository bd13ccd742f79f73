// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// The state of a relay's connection to its parent.
enum class ParentState : uint8_t {
    linked,   ///< a link to it
    seeking,  ///< none: it, or another ancestor, is asked to take this relay
    leaving,  ///< the last words have been said
    gone,     ///< it has none any more, and looks for none
};
inline constexpr ParentState last_parent_state = ParentState::gone;

enum class ParentEvent : uint8_t {
    link_ended,  ///< the link has ended, or the parent was silent on it for too long
    sent_on,     ///< there is a routing tree, in which this relay has to look for its place
    attached,    ///< an ancestor has taken this relay
    not_found,   ///< no ancestor has taken this relay in the time that there is
    dismissed,   ///< an ancestor has said that this relay is to leave
    said_bye,    ///< this relay has said its last words
    closed,      ///< this relay ends now
};
inline constexpr ParentEvent last_parent_event = ParentEvent::closed;

/// The state after the event. An event that means nothing in a state changes nothing there. Pure.
ParentState next(ParentState state, ParentEvent event);

}  // namespace launch
