// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/topology.hpp"
#include "core/wire/node_ranges.hpp"

namespace launch {

/// Assigns the nodes below a node to its children. A node of the tree has one such map, and no
/// other state about this: every node is in the subtree of one child, in that of none (it has not
/// been started from here, or has a parent further up), or it is lost. A lost node stays lost, so
/// that a relay that was given up and wakes up again takes no node with it. All calls can come
/// twice, and in any order. Sans I/O.
class SubtreeMap {
  public:
    using ChildId = uint32_t;  ///< of a child of this node, from 1; no two have the same

    /// These nodes are the child's now, whoever had them: it starts them, or the tree is another
    /// one.
    void give(ChildId child, NodeRange nodes);
    /// Moves those of the nodes that `from` has to `to`: they have come to this node with it.
    void move(ChildId from, ChildId to, NodeRange nodes);
    /// Takes those of the nodes that the child has out of its subtree; they are in no child's
    /// subtree then.
    void release(ChildId child, NodeRange nodes);
    void release_all(ChildId child);
    /// These nodes have been given up, whoever had them, if anybody.
    void lose(NodeRange nodes);

    /// In whose subtree the node is; nothing where it is in none, or lost.
    std::optional<ChildId> owner(NodeIndex node) const;
    /// The owner of a node; for a lost node, the child in whose subtree it was when it was lost.
    std::optional<ChildId> last_owner(NodeIndex node) const;
    bool is_lost(NodeIndex node) const;
    /// The nodes in the child's subtree, in ascending order, as few ranges as there can be.
    std::vector<NodeRange> nodes_of(ChildId child) const;
    /// The nodes of the child, with those that were lost while they were the child's.
    std::vector<NodeRange> nodes_ever_of(ChildId child) const;
    NodeIndex count(ChildId child) const;
    /// The nodes of all children, with those that were lost while they were some child's.
    std::vector<NodeRange> all() const;

  private:
    struct Owner {
        ChildId child = 0;
        bool lost = false;

        bool operator==(const Owner&) const = default;
    };
    struct Stretch {
        uint64_t end = 0;  ///< the node after the last
        Owner owner;
    };
    using Stretches = std::map<uint64_t, Stretch>;  ///< by the first node; they do not overlap

    const Owner* find(NodeIndex node) const;
    Stretches::iterator cut(uint64_t at);
    void join(uint64_t at);
    /// `change` has the new owner for each stretch of the range; nothing: it is nobody's.
    template <class Is>
    std::vector<NodeRange> stretches_that(const Is& is) const;
    template <class Change>
    void alter(NodeRange nodes, const Change& change);

    Stretches stretches_;
};

}  // namespace launch
