// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/render/dry_run.hpp"
#include "cmd/render/svg.hpp"
#include "core/base/counted.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// A box of a picture of the tree.
struct ShownNode {
    std::string names;  ///< of the host, or of several, folded
    std::string more;   ///< its ranks; of a box that stands for several trees, what they are
    bool stands_for_others = false;
    bool is_spare = false;
    std::vector<ShownNode> below = {};
    size_t rows = 1;  ///< that it and all below it take: one for each that has nobody below
    size_t columns = 1;
};

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
        size_t rows = 0;
        for (const ShownNode& below : node.below) {
            rows += below.rows;
            node.columns = std::max(node.columns, below.columns + 1);
        }
        node.rows = std::max<size_t>(rows, 1);
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
constexpr double picture_margin = 20;
constexpr double box_height = 34;
constexpr double picture_row_height = 42;
constexpr double box_width = 230;
constexpr double column_width = 290;
constexpr double title_height = 30;
constexpr size_t longest_words = 34;

std::string cut(const std::string& words) {
    return words.size() > longest_words ? words.substr(0, longest_words - 3) + "..." : words;
}

std::string picture_title(const Plan& plan) {
    std::string title =
        counted(plan.placement.ranks(), "rank") + " on " + counted(plan.hosts.size(), "host");
    if (plan.topology) title += ", tree " + plan.topology->name();
    return title;
}

std::string box_style(const ShownNode& node) {
    std::string style = "rx=\"4\" stroke=\"#336699\" fill=\"";
    style += node.is_spare ? "#f4f4f4\"" : node.stands_for_others ? "#fff6dd\"" : "#e8f1fa\"";
    if (node.stands_for_others || node.is_spare) style += " stroke-dasharray=\"5 3\"";
    return style;
}

/// Draws the box and all to its right; returns the height at which lines come in.
double draw(Svg& svg, const ShownNode& node, double x, double top) {
    const double middle = top + static_cast<double>(node.rows) * picture_row_height / 2;
    double below_top = top;
    const double turn = x + (box_width + column_width) / 2;
    for (const ShownNode& below : node.below) {
        const double to = draw(svg, below, x + column_width, below_top);
        const char* const style = "stroke=\"#8899aa\"";
        svg.line(x + box_width, middle, turn, middle, style);
        svg.line(turn, middle, turn, to, style);
        svg.line(turn, to, x + column_width, to, style);
        below_top += static_cast<double>(below.rows) * picture_row_height;
    }
    const double y = middle - box_height / 2;
    svg.box(x, y, box_width, box_height, box_style(node), node.names + ": " + node.more);
    const bool one_line = node.more.empty();
    svg.text(x + 8, one_line ? middle + 4 : y + 14, cut(node.names), "start",
             "font-weight=\"bold\"");
    if (!one_line) svg.text(x + 8, y + 28, cut(node.more), "start", "font-size=\"11\"");
    return middle;
}

std::string dot_text(const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted;
}

void write_dot(const ShownNode& node, size_t& last, std::string& text) {
    const std::string id = "n" + std::to_string(last);
    const std::string more = node.more.empty() ? "" : "\\n" + dot_text(node.more);
    const char* const style = node.stands_for_others || node.is_spare ? ", style=dashed" : "";
    text += "  " + id + " [label=\"" + dot_text(node.names) + more + "\"" + style + "];\n";
    for (const ShownNode& below : node.below) {
        text += "  " + id + " -> n" + std::to_string(++last) + ";\n";
        write_dot(below, last, text);
    }
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
    const ShownNode tree = tree_of_plan(plan, view);
    const double width =
        2 * picture_margin + static_cast<double>(tree.columns - 1) * column_width + box_width;
    const double height =
        2 * picture_margin + title_height + static_cast<double>(tree.rows) * picture_row_height;
    Svg svg(width, height, picture_title(plan));
    svg.text(picture_margin, picture_margin + 8, picture_title(plan), "start",
             "font-size=\"14\" font-weight=\"bold\"");
    draw(svg, tree, picture_margin, picture_margin + title_height);
    return svg.take();
}

std::string plan_dot(const Plan& plan, const ViewSettings& view) {
    std::string text = "digraph launch {\n  rankdir=LR;\n  label=\"" +
                       dot_text(picture_title(plan)) +
                       "\";\n  node [shape=box, fontname=\"sans-serif\"];\n";
    size_t last = 0;
    write_dot(tree_of_plan(plan, view), last, text);
    return text + "}\n";
}

}  // namespace launch
