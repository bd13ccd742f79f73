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

    /// The text before that of a node at this depth; the root's depth is 0 and its text is empty.
    /// The calls follow the drawing, from the top line to the last. Below 32 levels the indentation
    /// stays and the depth is given in words, so that the text grows with the nodes alone.
    std::string before(uint32_t depth, bool last_sibling);

  private:
    bool ascii_;
    std::vector<bool> ended_;  // by depth - 1: that depth's branch has drawn its last sibling
};

}  // namespace launch
