// SPDX-License-Identifier: MIT
// How a node comes from the tree of the start to its place in the routing tree; see Routing.

#include <algorithm>

#include "core/link/patience.hpp"
#include "core/tree/node.hpp"

namespace launch {
/// How many children this node has in the routing tree if all hosts run, which is not known yet.
size_t Node::route_children() const {
    if (settings_.routing == nullptr || has_joined()) return 0;
    std::vector<NodeIndex> children;
    settings_.routing->children(self_, settings_.tree.nodes + 1, children);
    return children.size();
}

void Node::open_routing() {
    listen();
    routing_ = std::make_unique<Routing>(self_, block_.size(), tree_nodes_);
    const auto& contacts = context_.contacts;
    ContactGather& gather = routing_->gather;
    if (contacts.size() == 1) {
        gather.missing({self_, 1});  // by which address the head is reached its children tell
        return;
    }
    Contact own = own_contact();
    own.address = address_;
    gather.add({std::move(own)});
    if (contacts[1].node == 0) gather.add({{0, contacts[1].address, 0}});
    tell_missing();
}

Contact Node::own_contact() const {
    Contact own = context_.contacts.front();
    if (links_) own.public_key = links_->public_key();
    return own;
}

/// A child may tell the contacts of nodes below it and of no others, and the address by which the
/// head is reached.
bool Node::contacts_came(const Child& child, const ContactsMessage& message) {
    if (!routing_) return false;
    std::vector<Contact> contacts;
    std::vector<Contact> joined;
    for (const Contact& contact : message.contacts) {
        if (contact.node == 0) contacts.push_back({0, contact.address, 0});
        if (below_.last_owner(contact.node) != child.id()) continue;
        const bool is_of_start = !has_joined(contact.node);
        if (!is_of_start && below_.is_lost(contact.node)) continue;  // see forget()
        contacts.push_back(contact);
        if (!is_of_start) joined.push_back(contact);
    }
    // A node that joined the tree may call here when the nodes between have died: then it is known
    // by its contact.
    if (!joined.empty()) links_->know_joined(joined);
    routing_->gather.add(contacts);
    send_contacts();
    return true;
}

void Node::settle(const FailureMessage& failure) {
    for (const NodeRange& range : failure.nodes())
        add_missing(range);
    tell_missing();
}

/// Contacts are waited for only from the block that this node was started with: no other node's is
/// ever missing.
void Node::add_missing(NodeRange nodes) {
    for (const NodeRange& part : parts_within({nodes}, block_.range()))
        missing_.push_back(part);
}

/// Tells of each missing node once, so that where a thousand fail one by one not each report goes
/// through all those that failed before.
void Node::tell_missing() {
    if (!routing_) return;
    for (const NodeRange& nodes : std::exchange(missing_, {}))
        routing_->gather.missing(nodes);
    send_contacts();
}

void Node::send_contacts() {
    auto contacts = routing_->gather.take();
    if (!contacts.empty()) upstream_.contacts({std::move(contacts)});
}

void Node::new_parent(const std::vector<NodeRange>& told) {
    if (routing_) {
        const bool all = routing_->state == RouteState::of_start;
        routing_->gather.resend(all ? 0 : joined_range().first);
        send_contacts();
    }
    tell_gained(told);
}

/// Reports the nodes that came while this node asked for its place.
void Node::tell_gained(const std::vector<NodeRange>& told) {
    auto came = below();
    for (const NodeRange& range : told)
        came = parts_without(came, range);
    for (const auto& [first, count] : came)
        for (NodeIndex i = 0; i < count; ++i)
            if (const Child* child = child_above(first + i); child != nullptr && child->has_come())
                upstream_.gained({{{first + i, 1}}});
}

/// A child that came here has nodes below it that are not of its block: it has them from others, so
/// that who had them here before has them no more. It may count on some that are lost.
void Node::take_others(Child& child, const std::vector<NodeRange>& brought) {
    for (const NodeRange& range : brought)
        tell_lost(child, range);
    auto nodes = parts_without(brought, child.block().range());
    nodes.insert(nodes.begin(), {child.index(), 1});
    gain(child, nodes, nodes);
}

bool Node::set_routes(std::string_view body) {
    auto message = RoutesMessage::decode(body);
    if (!routing_ || routing_->table || !message) return false;
    // A relay in whose place another was started may still run, and call here for a place: its
    // generation is too low then.
    for (const RouteStop& stop : message->stops)
        if (stop.generation > 0) generations_.raise({stop.contact.node, 1}, stop.generation);
    const bool changes = settings_.routing != nullptr;
    if (changes && has_joined()) {
        join_routes(message->stops);
        return true;
    }
    const Topology& topology = changes ? *settings_.routing : settings_.topology;
    if (changes && !message->has(self_)) {
        routing_->step(RouteEvent::not_in_table);
        return true;
    }
    routing_->table = RouteTable::make(topology, self_, tree_nodes_, std::move(*message));
    // where the tree stays as it is, a host without ranks has no table
    if (!routing_->table && changes) return false;
    if (routing_->table) links_->know(routing_->table->contacts());
    if (changes)
        go_over();
    else
        open_peers();
    return true;
}

void Node::stay_as_started() {
    if (routing_) routing_->step(RouteEvent::given_up);
}

/// A node that joined the tree after the start keeps its place below the node that started it, and
/// is not in the table. It gets to know the nodes to which it may go when those above it have died,
/// and these know it by its contact, which has gone up through all of them.
void Node::join_routes(const std::vector<RouteStop>& stops) {
    std::vector<Contact> contacts;
    for (const RouteStop& stop : stops)
        contacts.push_back(stop.contact);
    links_->know(contacts);
    routing_->step(RouteEvent::stays_below);
}

/// This node's children are those of the routing tree from now on. A child in both trees keeps its
/// link.
void Node::go_over() {
    const RouteTable& table = *routing_->table;
    routing_->step(RouteEvent::table_came);
    stop_.request_stop();  // no host is started any more
    reports_.widen(table.block().size());
    set_ancestors(table.ancestors());
    for (const auto& child : children_)
        if (!child->ended() && !table.is_child(child->index())) retire(*child);
    for (const Block& block : table.children()) {
        if (Child* const known = child_at(block.first)) {
            reroute(*known, block);
            continue;
        }
        Child& child = add_child(block);
        child.expect(Child::Origin::routing_tree);
        reroute(child, block);
        tasks_.spawn(run_child(child));
    }
    set_window(running_children_);
    if (self_ == 0) place_confirmed();
    context_.user->nodes_gone();
}

void Node::place_confirmed() {
    if (routing_) routing_->step(RouteEvent::place_found);
    for (const auto& child : children_)
        child->subtree_changed();
    ask_again();
}

void Node::retire(Child& child) {
    below_.release_all(child.id());
    child.retire();
}

/// Gives the child its block of the routing tree, except the nodes that do not run.
void Node::reroute(Child& child, const Block& block) {
    below_.release_all(child.id());
    below_.give(child.id(), block.range());
    release_absent(child, block.range());
    child.reroute(block);
}

/// Waits until this node has its place in the routing tree, and lets the asker know that it does.
/// False: this node gets no place, or the asker has hung up.
awaitable<bool> Node::wait_for_place(Child::Link asker) {
    auto next = Clock::now() + patience::hold;
    while (!has_place() && !asker->closed() && door_ != Door::shut) {
        co_await changed_.wait_until(next);
        if (Clock::now() < next) continue;
        asker->send(FrameType::ping, PingMessage{true, {}}.encode());
        next += patience::hold;
    }
    co_return has_place() && !asker->closed();
}

/// A child asks for its place in the routing tree over the link that it has: that tree has it below
/// this node as well, or it can reach no other node that may take it.
bool Node::asks_to_stay(Child& child, const AttachMessage& message) {
    if (!may_go_over()) return false;
    tasks_.spawn(let_stay(child.id(), child.link(), message));
    return true;
}

/// By the child's id, as the child may be gone by the time that this node has a place itself.
awaitable<void> Node::let_stay(SubtreeMap::ChildId asker, Child::Link link, AttachMessage message) {
    const bool placed = co_await wait_for_place(std::move(link));
    const auto at = std::find_if(children_.begin(), children_.end(), [asker](const auto& child) {
        return child->id() == asker && !child->ended();
    });
    if (!placed || at == children_.end() || message.node != (*at)->index()) co_return;
    Child& child = **at;
    const bool replaced = message.generation < generations_.least(message.node);
    if (replaced || below_.is_lost(message.node)) co_return child.dismiss();
    if (child.state() == ChildState::retired) {
        auto block = routing_->table->block_below(*settings_.routing, message.node);
        if (!block || !child.stay_on(std::move(*block))) co_return;
        const auto brought = brought_by(child, message);
        gain(child, brought, brought);
    }
    child.confirm_place(message);
}

/// Puts the nodes below that child, which has them by its report. If they were below another child
/// of this node, that child gets a message, and no node above has to know. A node that has come to
/// this one by itself meanwhile stays its child.
void Node::gain(Child& child, const std::vector<NodeRange>& nodes,
                const std::vector<NodeRange>& report) {
    for (const auto& [first, count] : report)
        reports_.widen(first + count - self_);
    std::vector<NodeRange> came;
    bool is_new = false;
    for (const NodeRange& range : moving_with(nodes))
        for (const auto& [above, part] : by_child(range)) {
            if (above == &child) continue;
            if (came_by_itself(above, report)) continue;
            if (above == nullptr) {
                below_.give(child.id(), part);
                tell_lost(child, part);
            } else {
                move_nodes(*above, child, part);
            }
            came.push_back(part);
            is_new = is_new || above == nullptr;
        }
    tell_who_is_elsewhere(child, nodes, report);
    if (came.empty()) return;
    for (const NodeRange& range : nodes)
        release_absent(child, range);
    // Told at once: each node above knows by the first node which of the others come with it
    // (moving_with()).
    if (is_new) upstream_.gained({nodes});
    changed_.notify();
    context_.user->nodes_came(child.view_with_lost(), came);
}

/// The range in stretches, each below one child of this node, or below none (null).
std::vector<std::pair<Child*, NodeRange>> Node::by_child(NodeRange nodes) {
    std::vector<std::pair<Child*, NodeRange>> stretches;
    for (NodeIndex i = 0; i < nodes.count; ++i) {
        Child* const above = child_above(nodes.first + i);
        if (!stretches.empty() && stretches.back().first == above)
            ++stretches.back().second.count;
        else
            stretches.emplace_back(above, NodeRange{nodes.first + i, 1});
    }
    return stretches;
}

/// The child is one of those that another child says are below that one, but it has come here, and
/// has not lost its link since.
bool Node::came_by_itself(const Child* child, const std::vector<NodeRange>& nodes) {
    return child != nullptr && child->has_come() && child->state() != ChildState::away &&
           !parts_within(nodes, {child->index(), 1}).empty();
}

/// Tells the child which of the nodes that it believes below it have found a place elsewhere: in
/// the routing tree, or here, where they came by themselves, with those that they took along. One
/// by one, as each may be below another child there.
void Node::tell_who_is_elsewhere(Child& child, const std::vector<NodeRange>& brought,
                                 const std::vector<NodeRange>& report) {
    for (const auto& [first, count] : brought)
        for (NodeIndex i = 0; i < count; ++i) {
            const auto owner = below_.owner(first + i);
            if (!owner || *owner == child.id()) continue;
            const bool has_place = goes_over() && routing_->has_place(first + i);
            if (has_place || came_by_itself(child_of(owner), report))
                child.tell_released(first + i);
        }
}

void Node::move_nodes(Child& above, const Child& child, NodeRange nodes) {
    below_.move(above.id(), child.id(), nodes);
    above.subtree_changed();
    above.tell_released({{nodes}});
    context_.user->nodes_left(nodes, above.index(), above.view_with_lost().nodes);
}

std::vector<NodeRange> Node::moving_with(const std::vector<NodeRange>& nodes) const {
    return goes_over() ? routing_->moving_with(nodes) : nodes;
}

/// The node has its place below the child by way of which its word came, or, where it was believed
/// elsewhere, below the child that has its parent: that one may have come here since.
void Node::placed(Child& child, const RoutedMessage& routed) {
    const NodeIndex node = routed.node;
    if (!goes_over() || !routing_->set_place(node)) return;
    if (is_lost(node) || below_.owner(node) == child.id()) return;
    Child* const with_parent = child_above(routed.parent);
    gain(with_parent != nullptr ? *with_parent : child, {{node, 1}}, {{node, 1}});
}

/// Some of these nodes may have come elsewhere since, which the child has not heard yet: its report
/// is not true of them any more. Where the first has, nobody knows whether the others went with it:
/// they stay where they are believed, and the child hears that. A node that is below the child all
/// the same says so again when it hears that (RelayRun::deny_move(), say_who_stays()).
bool Node::gained(Child& child, const MovedMessage& message) {
    if (!may_speak_for(child, message.nodes)) return false;
    const auto left = child.released_since(message.received);
    if (left.empty()) {
        gain(child, message.nodes, message.nodes);
        return true;
    }
    const auto has_left = [&left](NodeIndex node) {
        return std::binary_search(left.begin(), left.end(), node);
    };
    const auto others = nodes_that(message.nodes, [&](NodeIndex node) { return !has_left(node); });
    if (has_left(message.first()))
        contradict(child, others);
    else
        gain(child, others, message.nodes);
    return true;
}

/// Tells the child of each node that this node believes elsewhere, and puts those below it that are
/// below nobody.
void Node::contradict(Child& child, const std::vector<NodeRange>& nodes) {
    for (const auto& [first, count] : nodes)
        for (NodeIndex node = first; node - first < count; ++node) {
            const auto owner = below_.owner(node);
            if (owner || below_.is_lost(node)) {
                if (owner != child.id()) child.tell_released(node);
            } else {
                gain(child, {{node, 1}}, {{node, 1}});
            }
        }
}

/// Nodes that are not in the routing tree are below no child.
void Node::release_absent(const Child& child, NodeRange nodes) {
    if (!has_own_table()) return;
    for (const NodeIndex node : routing_->table->absent(nodes))
        if (!has_joined(node)) below_.release(child.id(), {node, 1});
}

}  // namespace launch
