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

/// What uses a tree: the jobs at one of the tree's nodes. The tree tells them what their parts at
/// the neighbouring nodes say, and how the tree changes; of ranks, standard streams and cards the
/// tree knows nothing, nor how many jobs there are. Nothing of this waits.
class TreeUser {
  public:
    virtual ~TreeUser() = default;

    /// From the part at the parent, or at a child. False: not what that one may say.
    virtual bool from_parent(FrameType type, std::string_view body) = 0;
    virtual bool from_child(NodeIndex child, FrameType type, std::string_view body) = 0;
    /// From that at any node, see Node::send_peer().
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

    /// It is being started from here.
    virtual void child_added(const ChildView& child) = 0;
    /// It could not be started. Those that take its place were added before.
    virtual void child_not_started(NodeIndex child) = 0;
    /// It was below `above`, which has `others` left.
    virtual void child_came(const ChildView& child, NodeIndex above,
                            const std::vector<NodeRange>& others) = 0;
    /// They were below `above`, which has `others` left, and live on below another node.
    virtual void nodes_left(NodeRange nodes, NodeIndex above,
                            const std::vector<NodeRange>& others) = 0;
    /// Some were elsewhere, and are below that child now, or still: these are all that it has.
    virtual void nodes_came(const ChildView& child) = 0;
    /// The child is lost, and these nodes with it, itself among them.
    virtual void child_lost(const ChildView& child) = 0;
    /// It has left, in whatever way.
    virtual void child_ended(NodeIndex child) = 0;

    /// Any node can be reached by send_peer() from now on; this one is the `own`th of `count`.
    virtual void peers_open(RoutePosition own, uint32_t count) = 0;
    /// They can't. At the head, when it had asked.
    virtual void no_peers() = 0;
    virtual void peer_lost(RoutePosition peer) = 0;
};

}  // namespace launch
