#include "core/tree/parent_state.hpp"

namespace launch {
namespace {

using State = ParentState;
using Event = ParentEvent;

State of_linked(Event event) {
    switch (event) {
        case Event::link_ended:
        case Event::sent_on: return State::seeking;
        case Event::said_bye: return State::leaving;
        case Event::closed: return State::gone;
        default: return State::linked;
    }
}

State of_seeking(Event event) {
    switch (event) {
        case Event::attached: return State::linked;
        case Event::not_found:
        case Event::dismissed:
        case Event::closed: return State::gone;
        default: return State::seeking;
    }
}

State of_leaving(Event event) {
    const bool over = event == Event::link_ended || event == Event::closed;
    return over ? State::gone : State::leaving;
}

}  // namespace

ParentState next(ParentState state, ParentEvent event) {
    switch (state) {
        case State::linked: return of_linked(event);
        case State::seeking: return of_seeking(event);
        case State::leaving: return of_leaving(event);
        case State::gone: break;
    }
    return State::gone;
}

}  // namespace launch
