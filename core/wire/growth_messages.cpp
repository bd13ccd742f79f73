// SPDX-License-Identifier: MIT
#include "core/wire/growth_messages.hpp"

#include <algorithm>

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/wire/tree_message.hpp"

namespace launch {

std::string GrowMessage::encode() const {
    return Encoder{}.number(first).number(hosts.size()).text(fold_hosts(hosts)).take();
}

std::optional<GrowMessage> GrowMessage::decode(std::string_view payload) {
    Decoder in(payload);
    GrowMessage message;
    message.first = in.number32();
    const uint32_t count = in.number32();
    auto hosts = parse_hosts(in.text(), std::min<size_t>(count, most_subtree_hosts));
    if (!hosts || hosts->size() != count || count == 0 || message.first == 0) return std::nullopt;
    if (uint64_t{message.first} + count > most_nodes) return std::nullopt;
    message.hosts = std::move(*hosts);
    return checked(in, std::move(message));
}

std::string RemoveMessage::encode() const {
    Encoder out;
    out.flag(now).number(nodes.size());
    for (const NodeIndex node : nodes)
        out.number(node);
    return out.take();
}

std::optional<RemoveMessage> RemoveMessage::decode(std::string_view payload) {
    Decoder in(payload);
    RemoveMessage message;
    message.now = in.flag();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        message.nodes.push_back(in.number32());
    return checked(in, std::move(message));
}

}  // namespace launch
