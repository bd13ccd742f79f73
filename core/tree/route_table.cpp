// SPDX-License-Identifier: MIT
#include "core/tree/route_table.hpp"

#include <algorithm>

namespace launch {
namespace {

bool ascending_from_head(const std::vector<RouteStop>& stops) {
    if (stops.empty() || stops.front().contact.node != 0) return false;
    return std::adjacent_find(stops.begin(), stops.end(), [](const auto& a, const auto& b) {
               return a.contact.node >= b.contact.node;
           }) == stops.end();
}

}  // namespace

std::optional<RouteTable> RouteTable::make(const Topology& topology, NodeIndex self,
                                           NodeIndex nodes, RoutesMessage routes) {
    if (!ascending_from_head(routes.stops)) return std::nullopt;
    if (routes.stops.back().contact.node >= nodes) return std::nullopt;
    RouteTable table;
    table.stops_ = std::move(routes.stops);
    const auto own = table.find(self);
    if (!own) return std::nullopt;
    table.self_ = *own;
    table.block_ = table.block_of(*own, table.end_of(topology, *own));
    table.find_children(topology);
    for (uint32_t at = *own; at != 0;) {
        at = topology.parent(at, table.size());
        table.ancestors_.push_back(table.stops_[at].contact);
        table.ancestors_.back().public_key.clear();
    }
    return table;
}

std::vector<Contact> RouteTable::contacts() const {
    std::vector<Contact> all;
    for (const RouteStop& stop : stops_)
        all.push_back(stop.contact);
    return all;
}

std::optional<uint32_t> RouteTable::find(NodeIndex node) const {
    const auto at =
        std::lower_bound(stops_.begin(), stops_.end(), node,
                         [](const auto& stop, NodeIndex n) { return stop.contact.node < n; });
    if (at == stops_.end() || at->contact.node != node) return std::nullopt;
    return static_cast<uint32_t>(at - stops_.begin());
}

std::optional<RoutePosition> RouteTable::position_of(NodeIndex node) const {
    const auto at = find(node);
    if (!at) return std::nullopt;
    return RoutePosition{*at};
}

/// The position after the last of a subtree: that of the next sibling, or where the parent's ends.
uint32_t RouteTable::end_of(const Topology& topology, uint32_t at) const {
    std::vector<NodeIndex> siblings;
    while (at != 0) {
        const NodeIndex parent = topology.parent(at, size());
        topology.children(parent, size(), siblings);
        const auto next = std::upper_bound(siblings.begin(), siblings.end(), at);
        if (next != siblings.end()) return *next;
        at = parent;
    }
    return size();
}

Block RouteTable::block_of(uint32_t at, uint32_t end) const {
    Block block;
    block.first = stops_[at].contact.node;
    const NodeIndex past = end < size() ? stops_[end].contact.node : stops_.back().contact.node + 1;
    block.hosts.resize(past - block.first);
    for (uint32_t i = at; i < end; ++i)
        block.hosts[stops_[i].contact.node - block.first].name = stops_[i].host;
    return block;
}

void RouteTable::find_children(const Topology& topology) {
    std::vector<NodeIndex> starts;
    topology.children(self_, size(), starts);
    const uint32_t end = end_of(topology, self_);
    for (size_t i = 0; i < starts.size(); ++i)
        children_.push_back(block_of(starts[i], i + 1 < starts.size() ? starts[i + 1] : end));
}

std::optional<Block> RouteTable::block_below(const Topology& topology, NodeIndex node) const {
    const auto at = find(node);
    if (!at) return std::nullopt;
    return block_of(*at, end_of(topology, *at));
}

bool RouteTable::is_child(NodeIndex node) const {
    return std::any_of(children_.begin(), children_.end(),
                       [node](const Block& child) { return child.first == node; });
}

std::vector<NodeIndex> RouteTable::absent(NodeRange nodes) const {
    std::vector<NodeIndex> absent;
    for (NodeIndex i = 0; i < nodes.count; ++i)
        if (!find(nodes.first + i)) absent.push_back(nodes.first + i);
    return absent;
}

}  // namespace launch
