// SPDX-License-Identifier: MIT
#include "cmd/render/shown_tree.hpp"

#include "cmd/render/rank_text.hpp"
#include "core/base/counted.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// As children of one node: a subtree, or several of one size in a row.
struct Run {
    NodeRange first;      ///< the first of them
    NodeIndex count = 1;  ///< how many
};

class Builder {
  public:
    Builder(const Plan& plan, bool folds) : plan_(plan), folds_(folds) {}

    ShownNode tree(NodeRange nodes) const {
        ShownNode node = box(nodes.first, nodes.first);
        for (const Run& run : runs_below(nodes)) {
            const bool leaves = run.first.count == 1;
            if (leaves && run.count > 1) {
                node.below.push_back(others({run.first.first, run.count}, run.count, true));
                continue;
            }
            node.below.push_back(tree(run.first));
            const NodeIndex rest = run.count - 1;
            if (rest > 0)
                node.below.push_back(others(
                    {run.first.first + run.first.count, rest * run.first.count}, rest, false));
        }
        return node;
    }

  private:
    /// Returns the runs of neighbouring children whose subtrees have the same size.
    std::vector<Run> runs_below(NodeRange nodes) const {
        std::vector<NodeIndex> starts;
        plan_.topology->children(0, nodes.count, starts);
        std::vector<Run> runs;
        for (size_t i = 0; i < starts.size(); ++i) {
            const NodeIndex end = i + 1 < starts.size() ? starts[i + 1] : nodes.count;
            const NodeRange part{nodes.first + starts[i], end - starts[i]};
            const bool same = folds_ && !runs.empty() && runs.back().first.count == part.count;
            if (same)
                ++runs.back().count;
            else
                runs.push_back({part, 1});
        }
        return runs;
    }

    std::string names_of(NodeIndex first, NodeIndex last) const {
        if (first == 0) return "launch, here";
        std::vector<std::string> names;
        for (NodeIndex node = first; node <= last; ++node)
            names.push_back(plan_.hosts[node - 1].name);
        return fold_names(std::move(names));
    }

    ShownNode box(NodeIndex first, NodeIndex last) const {
        ShownNode node;
        node.names = names_of(first, last);
        if (first > 0 && plan_.placement.ranks() > 0)
            node.more = ranks_of(plan_.placement, first - 1, last - 1);
        node.is_spare = first > 0 && first + plan_.spares >= plan_.nodes();
        return node;
    }

    ShownNode others(NodeRange nodes, NodeIndex trees, bool leaves) const {
        ShownNode node = box(nodes.first, nodes.first + nodes.count - 1);
        node.stands_for_others = true;
        const std::string what =
            leaves ? counted(nodes.count, "host") : std::to_string(trees) + " more like it";
        node.more = what + (node.more.empty() ? "" : ", " + node.more);
        return node;
    }

    const Plan& plan_;
    bool folds_;
};

}  // namespace

ShownNode shown_tree(const Plan& plan, NodeIndex full_up_to) {
    return Builder(plan, plan.nodes() > full_up_to).tree({0, plan.nodes()});
}

}  // namespace launch
