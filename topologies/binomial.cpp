// SPDX-License-Identifier: MIT
#include "topologies/binomial.hpp"

namespace launch {
namespace {

class Binomial final : public Topology {
  public:
    explicit Binomial(const char* name) : name_(name) {}

    std::string name() const override { return name_; }

    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        out.clear();
        // 64 bits: neither the step nor v + step may wrap for the largest n.
        const uint64_t end = v == 0 ? n : uint64_t{v} & -uint64_t{v};
        for (uint64_t step = 1; step < end && v + step < n; step *= 2) {
            out.push_back(static_cast<NodeIndex>(v + step));
        }
    }

    NodeIndex parent(NodeIndex v, NodeIndex) const override { return v & (v - 1); }

  private:
    const char* name_;
};

}  // namespace

std::unique_ptr<Topology> make_binomial() {
    return std::make_unique<Binomial>("binomial");
}

std::unique_ptr<Topology> make_hypercube() {
    return std::make_unique<Binomial>("hypercube");
}

}  // namespace launch
