#include "core/tree/child_state.hpp"

namespace launch {
namespace {

using State = ChildState;
using Event = ChildEvent;

State of_starting(Event event) {
    switch (event) {
        case Event::started: return State::running;
        case Event::not_started: return State::ended;
        case Event::retired: return State::retired;
        case Event::cut: return State::closing;
        default: return State::starting;
    }
}

State of_expected(Event event) {
    switch (event) {
        case Event::attached: return State::running;
        case Event::given_up: return State::lost;
        case Event::emptied:
        case Event::retired:
        case Event::cut: return State::parted;
        default: return State::expected;
    }
}

State of_running(Event event) {
    switch (event) {
        case Event::said_bye: return State::leaving;
        case Event::link_ended: return State::away;
        case Event::link_failed: return State::lost;
        case Event::retired: return State::retired;
        case Event::cut: return State::closing;
        default: return State::running;
    }
}

State of_leaving(Event event) {
    const bool over = event == Event::link_ended || event == Event::link_failed;
    return over ? State::parted : State::leaving;
}

State of_away(Event event) {
    switch (event) {
        case Event::attached: return State::running;
        case Event::given_up: return State::lost;
        case Event::emptied:
        case Event::retired:
        case Event::cut: return State::parted;
        default: return State::away;
    }
}

/// Of retired ones, too, and of those that are being cut off: they are no loss.
State of_closing(State state, Event event) {
    switch (event) {
        case Event::not_started: return State::ended;
        case Event::link_ended:
        case Event::link_failed: return State::parted;
        default: return state;
    }
}

State of_lost(Event event) {
    switch (event) {
        case Event::emptied:
        case Event::retired:
        case Event::cut: return State::parted;
        case Event::drained: return State::ended;
        default: return State::lost;
    }
}

}  // namespace

ChildState next(ChildState state, ChildEvent event) {
    switch (state) {
        case State::starting: return of_starting(event);
        case State::expected: return of_expected(event);
        case State::running: return of_running(event);
        case State::leaving: return of_leaving(event);
        case State::away: return of_away(event);
        case State::retired:
        case State::closing: return of_closing(state, event);
        case State::lost: return of_lost(event);
        case State::parted: return event == Event::drained ? State::ended : State::parted;
        case State::ended: break;
    }
    return State::ended;
}

bool is_in_tree(ChildState state) {
    return state != State::retired && state != State::parted && state != State::ended;
}

bool may_attach(ChildState state) {
    return state == State::expected || state == State::running || state == State::away;
}

bool is_heard(ChildState state) {
    switch (state) {
        case State::running:
        case State::leaving:
        case State::away:
        case State::retired:
        case State::closing: return true;
        default: return false;
    }
}

}  // namespace launch
