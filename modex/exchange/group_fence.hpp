#pragma once

#include <map>
#include <string>
#include <vector>

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// Fences of some of the ranks (PMIx): rare and small, so the root counts. Joining goes straight
/// up; when all are there everybody's contributions go down to all nodes.
class GroupFence {
  public:
    explicit GroupFence(ExchangeState& state) : state_(state) {}

    /// All members of `group` (ascending) that run here have joined.
    void join(const std::vector<uint32_t>& group, std::string blob);
    void from_child(GroupUp message);
    void from_parent(const GroupDown& message);

  private:
    struct Open {
        uint32_t joined = 0;
        std::string blob;
    };
    void handle(GroupUp message);

    ExchangeState& state_;
    std::map<std::vector<uint32_t>, Open> open_;
};

}  // namespace launch
