// SPDX-License-Identifier: MIT
#include "modex/exchange/event_flood.hpp"

namespace launch {

void EventFlood::tell(const std::string& data) {
    pass_on(std::nullopt, true, {data});
}

void EventFlood::from(std::optional<NodeIndex> child, const Told& message) {
    pass_on(child, child.has_value(), message);
    state_.sink.event_told(message.data);
}

/// To all children but `child`, and to the parent if it goes up.
void EventFlood::pass_on(std::optional<NodeIndex> child, bool up, const Told& message) {
    const std::string bytes = encode(message);
    if (up && !state_.settings.root) state_.sink.to_parent(bytes);
    for (const auto& [index, neighbour] : state_.children) {
        if (index != child) state_.sink.to_child(index, bytes);
    }
}

}  // namespace launch
