// SPDX-License-Identifier: MIT
// How nodes below this one come to it over links of their own, and which nodes it takes for lost or
// gone elsewhere.

#include <algorithm>

#include "core/link/patience.hpp"
#include "core/process/usage.hpp"
#include "core/tree/node.hpp"

namespace launch {

/// The nodes below this one, with those that were lost there. As long as it never had a child, this
/// node has still to start its block. No range has both nodes of the start and nodes that joined,
/// because not the same children may speak for them.
std::vector<NodeRange> Node::below() const {
    if (last_child_ == 0 && !has_own_table())
        return parts_within({block_.range()}, {self_ + 1, UINT32_MAX});
    auto nodes = parts_within(below_.all(), start_range());
    for (const NodeRange& range : parts_within(below_.all(), joined_range()))
        nodes.push_back(range);
    return nodes;
}

/// A node dials those above it; one with children listens, too. Where no direct link can be had the
/// transport's streams carry everything, so that is no failure here: a node that must have a direct
/// link reports it (see DirectMove).
void Node::open_links(size_t children, const std::vector<Contact>& ancestors, NodeKey key) {
    context_.contacts.push_back({self_, {}, 0});
    context_.contacts.insert(context_.contacts.end(), ancestors.begin(), ancestors.end());
    const LinkPolicy& policy = settings_.tree.policies.links;
    if (policy.choice == LinkChoice::spawn || (children == 0 && ancestors.empty())) return;
    const size_t callers = children + route_children();
    const bool this_machine = settings_.tree.is_local();
    key.lineage.push_back(block_.range());
    context_.lineage = key.lineage;
    DirectLinkSettings settings{self_,
                                settings_.tree.id,
                                std::move(key),
                                settings_.tree.link_key,
                                settings_.routing != nullptr,
                                policy.ports,
                                callers,
                                this_machine};
    links_ = settings_.make_links(executor_, std::move(settings),
                                  static_cast<DirectLinkHandler&>(*this));
    context_.links = links_.get();
    if (children > 0 || settings_.routing != nullptr) listen();
}

void Node::listen() {
    uint16_t& own_port = context_.contacts.front().port;
    if (own_port != 0) return;
    const auto port = links_->listen();
    if (port) own_port = *port;
    if (!port) upstream_.notice({self_, true, describe(port.error())});
}

Child* Node::child_at(NodeIndex index) {
    const auto at = std::find_if(children_.begin(), children_.end(), [index](const auto& child) {
        return child->index() == index && child->lives();
    });
    return at == children_.end() ? nullptr : at->get();
}

/// The child in whose subtree a node is now; null where that child has ended, or the node is lost.
Child* Node::child_above(NodeIndex node) {
    return child_of(below_.owner(node));
}

/// Null: the child has ended, or no id is given.
Child* Node::child_of(std::optional<SubtreeMap::ChildId> id) {
    const auto at = std::lower_bound(
        children_.begin(), children_.end(), id,
        [](const auto& child, const auto& wanted) { return child->id() < wanted; });
    const bool is_there = at != children_.end() && id == (*at)->id() && (*at)->lives();
    return is_there ? at->get() : nullptr;
}

/// A node that was given up stays lost. Its relay may only have been frozen, and may have come
/// here, like one that has lost its parent, before this node learns of the loss, or of another
/// relay that was started in its place. Then it is cut off, or dismissed. One that gives itself up
/// leaves like one that is removed.
void Node::lost(const FailureMessage& failure, std::optional<SubtreeMap::ChildId> through) {
    for (const NodeRange& range : failure.nodes()) {
        const auto before = by_child(range);
        below_.lose(range);
        forget(range);
        for (const auto& [above, part] : before)
            if (through && above != nullptr && above->id() != *through) tell_lost(*above, part);
    }
    for (const NodeRange& range : failure.restarted)
        for (const NodeRange& part : generations_.up_to(range, failure.restarted_as)) {
            generations_.raise(part, failure.restarted_as);
            if (through) give_restarted(*through, part);
        }
    for (const auto& child : children_) {
        child->subtree_changed();
        const bool gives_up = through == child->id() && failure.node == child->index();
        if (gives_up && child->is_linked() && parting_.insert(child->id()).second)
            tasks_.spawn(let_leave(*child, failure.only([&](NodeRange range) {
                return parts_within({range}, {failure.node, 1});
            })));
        if (!child->came_here() || !child->has_come() || !child->lives()) continue;
        if (parting_.contains(child->id())) continue;  // it leaves as ordered: let_leave()
        const bool fenced = child->had(child->index()) && !below_.owner(child->index());
        if (fenced && child->state() != ChildState::closing) {
            context_.user->child_lost(child->view_with_lost());
            child->close();
            // It may have adopted nodes since it came here, which the report of its loss does not
            // name.
            lose_rest_of(*child, "its parent in the tree was lost");
        }
        if (is_replaced(*child)) child->dismiss();
    }
}

/// The child believes that these nodes are below it, and would wait for those of them that are
/// lost: the loss was reported another way. One by one, as each may be below another child there.
/// The head has them leave, because jobs of a session are placed on their hosts as other nodes.
void Node::tell_lost(Child& child, NodeRange nodes) {
    RemoveMessage given_up{{}, true};
    for (NodeIndex node = nodes.first; node - nodes.first < nodes.count; ++node) {
        // One that leaves in order keeps its children until they have another parent.
        if (!below_.is_lost(node) || ordered_out_.contains(node)) continue;
        given_up.nodes.push_back(node);
        if (node != child.index()) child.tell_released(node);
    }
    const bool is_head = self_ == 0 && !broadcasts_.has(FrameType::finish);
    if (is_head && !given_up.nodes.empty()) broadcast(FrameType::remove, given_up.encode());
}

/// The report that nodes were started anew below a child may come later than these nodes, which may
/// have found other parents since. A node that is below another child stays there, unless that
/// child is lost or another relay was started in its place; and the child that forwarded the report
/// gets a message that the node is elsewhere. A node that is below no child here stays so: a child
/// that comes here brings the nodes below it itself, and only repeats such a report.
void Node::give_restarted(SubtreeMap::ChildId through, NodeRange nodes) {
    for (NodeIndex node = nodes.first; node - nodes.first < nodes.count; ++node) {
        const Child* const owner = child_above(node);
        const bool is_here =
            owner != nullptr && below_.owner(owner->index()) == owner->id() && !is_replaced(*owner);
        Child* const teller = child_of(through);
        if (is_here && owner != teller && teller != nullptr) teller->tell_released(node);
        if (!is_here && below_.owner(node)) below_.give(through, {node, 1});
    }
}

bool Node::wants_link(const DirectCall& call) {
    const NodeIndex from = call.from;
    if (call.purpose == LinkPurpose::peer)
        return peers_ ? peers_->wants(from) : waits_for_peer(from);
    if (!comes_along_its_branch(call)) return false;
    // The caller may know of the routing tree, and of its place here, before this node does.
    if (call.purpose == LinkPurpose::attach)
        return door_ != Door::shut && (child_above(from) != nullptr || may_go_over());
    const Child* child = child_at(from);
    return child != nullptr && child->wants_direct_link();
}

void Node::direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) {
    if (!wants_link(call)) return;
    if (call.purpose == LinkPurpose::peer) return peer_connected(call.from, std::move(stream));
    if (call.purpose == LinkPurpose::attach) {
        tasks_.spawn(receive(call, std::make_shared<FramedLink>(executor_, std::move(stream))));
    } else {
        child_at(call.from)->offer(std::move(stream));
    }
}

/// A node calls that has lost its parent, which may have been this node, or that has another one in
/// the routing tree. It says who it is, and is attached, adopted or sent away.
awaitable<void> Node::receive(DirectCall call, Child::Link link) {
    const auto message = co_await receive_attach(executor_, link, call.from, patience::attach);
    if (!message || claims_more(call, *message) || !wants_link(call)) {
        link->close();
        co_return;
    }
    tasks_.spawn(write_to_end(link));
    link->send_magic();
    if (message->generation < generations_.least(call.from))
        co_return co_await send_on(std::move(link), FrameType::dismissed, {});
    const BroadcastLog::Entry* const missed = broadcasts_.after(message->heard);
    if (goes_over() && !message->rerouted && missed != nullptr)
        co_return co_await send_on(std::move(link), missed->type, missed->payload);
    const bool placed = !message->rerouted || co_await wait_for_place(link);
    if (!placed || !attach_or_adopt(link, *message)) {
        link->close();
        co_return;
    }
    changed_.notify();
}

bool Node::attach_or_adopt(Child::Link link, const AttachMessage& message) {
    if (child_above(message.node) == nullptr) return false;
    Child* const child = child_at(message.node);
    if (child == nullptr) return adopt(link, message);
    const bool is_new = child->state() == ChildState::expected;
    if (!child->attach(link, message)) return false;
    if (is_new) take_others(*child, brought_by(*child, message));
    return true;
}

/// Says one thing to a caller that gets no place here: that it is to leave, with the nodes that it
/// has started, as another relay was started in its place; or, where it does not know that yet,
/// that there is a routing tree.
awaitable<void> Node::send_on(Child::Link link, FrameType type, std::string payload) {
    link->send(type, payload);
    link->finish_writing();
    // The caller hangs up when it has read that.
    const auto frame = co_await receive_within(executor_, link, patience::attach);
    link->close();
}

/// The hosts of the caller's block, its own the first; nothing: it was not below the child `above`.
std::optional<Block> Node::block_of(const AttachMessage& message, const Child& above) const {
    if (has_joined(message.node))
        return joined_block({message.node, message.size}, message.generation);
    if (goes_over()) return routing_->table->block_below(*settings_.routing, message.node);
    if (!above.block().contains(message.node, message.size)) return std::nullopt;
    return above.block().part(message.node, message.size);
}

/// Makes a child of a node that was below another child of this node, which the caller has lost, or
/// which has no place in the routing tree yet.
bool Node::adopt(Child::Link link, const AttachMessage& message) {
    Child& above = *child_above(message.node);
    auto block = block_of(message, above);
    if (!block) return false;
    Child& child = add_child(std::move(*block));
    child.expect(Child::Origin::orphan);
    const auto brought = brought_by(child, message);
    const auto nodes = coming_from(above, brought);
    // `above` may have left for another parent, or be on its way there: then the nodes above
    // believe that these went along.
    const bool stays =
        below_.owner(above.index()) == above.id() && above.state() != ChildState::away;
    if (!stays && !below_.is_lost(above.index())) upstream_.gained({nodes});
    above.tell_released({nodes});
    for (const NodeRange& range : nodes)
        below_.move(above.id(), child.id(), range);
    child.attach(std::move(link), message);
    above.subtree_changed();
    tell_who_is_elsewhere(child, brought, brought);
    tell_who_has_left(child, brought);
    for (const NodeRange& range : nodes)
        add_missing(range);
    context_.user->child_came(child.view_with_lost(), above.index(), above.view_with_lost().nodes);
    take_others(child, brought);
    tasks_.spawn(run_child(child));
    return true;
}

/// Nodes of its block that the child still counts on are below nobody here: they have left for a
/// parent further up, and the child that was above both of them died before it passed that on.
void Node::tell_who_has_left(Child& child, const std::vector<NodeRange>& brought) {
    for (const auto& [first, count] : parts_within(brought, child.block().range()))
        for (NodeIndex i = 0; i < count; ++i)
            if (!below_.owner(first + i) && !below_.is_lost(first + i))
                child.tell_released(first + i);
}

/// The nodes for which the child asks for a place, itself the first, each once, without those for
/// which it may not speak.
std::vector<NodeRange> Node::brought_by(const Child& child, const AttachMessage& message) const {
    std::vector<NodeRange> nodes{{child.index(), 1}};
    const NodeIndex after = child.index() + 1;
    const auto below = parts_within(message.below, {after, tree_nodes_ - after});
    const auto may_speak = [&](NodeIndex node) { return may_speak_for(child, NodeRange{node, 1}); };
    for (const NodeRange& range : nodes_that(below, may_speak))
        append_nodes(nodes, range);
    return nodes;
}

/// The nodes among these that come here from below the child `above`.
std::vector<NodeRange> Node::coming_from(const Child& above,
                                         const std::vector<NodeRange>& brought) const {
    const auto before = above.view_with_lost().nodes;
    std::vector<NodeRange> nodes;
    for (const NodeRange& range : moving_with(brought))
        for (const NodeRange& part : parts_within(before, range))
            nodes.push_back(part);
    return nodes;
}

/// A node looks for another parent also if its parent lives and only cannot be reached. The parent
/// learns here, from a message on its way down, that the node has left, so that it does not count
/// it as lost. The node itself gets the message only where that is not so, or not any more.
bool Node::release(const MovedMessage& message) {
    if (!std::all_of(message.nodes.begin(), message.nodes.end(),
                     [this](NodeRange range) { return is_below(range); }))
        return false;
    Child* above = child_above(message.first());
    for (const NodeRange& range : message.nodes)
        say_who_stays(range, above);
    if (above == nullptr) return true;
    for (const NodeRange& range : message.nodes)
        for (const NodeRange& part : parts_within(above->view_with_lost().nodes, range)) {
            below_.release(above->id(), part);
            add_missing(part);
            context_.user->nodes_left(part, above->index(), above->view_with_lost().nodes);
        }
    above->subtree_changed();
    context_.user->nodes_gone();
    tell_missing();  // those that left tell their contacts to their new parent
    above->tell_released(message);
    return true;
}

std::vector<NodeRange> Node::all_here() const {
    std::vector<NodeRange> nodes{{self_, 1}};
    for (const auto& child : children_)
        if (child->lives())
            for (const NodeRange& range : below_.nodes_of(child->id()))
                nodes.push_back(range);
    return nodes;
}

/// The nodes above believe that a node that left has taken all of `leaving` along. Some of these
/// may have come to this node by themselves before: the parent gets a message which of them are
/// still below this node, or have left it at the end. A node that left without them would wait for
/// them, and report them as lost. The message is repeated only for nodes that are still here: a
/// node above may answer that the others are elsewhere.
void Node::say_who_stays(NodeRange leaving, const Child* above) {
    const bool ends = broadcasts_.has(FrameType::finish);
    for (const auto& child : children_)
        if (child.get() != above && child->has_come() && (child->lives() || ends))
            for (const NodeRange& range : parts_within(below_.nodes_of(child->id()), leaving)) {
                upstream_.gained({{range}});
                if (!child->lives()) below_.release(child->id(), range);
            }
}

bool Node::pass_ack(std::string_view payload) {
    const auto ack = AckMessage::decode(payload);
    if (!ack) return false;
    confirmed_at_ = Clock::now();
    // A node that is lost may only be out of reach for others, and waits for it, too.
    Child* child = child_of(below_.last_owner(ack->origin));
    if (child == nullptr) child = child_at(ack->origin);
    if (child != nullptr) child->send(FrameType::ack, payload);
    return true;
}

void Node::confirm(NodeIndex origin, size_t bytes) {
    // Before nodes go over to the routing tree nothing is acknowledged: each says all of its
    // reports again to its new parent.
    const bool moving = may_go_over() && !goes_over() && !broadcasts_.has(FrameType::finish);
    if (!moving && acks_ && acks_->took(origin, bytes)) pass_ack(acknowledgement(origin));
}

std::string Node::acknowledgement(NodeIndex origin) const {
    return AckMessage{origin, reports_.had(origin, ReportClass::control),
                      reports_.had(origin, ReportClass::output)}
        .encode();
}

/// The nodes below know that they are to leave: this node confirms all reports that have come, and
/// from now on each at once. A node that the head does not hear any more, or that leaves alone,
/// does so in the head's place, as nobody else will.
void Node::confirm_all() {
    if (!acks_) acks_.emplace(self_, settings_.bounds.to_head);
    acks_->finish();
    for (NodeIndex i = 1; i < reports_.size(); ++i)
        if (reports_.had(self_ + i, ReportClass::control) > 0) pass_ack(acknowledgement(self_ + i));
}

void Node::output_read(NodeIndex origin, JobNumber job, uint64_t bytes) {
    pass_ack(AckMessage{origin, 0, 0, job, bytes}.encode());
}

NodeStats Node::stats() const {
    NodeStats stats;
    stats.node = self_;
    for (const auto& child : children_) {
        stats.links += child->has_come() ? 1U : 0U;
        stats.direct_links += child->has_direct_link() ? 1U : 0U;
        stats.attached += child->attached();
        stats.pushed += child->pushed_bytes() > 0 ? 1U : 0U;
        stats.pushed_bytes += child->pushed_bytes();
    }
    if (peers_) {
        stats.links += peers_->count();
        stats.direct_links += peers_->count();
    }
    const Usage usage = own_usage();
    stats.private_kib = usage.private_kib;
    stats.proportional_kib = usage.proportional_kib;
    stats.resident_kib = usage.resident_kib;
    stats.cpu_us = usage.cpu_us;
    return stats;
}

LinkCounts Node::counts() const {
    LinkCounts counts;
    for (const auto& child : children_)
        counts += child->counts();
    if (peers_) counts += peers_->counts();
    return counts;
}

void Node::leave_children() {
    come_to(Door::shut);
    stop_.request_stop();
    for (const auto& child : children_)
        child->close();
}

void Node::set_ancestors(const std::vector<Contact>& ancestors) {
    auto& contacts = context_.contacts;
    contacts.erase(std::next(contacts.begin()), contacts.end());
    contacts.insert(contacts.end(), ancestors.begin(), ancestors.end());
}

void Node::ask_again() {
    changed_.notify();
    for (const auto& child : children_)
        if (child->has_come()) child->send(FrameType::resend, {});
}

}  // namespace launch
