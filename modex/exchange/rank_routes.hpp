#pragma once

#include <optional>
#include <vector>

#include "core/job/placement.hpp"
#include "core/topology.hpp"

namespace launch {

/// Which child's subtree a rank runs in. Holds one run where a subtree's ranks are contiguous.
class RankRoutes {
  public:
    /// `ranks`: of the child and of all nodes below it. Returns how many ranks they are.
    uint32_t add(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks);
    void remove(NodeIndex child);
    std::optional<NodeIndex> child_of(uint32_t rank) const;

  private:
    struct Route {
        RankRun run;
        NodeIndex child;
    };
    std::vector<Route> routes_;
};

}  // namespace launch
