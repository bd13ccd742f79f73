#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/link/framed_link.hpp"
#include "core/tree/contact_gather.hpp"
#include "core/tree/route_table.hpp"

namespace launch {

/// One node's part in setting up the routing tree, while the tree of the start carries everything:
///
///  1. contacts go up to the head (ContactGather);
///  2. those of all nodes come down (`table`); each node dials its parent there, and tells the
///  head;
///  3. when all have their links the head says that everybody is to go over: nothing is said over
///  the tree of the start any more. Where one has none, all stay.
///
/// Each is told over the tree of the start, so neighbours may be apart for a moment. A node that
/// has reached its new parent (Phase::over) listens to its new children, and asks those that it
/// keeps to say again what the head has not confirmed, as new ones do by themselves: so everybody
/// says it once, from the head downwards, and on its way up everything passes those who have had
/// all before it. What still goes up the old links is not taken any more. No ranks run yet: their
/// start is the first that goes by the routing tree.
///
/// Where large data is to go between any two nodes, the first two steps come in the middle of a
/// job, and nobody changes the tree.
struct Routing {
    enum class Phase {
        undecided,   ///< it may come to going over, or not
        stays,       ///< ... or has been said not to
        going_over,  ///< children are those of the routing tree, the way up is the old one
        over,        ///< the way up is the new one
    };

    Routing(NodeIndex self, NodeIndex size) : gather(self, size) {}

    bool settled() const { return phase != Phase::undecided; }
    bool gone_over() const { return phase == Phase::going_over || phase == Phase::over; }

    Phase phase = Phase::undecided;

    ContactGather gather;
    std::string bytes;  ///< the RoutesMessage, passed on as it came
    std::optional<RouteTable> table;
    /// Links of those who are to be children, until the tree is gone over to.
    std::map<NodeIndex, std::shared_ptr<FramedLink>> children;
    /// Null: it has none.
    std::shared_ptr<FramedLink> link_of(NodeIndex child) const {
        const auto at = children.find(child);
        return at == children.end() ? nullptr : at->second;
    }
    /// The link to the parent there, if it is another one than now.
    std::shared_ptr<FramedLink> parent;
    bool moves = true;    ///< the parent there is another one
    bool linked = false;  ///< the head has been told of the link to the parent
};

}  // namespace launch
