#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/wire/link_messages.hpp"

namespace launch {

/// Which news have come here from a block of nodes. Sans I/O.
class NewsCount {
  public:
    NewsCount(NodeIndex first, NodeIndex size) : first_(first), had_(size) {}

    /// The block is larger from now on, or as large as it was.
    void widen(NodeIndex size) {
        if (size > had_.size()) had_.resize(size);
    }

    enum class Verdict : uint8_t {
        fresh,    ///< the next of its origin
        known,    ///< came before: the link that brought it has taken the place of another
        early,    ///< one before it was lost with a link, and will come again, and this one too
        unknown,  ///< of no node of this block
    };
    /// Counts it if it is fresh.
    Verdict take(NewsClass kind, NewsHeader header) {
        const NodeIndex at = header.origin - first_;
        if (header.origin < first_ || at >= had_.size()) return Verdict::unknown;
        uint64_t& had = had_[at][static_cast<size_t>(kind)];
        if (header.number <= had) return Verdict::known;
        if (header.number > had + 1) return Verdict::early;
        ++had;
        return Verdict::fresh;
    }

    uint64_t had(NodeIndex origin, NewsClass kind) const {
        return had_[origin - first_][static_cast<size_t>(kind)];
    }

  private:
    NodeIndex first_;
    std::vector<std::array<uint64_t, 2>> had_;
};

}  // namespace launch
