// SPDX-License-Identifier: MIT
#include "topologies/flat.hpp"

#include <numeric>

namespace launch {
namespace {

class Flat final : public Topology {
  public:
    std::string name() const override { return "flat"; }

    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        out.resize(v == 0 ? n - 1 : 0);
        std::iota(out.begin(), out.end(), NodeIndex{1});
    }

    NodeIndex parent(NodeIndex, NodeIndex) const override { return 0; }
};

}  // namespace

std::unique_ptr<Topology> make_flat() {
    return std::make_unique<Flat>();
}

}  // namespace launch
