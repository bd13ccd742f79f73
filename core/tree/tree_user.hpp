// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "core/topology.hpp"
#include "core/wire/frame.hpp"

namespace launch {

/// A child of a node, as a user of the tree sees it.
struct ChildView {
    NodeIndex child = 0;           ///< its index; no two that live have the same
    std::vector<NodeRange> nodes;  ///< below it now, itself included
};

/// The user of a tree: the jobs at one of the tree's nodes. The tree gives them the messages of
/// their parts at the neighbouring nodes, and reports changes of the tree. It knows nothing of
/// ranks, standard streams and cards, nor of the number of jobs. No function of this class waits.
class TreeUser {
  public:
    virtual ~TreeUser() = default;

    /// From the part at the parent, or at a child. False: not what that one may say.
    virtual bool from_parent(FrameType type, std::string_view body) = 0;
    virtual bool from_child(NodeIndex child, FrameType type, std::string_view body) = 0;
    /// From the part at any node, see Node::send_peer().
    virtual bool from_peer(RoutePosition from, std::string_view message) = 0;
    /// A report from below a child passes on its way to the head, for the first time. False:
    /// malformed.
    virtual bool report_passes(NodeIndex child, FrameType type, std::string_view body) = 0;
    /// The head's user wants something of all nodes; each order comes once. False: malformed.
    virtual bool ordered(FrameType type, std::string_view body) = 0;

    /// It is not known yet which hosts there are: where one is lost, those below it that were not
    /// heard of may be started another way.
    virtual bool waits_for_hosts() const = 0;
    /// Nodes that exchange data by links among them all, the head not among them; 0: not known yet.
    virtual NodeIndex nodes() const = 0;

    /// The child is being started from here.
    virtual void child_added(const ChildView& child) = 0;
    /// The child could not be started. The children that take its place were added before.
    virtual void child_not_started(NodeIndex child) = 0;
    /// The child came from elsewhere. It was below `above`, another child of this node, which has
    /// `others` left.
    virtual void child_came(const ChildView& child, NodeIndex above,
                            const std::vector<NodeRange>& others) = 0;
    /// The nodes were below the child `above`, which has `others` left, and go on elsewhere.
    virtual void nodes_left(NodeRange nodes, NodeIndex above,
                            const std::vector<NodeRange>& others) = 0;
    /// Nodes have come below the child that were elsewhere; the view has all that are there now.
    virtual void nodes_came(const ChildView& child, const std::vector<NodeRange>& came) = 0;
    /// The child is lost, and these nodes with it, itself among them.
    virtual void child_lost(const ChildView& child) = 0;
    /// Nodes are not below this one any more, in whatever way: after all that concerns the
    /// children.
    virtual void nodes_gone() = 0;
    /// The child has left the tree, in whatever way.
    virtual void child_ended(NodeIndex child) = 0;

    /// Any node can be reached by send_peer() from now on; this one is the `own`th of `count`.
    virtual void peers_open(RoutePosition own, uint32_t count) = 0;
    /// There will be no such links. Told at the head alone, which had asked for them.
    virtual void no_peers() = 0;
    virtual void peer_lost(RoutePosition peer) = 0;
};

}  // namespace launch
