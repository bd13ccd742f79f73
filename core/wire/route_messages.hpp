// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/contact.hpp"

namespace launch {

/// Messages by which nodes learn of each other what a routing tree of its own shape needs. As those
/// of messages.hpp.

/// Up the tree of the start: where the nodes of a block take direct links. Node 0 is the head, with
/// the address that a child of it has for it.
struct ContactsMessage {
    std::vector<Contact> contacts;

    std::string encode() const;
    static std::optional<ContactsMessage> decode(std::string_view payload);
};

/// One node of the routing tree.
struct RouteStop {
    Contact contact;
    std::string host;
    uint32_t generation = 0;  ///< of its relay, see core/tree/generations.hpp

    bool operator==(const RouteStop&) const = default;
};

/// Down the tree of the start, the other half of the all-gather: all nodes that run, by ascending
/// node, the head first. Where there is a routing tree each node looks for its place there.
struct RoutesMessage {
    std::vector<RouteStop> stops;

    bool has(NodeIndex node) const {
        return std::any_of(stops.begin(), stops.end(),
                           [node](const RouteStop& stop) { return stop.contact.node == node; });
    }
    std::string encode() const;
    static std::optional<RoutesMessage> decode(std::string_view payload);
};

/// Report: this node has found its place in the routing tree.
struct RoutedMessage {
    NodeIndex node = 0;
    NodeIndex parent = 0;  ///< that it has now
    NodeIndex wanted = 0;  ///< that it has in the tree as it was planned
    std::string cause;     ///< why it could not have that; empty: it has

    std::string encode() const;
    static std::optional<RoutedMessage> decode(std::string_view payload);
};

}  // namespace launch
