// Which ranks are below which child, and what becomes of them when the tree changes.

#include <algorithm>

#include "core/run/node_job.hpp"

namespace launch {
namespace {

using NodeRanks = std::vector<std::vector<RankRun>>;

bool holds_rank(const std::vector<RankRun>& runs, uint32_t rank) {
    return std::any_of(runs.begin(), runs.end(), [rank](const RankRun& run) {
        if (rank < run.first) return false;
        const uint32_t offset = rank - run.first;
        return offset % run.stride == 0 && offset / run.stride < run.count;
    });
}

std::vector<uint32_t> numbers(const NodeRanks& nodes) {
    std::vector<uint32_t> ranks;
    for (const auto& runs : nodes)
        for_each_rank(runs, [&](uint32_t rank) { ranks.push_back(rank); });
    return ranks;
}

}  // namespace

NodeRanks NodeJob::ranks_of(NodeRange nodes) const {
    NodeRanks ranks(nodes.count);
    for (NodeIndex i = 0; i < nodes.count; ++i) {
        const uint64_t at = uint64_t{nodes.first} + i - place_.self;
        if (nodes.first + i >= place_.self && at < place_.ranks.size()) ranks[i] = place_.ranks[at];
    }
    return ranks;
}

NodeRanks NodeJob::ranks_in(const std::vector<NodeRange>& nodes) const {
    NodeRanks ranks;
    for (const NodeRange& range : nodes) {
        auto part = ranks_of(range);
        std::move(part.begin(), part.end(), std::back_inserter(ranks));
    }
    return ranks;
}

std::vector<uint32_t> NodeJob::ranks_of(const FailureMessage& failure) const {
    auto nodes = failure.below;
    nodes.push_back({failure.node, 1});
    return numbers(ranks_in(nodes));
}

void NodeJob::place(const AssignmentMessage& assignment) {
    for (const auto& part : assignment.parts) {
        if (part.node < place_.self || part.node >= tree_.size()) continue;
        const size_t at = part.node - place_.self;
        if (at >= place_.ranks.size()) place_.ranks.resize(at + 1);
        place_.ranks[at] = part.runs;
    }
}

void NodeJob::add_child(NodeIndex child, const NodeRanks& ranks) {
    modex_->add_child(child, ranks);
    if (reads_input(ranks)) input_.add(InputMerge::child_key(child));
}

bool NodeJob::reads_input(const NodeRanks& ranks) const {
    const StdinTarget& target = settings_.job.policies.stdin_target;
    if (target.kind != StdinTarget::Kind::rank) return target.kind == StdinTarget::Kind::all;
    return std::any_of(ranks.begin(), ranks.end(),
                       [&](const auto& runs) { return holds_rank(runs, target.rank); });
}

void NodeJob::assign(AssignmentMessage assignment) {
    assignment_ = std::move(assignment);
    place(*assignment_);
    gate_.open(StartGate::Lock::word);  // this is it
    tree_.stop_starting();
    const auto* own = assignment_->part_at(place_.self);
    start_ranks(own != nullptr ? own->number + 1 : 0,
                own != nullptr ? own->runs : std::vector<RankRun>());
    for (const ChildView& child : tree_.children()) {
        assign_to(child);
        add_child(child.child, ranks_in(child.nodes));
    }
    std::vector<AssignmentMessage::Part> lost;  // the head did not know yet
    std::copy_if(assignment_->parts.begin(), assignment_->parts.end(), std::back_inserter(lost),
                 [this](const auto& part) { return tree_.is_lost(part.node); });
    lose(lost);
    tree_.open_peers();
    open_input();
}

/// The nodes that are below it now: some may have found another parent, perhaps this node.
void NodeJob::assign_to(const ChildView& child) {
    AssignmentMessage message{assignment_->job, {}};
    for (const NodeRange& range : child.nodes) {
        auto part = assignment_->part_of(range.first, range.count);
        std::move(part.parts.begin(), part.parts.end(), std::back_inserter(message.parts));
    }
    tree_.send_child(child.child, FrameType::assignment, message.encode());
}

/// They are part of the job, and below nobody who lives.
void NodeJob::lose(const std::vector<AssignmentMessage::Part>& parts) {
    for (const auto& part : parts) {
        const NodeRanks ranks{part.runs};
        modex_->add_child(part.node, ranks);
        modex_->lose_child(part.node, numbers(ranks));
    }
}

void NodeJob::child_added(const ChildView& child) {
    if (!placed_late_) add_child(child.child, ranks_in(child.nodes));
}

/// Told at once: no fence may take those that are started in its place for gone.
void NodeJob::child_not_started(NodeIndex child) {
    if (!placed_late_) modex_->remove_child(child);
}

/// Standard input that was on its way there is lost: nobody below reads any more.
void NodeJob::child_came(const ChildView& child, NodeIndex above,
                         const std::vector<NodeRange>& others) {
    // The parent that it had may not have told it any more.
    if (assignment_) assign_to(child);
    if (placed()) modex_->split_child(above, child.child, ranks_in(child.nodes), ranks_in(others));
}

void NodeJob::nodes_left(NodeRange nodes, NodeIndex above, const std::vector<NodeRange>& others) {
    if (placed()) modex_->release_child(above, ranks_of(nodes), ranks_in(others));
}

void NodeJob::nodes_came(const ChildView& child) {
    if (placed()) modex_->widen_child(child.child, ranks_in(child.nodes));
}

void NodeJob::child_lost(const ChildView& child) {
    if (placed()) modex_->lose_child(child.child, numbers(ranks_in(child.nodes)));
}

void NodeJob::child_ended(NodeIndex child) {
    input_.refused(InputMerge::child_key(child));
}

}  // namespace launch
