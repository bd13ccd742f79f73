// SPDX-License-Identifier: MIT
#include "core/job/tree_with_own.hpp"

#include <algorithm>
#include <iterator>

#include "core/hosts/this_machine.hpp"

namespace launch {

TreeWithOwn::TreeWithOwn(std::unique_ptr<Topology> tree, NodeIndex nodes,
                         const std::vector<NodeIndex>& own)
    : tree_(std::move(tree)), nodes_(nodes) {
    std::vector<NodeIndex> tops;
    tree_->children(0, nodes, tops);
    std::set_union(tops.begin(), tops.end(), own.begin(), own.end(), std::back_inserter(tops_));
}

NodeRange TreeWithOwn::part_of(NodeIndex v) const {
    const auto next = std::upper_bound(tops_.begin(), tops_.end(), v);
    const NodeIndex first = *std::prev(next);
    return {first, (next == tops_.end() ? nodes_ : *next) - first};
}

void TreeWithOwn::children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const {
    if (n != nodes_) return tree_->children(v, n, out);
    if (v == 0) {
        out = tops_;
        return;
    }
    const NodeRange part = part_of(v);
    tree_->children(v - part.first, part.count, out);
    for (NodeIndex& child : out)
        child += part.first;
}

NodeIndex TreeWithOwn::parent(NodeIndex v, NodeIndex n) const {
    if (n != nodes_) return tree_->parent(v, n);
    const NodeRange part = part_of(v);
    return v == part.first ? 0 : part.first + tree_->parent(v - part.first, part.count);
}

std::vector<NodeIndex> nodes_named(const std::vector<Host>& hosts,
                                   const std::vector<std::string>& names) {
    std::vector<NodeIndex> nodes;
    for (size_t i = 0; i < hosts.size() && !names.empty(); ++i)
        if (is_this_machine(hosts[i], names)) nodes.push_back(static_cast<NodeIndex>(i) + 1);
    return nodes;
}

}  // namespace launch
