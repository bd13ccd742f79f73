// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// The branches left of a tree's text: knows at each depth whether more siblings follow.
class Branches {
  public:
    explicit Branches(bool ascii) : ascii_(ascii) {}

    /// What stands before the text of a node at this depth; the root's is 0 and has nothing. The
    /// calls follow the drawing, from the top line to the last. Below 32 levels the indentation
    /// stays and the depth is told in words, so that the text grows with the nodes alone.
    std::string before(uint32_t depth, bool last_sibling);

  private:
    bool ascii_;
    std::vector<bool> ended_;  // by depth - 1: that depth's branch has drawn its last sibling
};

}  // namespace launch
