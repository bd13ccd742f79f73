// Ranks that are placed when all hosts are up or known not to be.

#include "core/node/node.hpp"

namespace launch {
namespace {

std::vector<std::vector<RankRun>> runs_of(const AssignmentMessage& assignment) {
    std::vector<std::vector<RankRun>> runs;
    for (const auto& part : assignment.parts)
        runs.push_back(part.runs);
    return runs;
}

}  // namespace

void Node::assign(const AssignmentMessage& assignment) {
    stop_.request_stop();
    const auto* own = assignment.part_at(self_);
    start_ranks(own != nullptr ? own->number + 1 : 0,
                own != nullptr ? own->runs : std::vector<RankRun>());
    for (const auto& child : children_) {
        if (!child->started() || child->ended()) continue;
        auto part = assignment.part_of(child->index(), child->block().size());
        // Whom it lost while it started has another parent, perhaps this node.
        std::erase_if(part.parts, [&](const auto& one) { return !child->has(one.node); });
        add_ranks_of(*child, runs_of(part));
        child->assign(part);
    }
    input_.open();
}

}  // namespace launch
