// SPDX-License-Identifier: MIT
#include "core/tree/child_state.hpp"

namespace launch {
namespace {

ChildState of_starting(ChildEvent event) {
    switch (event) {
        case ChildEvent::started: return ChildState::running;
        case ChildEvent::not_started: return ChildState::ended;
        case ChildEvent::retired: return ChildState::retired;
        case ChildEvent::cut: return ChildState::closing;
        default: return ChildState::starting;
    }
}

ChildState of_expected(ChildEvent event) {
    switch (event) {
        case ChildEvent::attached: return ChildState::running;
        case ChildEvent::emptied:
        case ChildEvent::retired:
        case ChildEvent::cut: return ChildState::parted;
        default: return ChildState::expected;
    }
}

ChildState of_running(ChildEvent event) {
    switch (event) {
        case ChildEvent::dismissed: return ChildState::dismissed;
        case ChildEvent::said_bye: return ChildState::leaving;
        case ChildEvent::link_ended: return ChildState::away;
        case ChildEvent::link_failed: return ChildState::lost;
        case ChildEvent::retired: return ChildState::retired;
        case ChildEvent::cut: return ChildState::closing;
        default: return ChildState::running;
    }
}

/// The next state of a dismissed child. If its link ends without its last words, nodes below it may
/// still come here, as with any other child.
ChildState of_dismissed(ChildEvent event) {
    switch (event) {
        case ChildEvent::said_bye: return ChildState::leaving;
        case ChildEvent::link_ended: return ChildState::away;
        case ChildEvent::link_failed: return ChildState::lost;
        case ChildEvent::retired: return ChildState::retired;
        case ChildEvent::cut: return ChildState::closing;
        default: return ChildState::dismissed;
    }
}

ChildState of_leaving(ChildEvent event) {
    const bool over = event == ChildEvent::link_ended || event == ChildEvent::link_failed;
    return over ? ChildState::parted : ChildState::leaving;
}

ChildState of_away(ChildEvent event) {
    switch (event) {
        case ChildEvent::attached: return ChildState::running;
        case ChildEvent::given_up: return ChildState::lost;
        case ChildEvent::emptied:
        case ChildEvent::retired:
        case ChildEvent::cut: return ChildState::parted;
        default: return ChildState::away;
    }
}

ChildState of_retired(ChildEvent event) {
    switch (event) {
        case ChildEvent::not_started: return ChildState::ended;
        case ChildEvent::stays: return ChildState::running;
        case ChildEvent::link_ended:
        case ChildEvent::link_failed: return ChildState::parted;
        default: return ChildState::retired;
    }
}

/// The end of a child that this node cuts off is no loss.
ChildState of_closing(ChildEvent event) {
    switch (event) {
        case ChildEvent::not_started: return ChildState::ended;
        case ChildEvent::link_ended:
        case ChildEvent::link_failed: return ChildState::parted;
        default: return ChildState::closing;
    }
}

ChildState of_lost(ChildEvent event) {
    switch (event) {
        case ChildEvent::emptied:
        case ChildEvent::retired:
        case ChildEvent::cut: return ChildState::parted;
        case ChildEvent::drained: return ChildState::ended;
        default: return ChildState::lost;
    }
}

}  // namespace

ChildState next(ChildState state, ChildEvent event) {
    switch (state) {
        case ChildState::starting: return of_starting(event);
        case ChildState::expected: return of_expected(event);
        case ChildState::running: return of_running(event);
        case ChildState::dismissed: return of_dismissed(event);
        case ChildState::leaving: return of_leaving(event);
        case ChildState::away: return of_away(event);
        case ChildState::retired: return of_retired(event);
        case ChildState::closing: return of_closing(event);
        case ChildState::lost: return of_lost(event);
        case ChildState::parted:
            return event == ChildEvent::drained ? ChildState::ended : ChildState::parted;
        case ChildState::ended: break;
    }
    return ChildState::ended;
}

bool is_in_tree(ChildState state) {
    return state != ChildState::retired && state != ChildState::parted &&
           state != ChildState::ended;
}

bool may_attach(ChildState state) {
    return state == ChildState::expected || state == ChildState::running ||
           state == ChildState::away;
}

bool is_heard(ChildState state) {
    switch (state) {
        case ChildState::running:
        case ChildState::dismissed:
        case ChildState::leaving:
        case ChildState::away:
        case ChildState::retired:
        case ChildState::closing: return true;
        default: return false;
    }
}

}  // namespace launch
