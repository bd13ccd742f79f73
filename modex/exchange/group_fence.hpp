#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// Fences of some of the ranks (PMIx): rare and small, so the root counts. Joining goes straight
/// up; when all are there everybody's contributions go down to all nodes. Members that have exited
/// will never come: as in a fence of all, the others go on without them or the fence is broken.
class GroupFence {
  public:
    explicit GroupFence(ExchangeState& state) : state_(state) {}

    /// All members of `group` (ascending) that run here, have not exited and have not `left`, have
    /// joined.
    void join(const std::vector<uint32_t>& group, std::string blob, const std::set<uint32_t>& left);
    void from_child(NodeIndex child, GroupUp message);
    void from_parent(const GroupDown& message);
    /// A rank of this node or, at the root, of any.
    void exited();
    /// What was on its way up may be lost.
    void say_again();

  private:
    struct Open {
        std::set<uint32_t> joined;
        uint64_t sequence = 0;
        std::string blob;
        bool broken = false;
    };
    /// Of one group the last fence, where nodes may be lost and with them its end.
    struct Ended {
        uint64_t sequence = 0;
        std::string blob;  ///< at the root
    };
    using Fences = std::map<std::vector<uint32_t>, Open>;
    void handle(std::optional<NodeIndex> child, GroupUp message);
    void pass_up(GroupUp message);
    bool note_end(const GroupDown& message, bool here);
    /// Ends the fence if everybody who can come has come; returns the next one.
    Fences::iterator advance(Fences::iterator at);

    ExchangeState& state_;
    Fences open_;
    std::vector<GroupUp>
        pending_;  ///< passed up, until their fence is over; see ExchangeSettings::heals
    std::map<std::vector<uint32_t>, Ended> ended_;  ///< of this node's ranks; at the root, all
};

}  // namespace launch
