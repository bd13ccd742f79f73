// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/link/sequence_filter.hpp"
#include "core/wire/link_messages.hpp"

namespace launch {

/// Which reports have come here from a block of nodes. Sans I/O.
class ReportFilter {
  public:
    ReportFilter(NodeIndex first, NodeIndex size) : first_(first), had_(size) {}

    /// The block is larger from now on, or as large as it was.
    void widen(NodeIndex size) {
        if (size > had_.size()) had_.resize(size);
    }

    NodeIndex size() const { return static_cast<NodeIndex>(had_.size()); }

    enum class Verdict : uint8_t {
        fresh,    ///< the next of its origin
        known,    ///< see SequenceFilter
        early,    ///< see there
        unknown,  ///< of no node of this block
    };
    /// Counts it if it is fresh.
    Verdict take(ReportClass kind, ReportHeader header) {
        const NodeIndex at = header.origin - first_;
        if (header.origin < first_ || at >= had_.size()) return Verdict::unknown;
        switch (had_[at][static_cast<size_t>(kind)].take(header.number)) {
            case SequenceFilter::Verdict::fresh: return Verdict::fresh;
            case SequenceFilter::Verdict::known: return Verdict::known;
            case SequenceFilter::Verdict::early: break;
        }
        return Verdict::early;
    }

    /// The number of reports from this origin; none from a node of another block.
    uint64_t had(NodeIndex origin, ReportClass kind) const {
        const NodeIndex at = origin - first_;
        if (origin < first_ || at >= had_.size()) return 0;
        return had_[at][static_cast<size_t>(kind)].received();
    }

  private:
    NodeIndex first_;
    std::vector<std::array<SequenceFilter, 2>> had_;
};

}  // namespace launch
