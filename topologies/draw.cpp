// SPDX-License-Identifier: MIT
#include "topologies/draw.hpp"

#include <set>
#include <utility>
#include <vector>

#include "topologies/blocks.hpp"
#include "topologies/draw_lines.hpp"

namespace launch {
namespace {

/// A line whose nodes are not named yet: labels may cost, and drawings are tried at several depths.
struct Line {
    std::string before;
    NodeIndex first;
    NodeIndex last;
};

std::string named_lines(const std::vector<Line>& lines, const NodeLabel& label) {
    std::string text;
    for (const Line& line : lines)
        text += line.before + label(line.first, line.last) + "\n";
    return text;
}

std::string plural(size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

/// One attempt at a folded drawing that expands nodes above a depth only.
class Folded {
  public:
    Folded(const Topology& topology, const DrawOptions& options, uint32_t depth_limit)
        : runs_(topology),
          branches_(options.ascii),
          max_lines_(options.max_lines),
          depth_limit_(depth_limit) {}

    void draw(NodeIndex n) {
        add(0, true, "", {0, 0});
        draw_below(0, n, 1);
    }

    std::vector<Line>& lines() { return lines_; }
    bool fits() const { return lines_.size() <= max_lines_; }
    bool cut() const { return cut_; }  ///< the depth limit left something out

  private:
    /// Siblings of one run, or of several that are folded into one line.
    struct Group {
        std::vector<SiblingRun> runs;
        NodeIndex first;
        NodeIndex end;  ///< the node after the group's last
        bool last;      ///< no sibling follows
    };

    void add(uint32_t depth, bool last_sibling, const std::string& text,
             std::pair<NodeIndex, NodeIndex> nodes) {
        lines_.push_back({branches_.before(depth, last_sibling) + text, nodes.first, nodes.second});
    }

    void fold(const Group& group, uint32_t depth, const std::string& text) {
        add(depth, group.last, text + ": ", {group.first, group.end - 1});
    }

    /// The descendants of a block's root, whose children are at this depth.
    void draw_below(NodeIndex root, NodeIndex block, uint32_t depth) {
        const std::vector<SiblingRun> runs = runs_.below(block);
        NodeIndex first = root + 1;
        for (size_t i = 0; i < runs.size() && (fits() || depth_limit_ == 1);) {
            const size_t end = group_end(runs, i);
            Group group{{runs.begin() + static_cast<std::ptrdiff_t>(i),
                         runs.begin() + static_cast<std::ptrdiff_t>(end)},
                        first,
                        first,
                        end == runs.size()};
            for (const SiblingRun& run : group.runs)
                group.end += run.block * run.count;
            const bool near = i > 0 && runs[i - 1].block == runs[i].block + 1;
            draw_group(group, depth, near);
            first = group.end;
            i = end;
        }
        drawn_.insert(block);
    }

    /// Joins the shapes that have been drawn to one group; leaves stay apart unless they lead one.
    size_t group_end(const std::vector<SiblingRun>& runs, size_t begin) const {
        size_t end = begin + 1;
        if (runs[begin].block > 1 && !drawn_.contains(runs[begin].block)) return end;
        while (end < runs.size() && runs[end].block > 1 && drawn_.contains(runs[end].block))
            ++end;
        return end;
    }

    /// near: the siblings before have one node more, which is the same shape to a reader's eye.
    void draw_group(const Group& group, uint32_t depth, bool near) {
        const SiblingRun run = group.runs.front();
        if (group.runs.size() > 1 || drawn_.contains(run.block)) {
            fold(group, depth, subtrees(group) + ", as above");
        } else if (run.block == 1) {
            draw_leaves(group, depth);
        } else if (is_chain(run.block)) {
            fold(group, depth, chains(run));
        } else if (near || depth >= depth_limit_) {
            cut_ = cut_ || !near;
            fold(group, depth, subtrees(group));
        } else {
            draw_first(group, depth);
        }
    }

    void draw_leaves(const Group& group, uint32_t depth) {
        const NodeIndex count = group.runs.front().count;
        if (count == 1) {
            add(depth, group.last, "", {group.first, group.first});
        } else {
            fold(group, depth, std::to_string(count) + " leaves");
        }
    }

    void draw_first(const Group& group, uint32_t depth) {
        const SiblingRun run = group.runs.front();
        const bool alone = run.count == 1;
        add(depth, alone && group.last, "", {group.first, group.first});
        draw_below(group.first, run.block, depth + 1);
        if (alone) return;
        const Group rest{{}, group.first + run.block, group.end, group.last};
        fold(rest, depth, std::to_string(run.count - 1) + " more alike");
    }

    /// Whether each node of a block starts the next one, so often that a line says it better.
    bool is_chain(NodeIndex block) {
        constexpr NodeIndex worth_folding = 4;
        if (block < worth_folding) return false;
        while (block > 1) {
            const std::vector<SiblingRun>& runs = runs_.below(block);
            if (runs.size() != 1 || runs.front().count != 1) return false;
            block = runs.front().block;
        }
        return true;
    }

    static std::string chains(SiblingRun run) {
        return plural(run.count, "chain") + " of " + plural(run.block, "node");
    }

    /// "28 subtrees of 28 nodes", "9 subtrees of 1, 2 ... 256 nodes".
    static std::string subtrees(const Group& group) {
        size_t count = 0;
        for (const SiblingRun& run : group.runs)
            count += run.count;
        std::string text = plural(count, "subtree") + " of ";
        const size_t sizes = group.runs.size();
        for (size_t i = 0; i < sizes; ++i) {
            const bool last = i + 1 == sizes;
            if (sizes > 3 && i > 1 && !last) continue;
            if (i > 0) text += last ? (sizes > 3 ? " ... " : " and ") : ", ";
            text += std::to_string(group.runs[i].block);
        }
        return text + " nodes";
    }

    SiblingRuns runs_;
    Branches branches_;
    size_t max_lines_;
    uint32_t depth_limit_;
    bool cut_ = false;
    std::set<NodeIndex> drawn_;  // sizes of the blocks whose shape has been shown
    std::vector<Line> lines_;
};

/// The deepest folded drawing that fits. Each one is small, so they are tried from the top.
std::vector<Line> fold_to_fit(const Topology& topology, NodeIndex n, const DrawOptions& options) {
    std::vector<Line> best;
    for (uint32_t limit = 1;; ++limit) {
        Folded drawing(topology, options, limit);
        drawing.draw(n);
        if (limit > 1 && !drawing.fits()) return best;
        best = std::move(drawing.lines());
        if (!drawing.cut()) return best;
    }
}

/// Every node: in preorder, by an explicit stack, as a chain would overflow the thread's.
std::string draw_full(const Topology& topology, NodeIndex n, const DrawOptions& options,
                      const NodeLabel& label) {
    struct Pending {
        NodeIndex node;
        NodeIndex block;
        uint32_t depth;
        bool last;
    };
    std::string text;
    Branches branches(options.ascii);
    std::vector<NodeIndex> children;
    std::vector<Pending> pending{{0, n, 0, true}};
    while (!pending.empty()) {
        const Pending at = pending.back();
        pending.pop_back();
        text += branches.before(at.depth, at.last) + label(at.node, at.node) + "\n";
        topology.children(0, at.block, children);
        NodeIndex end = at.block;
        for (size_t i = children.size(); i-- > 0;) {
            const bool last = i + 1 == children.size();
            pending.push_back({at.node + children[i], end - children[i], at.depth + 1, last});
            end = children[i];
        }
    }
    return text;
}

}  // namespace

std::string draw_tree(const Topology& topology, NodeIndex n, const DrawOptions& options,
                      const NodeLabel& label) {
    if (options.full || n <= options.full_up_to) return draw_full(topology, n, options, label);
    return named_lines(fold_to_fit(topology, n, options), label);
}

}  // namespace launch
