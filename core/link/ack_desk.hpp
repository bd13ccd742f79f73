// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "core/link/bounds.hpp"
#include "core/topology.hpp"

namespace launch {

/// When the head confirms what a node has told it: seldom, since it only frees memory there. Sans
/// I/O.
class AckDesk {
  public:
    /// It counts that node, and those with larger numbers. Each keeps so many bytes of output until
    /// they are confirmed, and waits with more.
    explicit AckDesk(NodeIndex first, uint64_t kept_there = Bounds().to_head)
        : enough_(kept_there / 4), first_(first) {}

    /// It is over: nodes leave as soon as all their reports are confirmed, so each is, at once.
    void finish() { enough_ = 0; }

    /// Reports with so many bytes of output came from there. True: it is time to confirm.
    bool took(NodeIndex origin, size_t bytes) {
        const NodeIndex at = origin - first_;
        if (at >= owed_.size()) owed_.resize(at + 1);
        uint64_t& owed = owed_[at];
        owed += bytes + each_report;
        if (owed < enough_) return false;
        owed = 0;
        return true;
    }

  private:
    static constexpr uint64_t each_report = 256;

    uint64_t enough_;
    NodeIndex first_;
    std::vector<uint64_t> owed_;
};

}  // namespace launch
