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
    gate_.open(StartGate::Lock::word);  // this is it
    stop_.request_stop();
    const auto* own = assignment_->part_at(self_);
    start_ranks(own != nullptr ? own->number + 1 : 0,
                own != nullptr ? own->runs : std::vector<RankRun>());
    for (const auto& child : children_)
        if (child->takes_part()) assign_to(*child);
    open_peers();
    open_input();
}

void Node::lose(const std::vector<AssignmentMessage::Part>& parts) {
    for (const auto& part : parts)
        lose_ranks(part.node, {{}, {part}});
}

/// They are part of the job, and with nobody who lives.
void Node::lose_ranks(NodeIndex node, const AssignmentMessage& part) {
    modex_->add_child(node, runs_of(part));
    modex_->lose_child(node, ranks_in(part));
}

void Node::assign_to(Child& child) {
    auto part = assignment_->part_of(child.index(), child.block().size());
    // Whom it lost while it started has another parent, perhaps this node.
    std::erase_if(part.parts, [&](const auto& one) { return !child.had(one.node); });
    child.assign(part);
    if (!child.ended()) {
        add_ranks_of(child, runs_of(part));
    } else if (!part.parts.empty()) {
        lose_ranks(child.index(), part);  // the head did not know yet
    }
}

}  // namespace launch
