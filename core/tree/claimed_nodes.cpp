// SPDX-License-Identifier: MIT
#include "core/tree/claimed_nodes.hpp"

#include "core/wire/messages.hpp"
#include "core/wire/starts.hpp"

namespace launch {
namespace {

std::vector<NodeRange> told_of(const FailureMessage& failure) {
    auto nodes = failure.nodes();
    nodes.insert(nodes.end(), failure.restarted.begin(), failure.restarted.end());
    return nodes;
}

std::vector<NodeRange> told_of(const NodesMessage& message) {
    std::vector<NodeRange> nodes;
    for (const NodeIndex node : message.nodes)
        nodes.push_back({node, 1});
    return nodes;
}

std::vector<NodeRange> told_of(const NoticeMessage& notice) {
    return {{notice.node, 1}};
}

std::vector<NodeRange> told_of(const StartsMessage& starts) {
    std::vector<NodeRange> nodes;
    for (const HostStart& start : starts.hosts)
        nodes.push_back({start.node, 1});
    return nodes;
}

template <class Message>
std::vector<NodeRange> read(std::string_view body) {
    const auto message = Message::decode(body);
    return message ? told_of(*message) : std::vector<NodeRange>();
}

}  // namespace

std::vector<NodeRange> claimed_nodes(FrameType type, std::string_view body) {
    switch (type) {
        case FrameType::failure: return read<FailureMessage>(body);
        case FrameType::nodes_up:
        case FrameType::left: return read<NodesMessage>(body);
        case FrameType::notice: return read<NoticeMessage>(body);
        case FrameType::starts: return read<StartsMessage>(body);
        default: return {};
    }
}

}  // namespace launch
