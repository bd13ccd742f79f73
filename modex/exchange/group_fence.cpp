#include "modex/exchange/group_fence.hpp"

#include <algorithm>

namespace launch {

void GroupFence::join(const std::vector<uint32_t>& group, std::string blob) {
    const auto here = std::count_if(group.begin(), group.end(),
                                    [this](uint32_t rank) { return state_.is_local(rank); });
    handle({group, static_cast<uint32_t>(here), std::move(blob)});
}

void GroupFence::from_child(GroupUp message) {
    handle(std::move(message));
}

void GroupFence::handle(GroupUp message) {
    if (!state_.settings.root) {
        state_.sink.to_parent(encode(std::move(message)));
        return;
    }
    Open& open = open_[message.group];
    open.joined += message.joined;
    open.blob += message.blob;
    if (open.joined < message.group.size()) return;
    const GroupDown down{message.group, std::move(open.blob)};
    open_.erase(message.group);
    from_parent(down);
}

void GroupFence::from_parent(const GroupDown& message) {
    for (const auto& [index, child] : state_.children)
        state_.sink.to_child(index, encode(message));
    const bool here = std::any_of(message.group.begin(), message.group.end(),
                                  [this](uint32_t rank) { return state_.is_local(rank); });
    if (here) state_.sink.group_done(message.group, message.blob);
}

}  // namespace launch
