// SPDX-License-Identifier: MIT
#include "topologies/kary.hpp"

#include <algorithm>

#include "topologies/chain.hpp"

namespace launch {
namespace {

struct Block {
    NodeIndex first;
    NodeIndex size;
};

/// The even split of a block's descendants among its children.
class Split {
  public:
    Split(NodeIndex size, uint32_t degree)
        : count_(std::min(degree, size - 1)),
          small_(count_ == 0 ? 0 : (size - 1) / count_),
          larger_(count_ == 0 ? 0 : (size - 1) % count_) {}

    NodeIndex count() const { return count_; }

    /// Child i's block, its first node counted from the block's root.
    Block child(NodeIndex i) const {
        return {1 + i * small_ + std::min(i, larger_), small_ + (i < larger_ ? 1U : 0U)};
    }

    /// The child whose block holds the node at this offset >= 1 from the block's root.
    NodeIndex holder(NodeIndex offset) const {
        const NodeIndex rank = offset - 1;
        const NodeIndex in_larger = larger_ * (small_ + 1);
        if (rank < in_larger) return rank / (small_ + 1);
        return larger_ + (rank - in_larger) / small_;
    }

  private:
    NodeIndex count_;
    NodeIndex small_;
    NodeIndex larger_;  ///< how many blocks, the first ones, have one node more
};

class Kary final : public Topology {
  public:
    explicit Kary(uint32_t degree) : degree_(degree) {}

    std::string name() const override { return "kary:" + std::to_string(degree_); }

    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        const Split split(locate(v, n).block.size, degree_);
        out.clear();
        out.reserve(split.count());
        for (NodeIndex i = 0; i < split.count(); ++i)
            out.push_back(v + split.child(i).first);
    }

    NodeIndex parent(NodeIndex v, NodeIndex n) const override { return locate(v, n).parent; }

  private:
    struct Place {
        Block block;
        NodeIndex parent;
    };

    /// Descends from the root to v.
    Place locate(NodeIndex v, NodeIndex n) const {
        Place place{{0, n}, 0};
        while (place.block.first != v) {
            const NodeIndex root = place.block.first;
            const Split split(place.block.size, degree_);
            const Block child = split.child(split.holder(v - root));
            place = {{root + child.first, child.size}, root};
        }
        return place;
    }

    uint32_t degree_;
};

}  // namespace

std::unique_ptr<Topology> make_kary(uint32_t degree) {
    // A descent along a chain would cost O(n), not O(depth of a useful tree).
    if (degree <= 1) return make_chain();
    return std::make_unique<Kary>(degree);
}

}  // namespace launch
