// SPDX-License-Identifier: MIT
#include "topologies/chain.hpp"

namespace launch {
namespace {

class Chain final : public Topology {
  public:
    std::string name() const override { return "chain"; }

    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        out.clear();
        if (v + 1 < n) out.push_back(v + 1);
    }

    NodeIndex parent(NodeIndex v, NodeIndex) const override { return v - 1; }
};

}  // namespace

std::unique_ptr<Topology> make_chain() {
    return std::make_unique<Chain>();
}

}  // namespace launch
