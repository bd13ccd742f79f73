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

std::vector<uint32_t> ranks_in(const AssignmentMessage& assignment) {
    std::vector<uint32_t> ranks;
    for (const auto& part : assignment.parts)
        for_each_rank(part.runs, [&](uint32_t rank) { ranks.push_back(rank); });
    return ranks;
}

}  // namespace

void Node::assign(AssignmentMessage assignment) {
    assignment_ = std::move(assignment);
    stop_.request_stop();
    const auto* own = assignment_->part_at(self_);
    start_ranks(own != nullptr ? own->number + 1 : 0,
                own != nullptr ? own->runs : std::vector<RankRun>());
    for (const auto& child : children_)
        if ((child->started() || child->rerouted()) && !child->retired()) assign_to(*child);
    open_peers();
    open_input();
}

void Node::assign_to(Child& child) {
    auto part = assignment_->part_of(child.index(), child.block().size());
    // Whom it lost while it started has another parent, perhaps this node.
    std::erase_if(part.parts, [&](const auto& one) { return !child.has(one.node); });
    child.assign(part);
    if (!child.ended()) {
        add_ranks_of(child, runs_of(part));
    } else if (!part.parts.empty()) {
        // The head did not know yet. Its ranks are part of the job, and lost.
        modex_->add_child(child.index(), runs_of(part));
        modex_->lose_child(child.index(), ranks_in(part));
    }
}

}  // namespace launch
