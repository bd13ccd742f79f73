// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run.hpp"
#include "cmd/render/tree_picture.hpp"
#include "core/base/counted.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// As children of one node: a subtree, or several of one size in a row.
struct Run {
    NodeRange first;      ///< the first of them
    NodeIndex count = 1;  ///< how many
};

class TreeBuilder {
  public:
    TreeBuilder(const Plan& plan, bool folds) : plan_(plan), folds_(folds) {}

    ShownNode tree(NodeRange nodes) const {
        ShownNode node = box({nodes.first, 1});
        for (const Run& run : runs_below(nodes)) {
            const auto [first, size] = run.first;
            if (size == 1 && run.count > 1) {
                node.below.push_back(others({first, run.count}, counted(run.count, "host")));
                continue;
            }
            node.below.push_back(tree(run.first));
            const NodeIndex rest = run.count - 1;
            if (rest > 0)
                node.below.push_back(
                    others({first + size, rest * size}, std::to_string(rest) + " more like it"));
        }
        node.measure();
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
            if (folds_ && !runs.empty() && runs.back().first.count == part.count)
                ++runs.back().count;
            else
                runs.push_back({part, 1});
        }
        return runs;
    }

    ShownNode box(NodeRange nodes) const {
        if (nodes.first == 0) return {.names = "launch, here"};
        const NodeIndex end = nodes.first + nodes.count;
        std::vector<std::string> names;
        for (NodeIndex node = nodes.first; node < end; ++node)
            names.push_back(plan_.hosts[node - 1].name);
        ShownNode node{.names = fold_names(std::move(names))};
        if (plan_.placement.ranks() > 0)
            node.more = ranks_of(plan_.placement, nodes.first - 1, end - 2);
        node.is_spare = nodes.first + plan_.spares >= plan_.nodes();
        return node;
    }

    ShownNode others(NodeRange nodes, const std::string& what) const {
        ShownNode node = box(nodes);
        node.stands_for_others = true;
        node.more = what + (node.more.empty() ? "" : ", " + node.more);
        return node;
    }

    const Plan& plan_;
    bool folds_;
};

/// A picture with more nodes than this folds hosts that are alike.
constexpr NodeIndex full_up_to = 65;

std::string picture_title(const Plan& plan) {
    std::string title =
        counted(plan.placement.ranks(), "rank") + " on " + counted(plan.hosts.size(), "host");
    if (plan.topology) title += ", tree " + plan.topology->name();
    return title;
}

/// Without a tree of its own, as in a session or on this machine, all are below launch.
ShownNode tree_of_plan(const Plan& plan, const ViewSettings& view) {
    if (!plan.topology)
        return {.names = "launch, here", .more = counted(plan.placement.ranks(), "rank")};
    const bool folds = !view.full && plan.nodes() > full_up_to;
    return TreeBuilder(plan, folds).tree({0, plan.nodes()});
}

}  // namespace

std::string plan_svg(const Plan& plan, const ViewSettings& view) {
    return tree_svg(tree_of_plan(plan, view), picture_title(plan));
}

std::string plan_dot(const Plan& plan, const ViewSettings& view) {
    return tree_dot(tree_of_plan(plan, view), picture_title(plan));
}

}  // namespace launch
