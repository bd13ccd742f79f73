// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/shape.hpp"

#include <map>

#include "topologies/registry.hpp"

namespace launch {
namespace {

/// Finds the children of a node by the sizes of their subtrees in the shape.
class Shaped final : public Topology {
  public:
    explicit Shaped(Shape shape) : shape_(std::move(shape)) {
        size_t at = 0;
        measure(at);
    }

    std::string name() const override { return shape_; }

    void children(NodeIndex v, NodeIndex n, std::vector<NodeIndex>& out) const override {
        out.clear();
        find(v, {0, n}, out);
    }

    NodeIndex parent(NodeIndex v, NodeIndex n) const override {
        std::vector<NodeIndex> ignored;
        return find(v, {0, n}, ignored);
    }

  private:
    /// The size of the tree that begins there, and those of all its subtrees.
    NodeIndex measure(size_t& at) {
        std::vector<NodeIndex> below;
        NodeIndex size = 1;
        for (++at; shape_[at] == '('; size += below.back())
            below.push_back(measure(at));
        ++at;
        below_[size] = std::move(below);
        return size;
    }

    std::vector<NodeIndex> below(NodeIndex size) const {
        const auto known = below_.find(size);
        if (known != below_.end()) return known->second;
        return size > 1 ? std::vector<NodeIndex>{size - 1} : std::vector<NodeIndex>();
    }

    /// The children of `v`, which is in that block. Its parent, if it is not the first.
    NodeIndex find(NodeIndex v, NodeRange block, std::vector<NodeIndex>& children) const {
        NodeIndex first = block.first + 1;
        for (const NodeIndex size : below(block.count)) {
            if (v == block.first) children.push_back(first);
            if (v == first) find(v, {first, size}, children);
            if (v == first) return block.first;
            if (NodeRange{first, size}.contains(v)) return find(v, {first, size}, children);
            first += size;
        }
        return block.first;
    }

    Shape shape_;
    std::map<NodeIndex, std::vector<NodeIndex>> below_;  ///< by the size of a tree
};

/// All rows of trees of that many nodes together.
std::vector<Shape> all_forests(NodeIndex nodes) {
    if (nodes == 0) return {""};
    std::vector<Shape> all;
    for (NodeIndex first = 1; first <= nodes; ++first)
        for (const Shape& tree : all_shapes(first))
            for (const Shape& rest : all_forests(nodes - first))
                all.push_back(tree + rest);
    return all;
}

}  // namespace

std::vector<Shape> all_shapes(NodeIndex nodes) {
    std::vector<Shape> all;
    for (const Shape& below : all_forests(nodes - 1))
        all.push_back("(" + below + ")");
    return all;
}

Result<std::unique_ptr<Topology>> make_played_topology(const std::string& name, uint32_t degree,
                                                       NodeIndex nodes, std::string* reason) {
    if (name.starts_with("(")) return std::unique_ptr<Topology>(std::make_unique<Shaped>(name));
    return make_topology(name, degree, nodes, reason);
}

}  // namespace launch
