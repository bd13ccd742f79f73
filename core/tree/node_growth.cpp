// SPDX-License-Identifier: MIT
// How a tree that runs gets larger and smaller; see core/tree/growth.hpp.

#include <algorithm>

#include "core/async/wait_limit.hpp"
#include "core/link/patience.hpp"
#include "core/tree/growth.hpp"
#include "core/tree/node.hpp"

namespace launch {
namespace {

const std::string no_new_parent = "the host was lost, or found no new parent, when its parent left";

}  // namespace

void Node::grow(const GrowMessage& message) {
    const NodeIndex end = message.first + message.count();
    tree_nodes_ = std::max(tree_nodes_, end);
    reports_.widen(end - self_);
    if (is_ending()) return;
    for (NodeIndex i = 0; i < message.count(); ++i)
        joined_[message.first + i] = message.hosts[i];
    start_joined({message.first, message.hosts, 0});
}

void Node::start_joined(const Block& block) {
    drop_ended();
    if (stop_.stop_requested()) {
        stop_ = std::stop_source();
        context_.stop = stop_.get_token();
    }
    place_joined(block);
}

/// A node whose reports have passed here has run, and may run elsewhere: another relay in its place
/// would start its ranks again.
void Node::restart_left_behind(const Child& gone) {
    const auto joined = parts_within(below_.nodes_of(gone.id()), joined_range());
    const auto is_unheard_of = [this](NodeIndex node) {
        return reports_.had(node, ReportClass::control) == 0;
    };
    for (const NodeRange& nodes : nodes_that(joined, is_unheard_of)) {
        const auto block = joined_block(nodes, generations_.least(nodes.first));
        if (!block || is_ending()) continue;
        below_.release(gone.id(), block->range());
        context_.user->nodes_left(block->range(), gone.index(), gone.view_with_lost().nodes);
        start_joined(*block);
    }
    if (!below_.nodes_of(gone.id()).empty() && !is_ending()) lose_rest_of(gone, no_new_parent);
}

NodeRange Node::joined_range() const {
    return {settings_.tree.nodes + 1, UINT32_MAX - settings_.tree.nodes - 1};
}

/// As many children as a node at the top of such a tree has.
size_t Node::degree() const {
    const Topology& topology = goes_over() ? *settings_.routing : settings_.topology;
    std::vector<NodeIndex> starts;
    topology.children(0, tree_nodes_, starts);
    return starts.size();
}

/// Hands hosts that joined on to children. This node's own machine is not handed on, because no
/// other node can start a relay there.
void Node::place_joined(const Block& block) {
    NodeIndex begin = 0;
    for (NodeIndex i = 0; i < block.size(); ++i) {
        if (!context_.transport.is_own(block.hosts[i])) continue;
        if (begin < i) hand_on(block.slice(begin, i));
        if (links_) listen();
        start_blocks(block.slice(i, i + 1), {0});
        begin = i + 1;
    }
    if (begin < block.size()) hand_on(block.slice(begin, block.size()));
}

/// Deals the block among new children and those children that can take some of it. A child that is
/// away may be lost, and a child that leaves takes no nodes with it. A child with a larger number
/// cannot take the block, because a node's number is larger than those of all nodes above it (see
/// is_below()) and the head uses the number of a node that never ran again.
void Node::hand_on(const Block& block) {
    std::vector<Child*> takers;
    std::vector<NodeIndex> sizes;
    size_t living = 0;
    for (const auto& child : children_) {
        living += child->lives() ? 1U : 0U;
        if (!child->is_linked() || parting_.contains(child->id())) continue;
        if (child->index() > block.first) continue;
        takers.push_back(child.get());
        sizes.push_back(below_.count(child->id()));
    }
    const size_t most = degree();
    const auto shares = deal_growth(sizes, most > living ? most - living : 0, block.size());
    NodeIndex next = block.first;
    for (size_t i = 0; i < takers.size(); ++i) {
        if (shares.of_children[i] == 0) continue;
        const Block part = block.part(next, shares.of_children[i]);
        next += part.size();
        below_.give(takers[i]->id(), part.range());
        branches_.give(branch_of(*takers[i]), part.range());
        takers[i]->grow({part.first, part.hosts});
        context_.user->nodes_came(takers[i]->view_with_lost(), {part.range()});
    }
    if (shares.of_new.empty()) return;
    const Block part = block.part(next, block.size() - (next - block.first));
    std::vector<NodeIndex> starts;
    NodeIndex start = 0;
    for (const NodeIndex share : shares.of_new) {
        starts.push_back(start);
        start += share;
    }
    if (links_) listen();
    start_blocks(part, starts);
}

/// Forgets children that have ended, so that a tree that hosts join and leave for a long time does
/// not grow. With --stats they are kept, because statistics are reported at the end.
void Node::drop_ended() {
    if (settings_.tree.policies.stats) return;
    std::erase_if(children_, [this](const auto& child) {
        return child->ended() && !parting_.contains(child->id());
    });
}

/// Forgets nodes that joined and are gone, except where they were: their numbers are not used
/// again.
void Node::forget(NodeRange nodes) {
    erase_nodes(ordered_out_, nodes);
    for (const NodeRange& joined : parts_within({nodes}, joined_range())) {
        erase_nodes(joined_, joined);
        if (routing_) routing_->gather.forget(joined);
        if (links_) links_->forget(joined);
    }
}

void Node::have_left(const Child& child, const NodesMessage& nodes) {
    for (const NodeIndex node : nodes.nodes)
        if (below_.last_owner(node) == child.id()) forget({node, 1});
}

/// A node that never ran is below no child, and is not lost with the relay that was to start it; if
/// it joined the tree, another parent may have it. `through` as in lost().
void Node::not_started(NodeIndex node, std::optional<SubtreeMap::ChildId> through) {
    if (!has_joined(node) && reports_.had(node, ReportClass::control) > 0) return;
    const auto owner = below_.owner(node);
    Child* const child = child_of(owner);
    // A host that could not be started is tried again under its number.
    if (child != nullptr && child->index() == node && child->has_come()) return;
    if (owner) below_.release(*owner, {node, 1});
    joined_.erase(node);
    if (child != nullptr) child->subtree_changed();
    if (child != nullptr && through && owner != through) child->tell_released(node);
}

/// The nodes that joined and are still here, beginning with the first of these; nothing: none is.
std::optional<Block> Node::joined_block(NodeRange nodes, uint32_t generation) const {
    Block block{nodes.first, {}, generation};
    auto at = joined_.find(nodes.first);
    for (NodeIndex i = 0; i < nodes.count; ++i, ++at) {
        if (at == joined_.end() || at->first != nodes.first + i) break;
        block.hosts.push_back(at->second);
    }
    if (block.hosts.empty()) return std::nullopt;
    return block;
}

bool Node::begin_removal(std::string_view body) {
    const auto message = RemoveMessage::decode(body);
    if (!message) return false;
    for (const NodeIndex node : message->nodes) {
        Child* const child = child_at(node);
        if (!message->now) {
            ordered_out_.insert(node);
            below_.lose({node, 1});
            joined_.erase(node);
        }
        // The nodes that the routing tree has below one that never came may still come here.
        const bool is_missed = child != nullptr && child->state() == ChildState::expected;
        if (child == nullptr || is_missed || (message->now && child->has_come())) continue;
        if (!child->has_come()) child->close();  // at once: no job that begins counts on it
        if (parting_.insert(child->id()).second) tasks_.spawn(let_leave(*child, std::nullopt));
    }
    for (const auto& child : children_)
        child->subtree_changed();
    context_.user->nodes_gone();
    return true;
}

/// Dismisses a child when the nodes below it have come here, or left too. So no node loses its
/// parent before it was sent to look for another. `loss`: of a child that has given itself up. It
/// is reported again, as the child's own report may be lost with a link, and nobody repeats that
/// one when the child has gone.
awaitable<void> Node::let_leave(Child& child, std::optional<FailureMessage> loss) {
    const NodeIndex node = child.index();
    WaitLimit wait(patience::come_back);
    while (child.has_come() && child.lives() && !child.released() && !wait.over())
        co_await wait.wait(changed_);
    if (child.has_come()) lose_rest_of(child, no_new_parent);
    child.dismiss();
    WaitLimit leaving(patience::leave_head);
    while (child.has_come() && !child.ended() && !leaving.over())
        co_await leaving.wait(changed_);
    if (!child.ended()) child.close();
    parting_.erase(child.id());
    forget({node, 1});
    loss ? upstream_.failure(*loss) : upstream_.left({{node}});
}

/// Reports all nodes below a child that ends as lost. They end by themselves, as nobody takes them
/// any more.
void Node::lose_rest_of(const Child& child, const std::string& cause) {
    const auto nodes = child.all_below();
    if (nodes.empty()) return;
    FailureMessage failure;
    failure.node = nodes.front().first;
    failure.was_up = true;
    failure.below = parts_within(nodes, {failure.node + 1, UINT32_MAX - failure.node});
    failure.generation = latest_generation(nodes);
    failure.error = {ErrorKind::unreachable, "run", {}, -1, cause, {}};
    lost(failure, std::nullopt);
    upstream_.failure(failure);
    context_.user->child_lost({child.index(), nodes});
    context_.user->nodes_gone();
}

awaitable<void> Node::part_from_children() {
    const auto some_leave = [this] {
        return std::any_of(children_.begin(), children_.end(), [this](const auto& child) {
            return parting_.contains(child->id()) && !child->ended();
        });
    };
    WaitLimit wait(patience::come_back);
    while (some_leave() && !is_ending() && !wait.over())
        co_await wait.wait(changed_);
    leave_children();
}

}  // namespace launch
