// SPDX-License-Identifier: MIT
// Which ranks are below which child, and what becomes of them when the tree changes.

#include <algorithm>

#include "core/job/rank_list.hpp"
#include "core/run/node_job.hpp"

namespace launch {
namespace {

using NodeRanks = std::vector<std::vector<RankRun>>;

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
        const uint64_t at = uint64_t{nodes.first} + i - here_.self;
        if (nodes.first + i >= here_.self && at < placed_ranks_.size())
            ranks[i] = placed_ranks_[at];
    }
    return ranks;
}

bool NodeJob::runs(NodeIndex node, uint32_t rank) const {
    if (node < here_.self || node - here_.self >= placed_ranks_.size()) return false;
    return has_rank(placed_ranks_[node - here_.self], rank);
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

void NodeJob::add_child(NodeIndex child, const NodeRanks& ranks) {
    modex_->add_child(child, ranks);
    if (reads_input(ranks)) input_.add_child(InputMerge::child_key(child));
}

bool NodeJob::reads_input(const NodeRanks& ranks) const {
    const StdinTarget& target = job_.policies.stdin_target;
    if (target.kind == StdinTarget::Kind::none) return false;
    const bool by_all = target.kind == StdinTarget::Kind::all;
    return std::any_of(ranks.begin(), ranks.end(), [&](const auto& runs) {
        return by_all ? !runs.empty() : has_rank(runs, target.rank);
    });
}

bool NodeJob::deal(AssignmentMessage assignment) {
    assignment.nodes = {{here_.self, tree_.size() - here_.self}};
    assignment.joined = tree_.size();
    return assign(std::move(assignment));
}

/// A new parent sends again the part that this node has, and the parent sends more when nodes come
/// below this one.
bool NodeJob::assign(AssignmentMessage told) {
    const auto placement = JobPlacement::decode(told.job);
    if (!placement || !placement->is_of(job_)) return false;
    if (assignment_) told = told.without(*assignment_);
    const auto more = told.nodes;
    if (!more.empty() || !assignment_) note_ranks(std::move(told));
    if (!placed()) {
        place_when_known();
        return true;
    }
    for (const ChildView& child : tree_.all_children())
        nodes_came(child, parts_within(child.nodes, more));
    ask_for_input();
    input_.tell_again();  // the parent may wait for it
    return true;
}

void NodeJob::note_ranks(AssignmentMessage told) {
    for (const auto& part : told.parts) {
        if (part.node < here_.self || part.node >= tree_.size()) continue;
        const size_t at = part.node - here_.self;
        if (at >= placed_ranks_.size()) placed_ranks_.resize(at + 1);
        placed_ranks_[at] = part.runs;
    }
    if (assignment_) {
        AssignmentMessage known = *assignment_;
        known.add(told);
        told = std::move(known);
    }
    assignment_ = std::make_shared<const AssignmentMessage>(std::move(told));
}

/// Ranks that are placed late leave out nodes that are still starting; but not below a node that
/// joined, because it learns where ranks are before it has started any node.
std::vector<ChildView> NodeJob::children_with_ranks() const {
    const bool leaves_out = job_.placed_late && !tree_.has_joined();
    return leaves_out ? tree_.children() : tree_.all_children();
}

bool NodeJob::knows_all_ranks() const {
    if (!assignment_ || !assignment_->covers(here_.self)) return false;
    for (const ChildView& child : children_with_ranks())
        for (const NodeRange& range : child.nodes)
            for (NodeIndex i = 0; i < range.count; ++i)
                if (!assignment_->covers(range.first + i)) return false;
    return true;
}

/// The ranks here wait until those of all nodes below are known, because a fence that ends here
/// without them would miss them. The parent may believe some of these nodes elsewhere, and sends
/// their part when it hears that they are here.
void NodeJob::place_when_known() {
    if (placed() || no_survey_.stop_requested() || !knows_all_ranks()) return;
    JobPlacement::decode(assignment_->job)->apply_to(job_);
    if (job_.placed_late) {
        gate_.open(StartGate::Lock::word);  // this is it
        if (!is_guest() && !tree_.has_joined()) tree_.stop_starting();
        upstream_.placed_late();
    } else if (word_) {
        job_.may_leave_wdir = *word_;  // start_ranks overtook the assignment
    } else if (job_.starts_together())
        gate_.close(StartGate::Lock::word);
    const auto* own = assignment_->part_at(here_.self);
    if (own != nullptr) look_first();
    if (own != nullptr)
        start_ranks(own->host, own->runs);
    else
        modex_->start(0, {}, !here_.remote);
    for (const ChildView& child : children_with_ranks()) {
        const std::string part = assignment_->part_of(child.nodes).encode();
        tree_.send_child(child.child, FrameType::assignment, of_job(part));
        add_child(child.child, ranks_in(child.nodes));
    }
    if (job_.placed_late) {
        leave_out_the_lost();
        tree_.open_peers();
    }
    for (const Said& said : std::exchange(said_early_, {})) {
        if (said.child)
            from_child(*said.child, said.type, said.body);
        else
            from_parent(said.type, said.body);
    }
    ask_for_input();
}

/// The head did not know of them yet.
void NodeJob::leave_out_the_lost() {
    std::vector<AssignmentMessage::Part> lost;
    std::copy_if(assignment_->parts.begin(), assignment_->parts.end(), std::back_inserter(lost),
                 [this](const auto& part) { return tree_.is_lost(part.node); });
    lose(lost);
}

/// Sends a node the messages that it needs before anything else of the job. They are made when the
/// node is there: many may still be starting.
void NodeJob::begin_at(const ChildView& child) {
    const auto start = [number = number_, job = job_text_,
                        assignment = placed() ? assignment_ : nullptr, nodes = child.nodes,
                        told = false]() mutable {
        std::optional<std::string> message;
        if (std::exchange(told, true)) return message;
        const std::string part = assignment ? assignment->part_of(nodes).encode() : std::string();
        message = wrap_job(number, JobStart{*job, part}.encode());
        return message;
    };
    tree_.send_child(child.child, FrameType::job, MessageSource(start));
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
    begin_at(child);
    if (placed()) add_child(child.child, ranks_in(child.nodes));
}

/// Removes the child at once, so that no fence counts the nodes that are started instead of it as
/// gone.
void NodeJob::child_not_started(NodeIndex child) {
    if (placed()) modex_->remove_child(child);
}

/// Begins the job at the child, moves its ranks below it, and gives it input from the position that
/// it reports.
void NodeJob::child_came(const ChildView& child, NodeIndex above,
                         const std::vector<NodeRange>& others) {
    forget_said_early(child.child);
    begin_at(child);  // the parent that it had may not have told it any more
    if (!placed()) return;
    const auto ranks = ranks_in(child.nodes);
    modex_->split_child(above, child.child, ranks, ranks_in(others));
    if (reads_input(ranks))
        input_.add_child_from(InputMerge::child_key(child.child), InputMerge::child_key(above));
}

void NodeJob::nodes_left(NodeRange nodes, NodeIndex above, const std::vector<NodeRange>& others) {
    if (placed()) modex_->release_child(above, ranks_of(nodes), ranks_in(others));
    lose_surveyed({nodes});
}

void NodeJob::nodes_came(const ChildView& child, const std::vector<NodeRange>& came) {
    if (!placed()) return;
    const auto part = assignment_->part_of(came);
    if (part.nodes.empty()) return;
    tree_.send_child(child.child, FrameType::assignment, of_job(part.encode()));
    modex_->widen_child(child.child, ranks_in(child.nodes));
    const auto key = InputMerge::child_key(child.child);
    if (reads_input(ranks_in(came)) && !input_.knows(key)) input_.add_child(key);
}

void NodeJob::child_lost(const ChildView& child) {
    if (placed()) modex_->lose_child(child.child, numbers(ranks_in(child.nodes)));
    lose_surveyed(child.nodes);
}

/// Nobody below it reads any more, unless it has come back as another child.
void NodeJob::child_ended(NodeIndex child) {
    const auto here = tree_.child_indices();
    if (std::find(here.begin(), here.end(), child) != here.end()) return;
    input_.refused(InputMerge::child_key(child));
    forget_said_early(child);
}

}  // namespace launch
