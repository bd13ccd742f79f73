// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// A node's knowledge of one of its children.
enum class ChildState : uint8_t {
    starting,   ///< its relay is being started from here, and has not greeted yet
    expected,   ///< started by another node, it is to come here over a link of its own
    running,    ///< it has a link to this node
    dismissed,  ///< the same, and this node has told it to leave
    leaving,    ///< it has said its last words over that link
    away,       ///< its link has ended; it may come back, or those below it may come here
    retired,    ///< it has another parent now; nothing that it says here counts any more
    closing,    ///< this node has cut it off
    lost,       ///< it was given up; its earlier messages are still forwarded
    parted,     ///< its link has ended in order; its earlier messages are still forwarded
    ended,      ///< nothing of it is left here
};
inline constexpr ChildState last_child_state = ChildState::ended;

enum class ChildEvent : uint8_t {
    started,      ///< its relay has greeted
    not_started,  ///< its relay could not be started
    attached,     ///< it has come, or has come back, over a link of its own
    dismissed,    ///< its node is to leave the tree, or another relay runs in its place
    said_bye,     ///< its last words came
    link_ended,   ///< and another link may take its place
    link_failed,  ///< and no other can take its place
    given_up,     ///< no other link took its place in time, or no node is left that could come
    emptied,      ///< nobody is below it any more, itself included: all have another parent
    retired,      ///< the routing tree has another parent for it
    stays,        ///< but it could not go there, and is to keep its place here
    cut,          ///< this node ends the link
    drained,      ///< all of its messages have been forwarded
};
inline constexpr ChildEvent last_child_event = ChildEvent::drained;

/// The state after the event. An event that means nothing in a state changes nothing there. Pure.
ChildState next(ChildState state, ChildEvent event);

/// Whether the child has not left, and has no other parent. True also for a lost child until all of
/// its messages have been forwarded, because nodes below it may still come here until then.
bool is_in_tree(ChildState state);
/// The child may come here over a link of its own.
bool may_attach(ChildState state);
/// The child's link is read, or another one is waited for.
bool is_heard(ChildState state);

}  // namespace launch
