// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "core/job/placement.hpp"
#include "core/topology.hpp"

namespace launch {

/// Which child's subtree a rank runs in. Held as blocks: block placement makes one of a subtree,
/// cyclic placement about one for each different number of slots.
class RankRoutes {
  public:
    /// `ranks`: of the child and of all nodes below it. Returns how many ranks they are.
    uint32_t add(NodeIndex child, const std::vector<std::vector<RankRun>>& ranks);
    void remove(NodeIndex child);
    /// Logarithmic in the number of contiguous blocks, linear in that of the others.
    std::optional<NodeIndex> child_of(uint32_t rank) const;

  private:
    /// `count` times `width` ranks side by side, the first of them at first, first + stride, ...
    struct Block {
        uint32_t first = 0;
        uint32_t width = 1;
        uint32_t count = 1;
        uint32_t stride = 1;
        NodeIndex child = 0;

        bool holds(uint32_t rank) const;
        /// Takes in `next` where the two are side by side all along.
        bool join(const Block& next);
    };
    static Block block_of(RankRun run, NodeIndex child);

    std::vector<Block> contiguous_;  ///< count is 1; ascending
    std::vector<Block> strided_;
};

}  // namespace launch
