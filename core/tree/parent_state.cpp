// SPDX-License-Identifier: MIT
#include "core/tree/parent_state.hpp"

namespace launch {
namespace {

ParentState step_linked(ParentEvent event) {
    switch (event) {
        case ParentEvent::link_ended:
        case ParentEvent::sent_on: return ParentState::seeking;
        case ParentEvent::said_bye: return ParentState::leaving;
        case ParentEvent::closed: return ParentState::gone;
        default: return ParentState::linked;
    }
}

ParentState step_seeking(ParentEvent event) {
    switch (event) {
        case ParentEvent::attached: return ParentState::linked;
        case ParentEvent::not_found:
        case ParentEvent::dismissed:
        case ParentEvent::closed: return ParentState::gone;
        default: return ParentState::seeking;
    }
}

ParentState step_leaving(ParentEvent event) {
    const bool over = event == ParentEvent::link_ended || event == ParentEvent::closed;
    return over ? ParentState::gone : ParentState::leaving;
}

}  // namespace

ParentState next(ParentState state, ParentEvent event) {
    switch (state) {
        case ParentState::linked: return step_linked(event);
        case ParentState::seeking: return step_seeking(event);
        case ParentState::leaving: return step_leaving(event);
        case ParentState::gone: break;
    }
    return ParentState::gone;
}

}  // namespace launch
