// How a node goes over from the tree of the start to the routing tree; see Routing.

#include "core/link/patience.hpp"
#include "core/tree/node.hpp"

namespace launch {
/// As far as that is known before it is known who runs.
size_t Node::route_children() const {
    if (settings_.routing == nullptr) return 0;
    std::vector<NodeIndex> children;
    settings_.routing->children(self_, settings_.job.nodes + 1, children);
    return children.size();
}

void Node::open_routing() {
    listen();
    routing_ = std::make_unique<Routing>(self_, block_.size());
    const auto& contacts = context_.contacts;
    ContactGather& gather = routing_->gather;
    if (contacts.size() == 1) {
        gather.missing(self_, 1);  // the head's address is for its children to tell
        return;
    }
    gather.add({{self_, address_, contacts.front().port}});
    if (contacts[1].node == 0) gather.add({{0, contacts[1].address, 0}});
    tell_missing();
}

bool Node::contacts_came(const ContactsMessage& message) {
    if (!routing_) return false;
    routing_->gather.add(message.contacts);
    send_contacts();
    return true;
}

void Node::account(const FailureMessage& failure) {
    missing_.push_back({failure.node, 1});
    missing_.insert(missing_.end(), failure.below.begin(), failure.below.end());
    tell_missing();
}

/// Each once: of a thousand that fail one by one no report has to go through those before it.
void Node::tell_missing() {
    if (!routing_) return;
    for (const auto& [first, count] : std::exchange(missing_, {}))
        routing_->gather.missing(first, count);
    send_contacts();
}

void Node::send_contacts() {
    auto contacts = routing_->gather.take();
    if (!contacts.empty()) upstream_.contacts({std::move(contacts)});
}

void Node::new_parent() {
    if (!routing_ || routing_->settled()) return;
    routing_->gather.resend();
    send_contacts();
}

bool Node::route(std::string_view payload) {
    if (!routing_) return false;
    if (!routing_->bytes.empty()) return true;  // from the parent before this one
    auto message = RoutesMessage::decode(payload);
    if (!message) return false;
    const bool changes = settings_.routing != nullptr;
    const Topology& topology = changes ? *settings_.routing : settings_.topology;
    routing_->table = RouteTable::make(topology, self_, tree_nodes_, std::move(*message));
    if (!routing_->table && changes) return false;  // else a host without ranks
    routing_->bytes = payload;
    for (const auto& child : children_)
        child->send(FrameType::routes, payload);
    if (changes)
        tasks_.spawn(dial_route_parent());
    else
        open_peers();
    return true;
}

void Node::tell_routed(const std::string& cause) {
    routing_->linked = true;
    upstream_.routed({self_, routing_->table->ancestors().front().node, cause});
    changed_.notify();
}

/// Who has the same parent in both trees keeps its link.
awaitable<void> Node::dial_route_parent() {
    const auto& ancestors = routing_->table->ancestors();
    if (ancestors.empty()) co_return;
    const Contact parent = ancestors.front();
    routing_->moves = context_.contacts.size() == 1 || parent.node != context_.contacts[1].node;
    if (!routing_->moves) co_return tell_routed({});
    if (!parent.usable()) co_return tell_routed("it takes no direct links");
    const auto limit = settings_.job.policies.connect_timeout;
    auto stream = co_await links_->dial(parent, LinkPurpose::route, limit, stop_.get_token());
    if (!stream) co_return tell_routed(stream.error().cause);
    routing_->parent = std::make_shared<FramedLink>(executor_, std::move(*stream));
    tell_routed({});
}

/// Who calls may know all contacts before this node does.
bool Node::wants_route(NodeIndex from) const {
    if (!routing_ || routing_->phase == Routing::Phase::stays) return false;
    if (routing_->children.count(from) > 0) return false;
    return !routing_->table || routing_->table->is_child(from);
}

bool Node::reroute(bool go) {
    if (!routing_ || (go && !routing_->table)) return false;
    if (routing_->settled()) return true;
    routing_->phase = go ? Routing::Phase::going_over : Routing::Phase::stays;
    for (const auto& child : children_)
        child->send(FrameType::reroute, encode_number(go ? 1 : 0));
    if (go) {
        go_over();
        return true;
    }
    for (const auto& [node, link] : std::exchange(routing_->children, {}))
        link->close();
    if (routing_->parent) std::exchange(routing_->parent, nullptr)->close();
    return true;
}

/// Who is a child in both trees keeps its link.
void Node::go_over() {
    const RouteTable& table = *routing_->table;
    stop_.request_stop();  // nobody is started any more
    reports_.widen(table.block().size());
    auto& contacts = context_.contacts;
    contacts.erase(std::next(contacts.begin()), contacts.end());
    contacts.insert(contacts.end(), table.ancestors().begin(), table.ancestors().end());
    for (const auto& child : children_)
        if (!child->ended() && !table.is_child(child->index())) retire(*child);
    for (const Block& block : table.children()) {
        Child* const known = child_at(block.first);
        if (known != nullptr) {
            reroute(*known, block);
            // It came here when it lost its parent, and did not know that it would stay.
            if (const Child::Link link = routing_->link_of(block.first)) link->close();
            continue;
        }
        Child& child = add_child(block);
        child.expect(Child::Origin::routing_tree);
        reroute(child, block);
        tasks_.spawn(run_routed(child));
    }
    set_window(running_children_);
    if (self_ == 0) ask_again();
}

void Node::retire(Child& child) {
    below_.release_all(child.id());
    child.retire();
}

/// It has the block of the routing tree, but for those in it that do not run.
void Node::reroute(Child& child, const Block& block) {
    below_.release_all(child.id());
    below_.give(child.id(), block.range());
    for (const NodeIndex node : routing_->table->absent(block))
        below_.release(child.id(), {node, 1});
    child.reroute(block);
}

/// The child has its link here already, and says who it is when it has gone over too.
awaitable<void> Node::run_routed(Child& child) {
    const auto deadline = Clock::now() + patience::go_over;
    const auto waits = [&] {
        const bool here =
            routing_->phase == Routing::Phase::over && routing_->link_of(child.index());
        return !here && child.state() == ChildState::expected && !child.released() &&
               Clock::now() < deadline;
    };
    while (waits())
        co_await changed_.wait_until(deadline);
    const Child::Link link = routing_->link_of(child.index());
    if (link && child.state() == ChildState::expected) co_await take_routed(child, link);
    if (child.state() == ChildState::expected) child.never_came();
    co_await run_child(child);
}

awaitable<void> Node::take_routed(Child& child, Child::Link link) {
    const auto message = co_await receive_attach(executor_, link, child.index(), patience::go_over);
    const bool came = message && message->rerouted;
    if (child.state() != ChildState::expected) {
        link->close();  // it has come over another one meanwhile
    } else if (came) {
        link->send_magic();
        child.attach(std::move(link), *message);
    } else {
        child.come_broken(std::move(link));
    }
}

/// To one that came here, and may have missed it.
void Node::tell_routes(Child& child) {
    if (!routing_ || routing_->bytes.empty() || routing_->gone_over()) return;
    child.send(FrameType::routes, routing_->bytes);
    if (routing_->settled()) child.send(FrameType::reroute, encode_number(0));
}

/// For one that lost its parent before it was told: it gets the word here.
awaitable<void> Node::send_over(Child::Link link) {
    TaskGroup writing(executor_);
    writing.spawn(write_to_end(link));
    parting_.push_back(link);
    link->send(FrameType::attached, AttachedMessage{{}, context_.contacts}.encode());
    link->send(FrameType::routes, routing_->bytes);
    link->send(FrameType::reroute, encode_number(1));
    const auto deadline = Clock::now() + patience::go_over;
    while (!link->closed() && Clock::now() < deadline) {
        auto frame = co_await receive_within(executor_, link, patience::go_over);
        if (!frame || !frame->has_value()) break;
    }
    link->close();
    co_await writing.join();
}

}  // namespace launch
