// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"
#include "core/job/placement.hpp"
#include "core/topology.hpp"

namespace launch {

/// The hosts on which processes can run that a rank asks for, and what of their slots is taken:
/// those of the tree, and those that are started when processes are to go there. A value without
/// I/O, in which hosts keep their places.
class GroundHosts {
  public:
    enum class State : uint8_t {
        idle,     ///< it has not been started
        in_tree,  ///< it is a node of the tree, which knows whether it runs or is still started
        gone,     ///< it could not be started, or was lost: nobody goes there unless it is named
    };
    struct Entry {
        Host host;
        State state = State::idle;
        NodeIndex node = 0;  ///< of one that is in the tree
        uint32_t used = 0;   ///< slots, of which there may be fewer
    };
    /// The hosts to choose from, and the slots in use on each.
    struct Offer {
        std::vector<Host> hosts;
        std::vector<uint32_t> used;    ///< slots of each
        std::vector<uint32_t> places;  ///< of each here
    };

    /// Nodes 1, 2, ... are those of the `tree`; the others are idle.
    GroundHosts(const std::vector<Host>& tree, const std::vector<Host>& idle);

    /// The change that add() made.
    struct Added {
        size_t first = 0;               ///< place of the first that was none of these before
        std::vector<uint32_t> revived;  ///< places of those that were gone
    };
    /// These may be started: who is none of these yet, or is gone. `own_name`: see is_wanted().
    Added add(const std::vector<Host>& hosts, const std::string& own_name);
    /// They were asked for in vain, and nothing has been started since: nobody else gets them.
    void undo(const Added& added);
    /// The place of a host; nothing: it is none of these.
    std::optional<uint32_t> find(const Host& wanted, const std::string& own_name) const;
    /// Idle hosts, and those in the tree that may be used now.
    Offer offer(const std::function<bool(const Entry&)>& may_use) const;
    const Entry& at(uint32_t place) const { return entries_[place]; }

    /// Counts the ranks of placement.node(i) on the host places[i].
    void take(const Placement& placement, const std::vector<uint32_t>& places) {
        count(placement, places, 1);
    }
    void give_back(const Placement& placement, const std::vector<uint32_t>& places) {
        count(placement, places, -1);
    }

    /// Which of these places have to be started.
    std::vector<uint32_t> idle(const std::vector<uint32_t>& places) const;
    void joins(uint32_t place, NodeIndex node);
    /// It leaves: nobody goes there any more until somebody names it.
    void leaves(uint32_t place);
    /// So do all that are lost or did not come.
    void lose(const std::function<bool(NodeIndex)>& is_lost);

  private:
    void count(const Placement& placement, const std::vector<uint32_t>& places, int sign);

    std::vector<Entry> entries_;
};

}  // namespace launch
