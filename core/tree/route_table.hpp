// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/topology.hpp"
#include "core/tree/block.hpp"
#include "core/wire/route_messages.hpp"

namespace launch {

/// The routing tree as each of its nodes has it: the nodes that run, numbered without gaps (their
/// positions), in a tree of a topology's shape. Since a node's parent has a smaller position, as in
/// the tree of the start, and a subtree is a block of both, nodes can go over from one tree to the
/// other one by one and never form a ring. Pure.
class RouteTable {
  public:
    /// The table of the node `self`, in a tree of so many `nodes` with those that do not run.
    /// Nothing where the message is malformed (its stops do not ascend from the head, or are none
    /// of these nodes), or `self` is not in it.
    static std::optional<RouteTable> make(const Topology& topology, NodeIndex self, NodeIndex nodes,
                                          RoutesMessage routes);

    uint32_t size() const { return static_cast<uint32_t>(stops_.size()); }
    const RouteStop& stop(RoutePosition at) const { return stops_[index(at)]; }
    /// The position of the node; nothing for one that does not run.
    std::optional<RoutePosition> position_of(NodeIndex node) const;
    RoutePosition own_position() const { return RoutePosition{self_}; }

    /// The contacts of all nodes in the table, the head first.
    std::vector<Contact> contacts() const;
    /// Nodes above this one, the parent first; none for the head. Without their keys, which are not
    /// to be passed on.
    const std::vector<Contact>& ancestors() const { return ancestors_; }
    /// The block of this node: itself and all below it, with nodes between them that do not run.
    const Block& block() const { return block_; }
    /// The block of each child of this node.
    const std::vector<Block>& children() const { return children_; }
    bool is_child(NodeIndex node) const;
    /// The block of any node, by the topology that the table was made with. Nothing for a node that
    /// does not run.
    std::optional<Block> block_below(const Topology& topology, NodeIndex node) const;
    /// The nodes among these that are not in the table, because they do not run.
    std::vector<NodeIndex> absent(NodeRange nodes) const;

  private:
    RouteTable() = default;
    // Positions, as numbers that a topology reckons with.
    std::optional<uint32_t> find(NodeIndex node) const;
    uint32_t end_of(const Topology& topology, uint32_t at) const;
    Block block_of(uint32_t at, uint32_t end) const;
    void find_children(const Topology& topology);

    std::vector<RouteStop> stops_;
    uint32_t self_ = 0;
    std::vector<Contact> ancestors_;
    Block block_;
    std::vector<Block> children_;
};

}  // namespace launch
