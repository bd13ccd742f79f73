// SPDX-License-Identifier: MIT
#pragma once

#include "core/topology.hpp"

namespace launch {

/// A part of the exchange at one node, as it gets changes of the tree. The node's neighbours and
/// routes (ExchangeState) already have their new values then.
class TreePart {
  public:
    virtual ~TreePart() = default;

    /// `part`, which was below `whole`, is a child of its own: what was on its way may be lost.
    virtual void split_child(NodeIndex, NodeIndex) {}
    /// No rank was believed below the child for a while: what it should have got it may not have.
    virtual void return_child(NodeIndex) {}
    /// Nodes have left that child for another parent, perhaps all of them: what it was asked for
    /// another one may know now.
    virtual void nodes_left(NodeIndex) {}
    /// The child is lost. Whoever lives of those below it will ask again, by another way.
    virtual void lose_child(NodeIndex) {}
    /// Messages on their way up may be lost, and the new parent has got none yet.
    virtual void new_parent() {}
    /// After any loss: links between peers are not all there any more.
    virtual void lose_peers() {}
    /// Perhaps all who are waited for have come, now that there are fewer.
    virtual void advance() {}
};

}  // namespace launch
