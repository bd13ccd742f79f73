// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/topology.hpp"

namespace launch {

/// A tree of the start in which some hosts are the head's own machine, so that nobody else can
/// start them: they are children of the head, and each keeps of its part of the tree what follows
/// it there. All other nodes have the places that `tree` gives them, in parts that are trees of its
/// family, as a relay cuts up its own part by itself. No part is deeper than without this.
///
/// A tree of another size than that of the start is one of the family. Pure.
class TreeWithOwn : public Topology {
  public:
    /// `nodes`: of the start, the head counted. `own`: which of them, in increasing order.
    TreeWithOwn(std::unique_ptr<Topology> tree, NodeIndex nodes, const std::vector<NodeIndex>& own);

    std::string name() const override { return tree_->name(); }
    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override;
    NodeIndex parent(NodeIndex v, NodeIndex n) const override;

  private:
    /// The part of a child of the head.
    NodeRange part_of(NodeIndex v) const;

    std::unique_ptr<Topology> tree_;
    NodeIndex nodes_;
    std::vector<NodeIndex> tops_;  ///< the head's children
};

/// The nodes of these hosts, of which the first is node 1, that have one of the names.
std::vector<NodeIndex> nodes_named(const std::vector<Host>& hosts,
                                   const std::vector<std::string>& names);

}  // namespace launch
