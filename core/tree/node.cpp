// SPDX-License-Identifier: MIT
#include "core/tree/node.hpp"

#include <algorithm>

#include "core/async/wait_limit.hpp"
#include "core/link/patience.hpp"
#include "core/tree/spread.hpp"

namespace launch {

Node::Node(any_io_executor executor, Settings settings, Upstream& upstream)
    : executor_(executor),
      settings_(std::move(settings)),
      upstream_(upstream),
      context_{executor,
               settings_.transport,
               upstream,
               settings_.tree,
               settings_.tree_bytes,
               settings_.build_id,
               stop_.get_token(),
               0,
               {},
               reports_,
               below_,
               broadcasts_,
               *this},
      changed_(executor),
      tasks_(executor) {}

void Node::open(const Block& block, Origin origin) {
    block_ = block;
    opened_at_ = Clock::now();
    self_ = block.first;
    if (self_ != 0) context_.host = block.hosts.front().name;
    address_ = std::move(origin.address);
    tree_nodes_ = std::max(settings_.tree.nodes + 1, block.first + block.size());
    reports_ = ReportFilter(self_, block.size());
    if (origin.ancestors.empty()) acks_.emplace(self_, settings_.bounds.to_head);
    std::vector<NodeIndex> starts;
    settings_.topology.children(0, block.size(), starts);
    open_links(starts.size(), origin.ancestors, std::move(origin.key));
    if (settings_.routing != nullptr && links_) open_routing();
}

void Node::start() {
    std::vector<NodeIndex> starts;
    settings_.topology.children(0, block_.size(), starts);
    start_blocks(block_, starts);
}

std::vector<ChildView> Node::children() const {
    std::vector<ChildView> views;
    for (const auto& child : children_)
        if (child->lives() && child->takes_part()) views.push_back(child->view());
    return views;
}

std::vector<ChildView> Node::all_children() const {
    std::vector<ChildView> views;
    for (const auto& child : children_)
        if (child->lives()) views.push_back(child->view());
    return views;
}

std::vector<NodeIndex> Node::child_indices() const {
    std::vector<NodeIndex> indices;
    for (const auto& child : children_)
        if (child->lives() && child->takes_part()) indices.push_back(child->index());
    return indices;
}

void Node::send_child(NodeIndex child, FrameType type, std::string_view body) {
    if (Child* at = child_at(child)) at->send_user(type, body);
}

void Node::send_child(NodeIndex child, FrameType type, MessageSource messages) {
    if (Child* at = child_at(child)) at->send_user(type, std::move(messages));
}

void Node::feed_children(JobNumber job, const std::shared_ptr<SegmentShelf>& shelf) {
    context_.stages[job] = shelf;
    for (const auto& child : children_)
        child->feed(job, shelf);
}

void Node::stop_feeding(JobNumber job) {
    context_.stages.erase(job);
    for (const auto& child : children_)
        child->stop_feeding(job);
}

void Node::send_input(NodeIndex child, std::string_view bytes) {
    if (Child* at = child_at(child)) at->send_input(bytes);
}

void Node::set_window(size_t children) {
    context_.window = settings_.bounds.window_of(settings_.bounds.from_children, children);
}

/// Starts the parts of the block that begin at these offsets, side by side.
void Node::start_blocks(const Block& block, const std::vector<NodeIndex>& starts) {
    const size_t children = running_children_ + starts.size();
    if (children == 0) return;
    set_window(children);
    std::vector<Host> tops;
    for (const NodeIndex start : starts)
        tops.push_back(block.hosts[start]);
    context_.transport.will_start(tops);
    for (size_t i = 0; i < starts.size(); ++i) {
        const size_t end = i + 1 < starts.size() ? starts[i + 1] : block.hosts.size();
        Child& child = add_child(block.slice(starts[i], end));
        below_.give(child.id(), child.block().range());
        branches_.give(child.id(), child.block().range());
        context_.user->child_added({child.index(), {child.block().range()}});
        tasks_.spawn(run_child(child));
    }
    if (!std::exchange(tells_slow_starts_, true)) tasks_.spawn(tell_slow_starts());
}

/// It has nobody in the SubtreeMap yet.
Child& Node::add_child(Block block) {
    children_.push_back(std::make_unique<Child>(context_, ++last_child_, std::move(block)));
    ++running_children_;
    return *children_.back();
}

/// The host at the top of a block could not be started, or was lost before those below it were
/// heard of: they are started from here. Nodes that the routing tree has below one that never came
/// here were started elsewhere.
void Node::start_rest(const Child& failed) {
    if (failed.has_come()) {
        start_parts(failed);
    } else {
        not_started(failed.index(), std::nullopt);
        const Block& rest = failed.block();
        if (rest.size() > 0 && !failed.came_here() && !stop_.stop_requested())
            start_blocks(rest, spread_rest(settings_.topology, rest.size()));
        context_.user->child_not_started(failed.index());
    }
    context_.user->nodes_gone();
}

void Node::start_parts(const Child& lost) {
    if (stop_.stop_requested()) return;
    for (const auto& [first, count] : lost.rest()) {
        Block part = lost.block().part(first, count);
        part.generation = generations_.least(first);               // see lost()
        auto starts = spread_rest(settings_.topology, count + 1);  // below the lost one
        for (NodeIndex& start : starts)
            --start;
        start_blocks(part, starts);
    }
}

awaitable<void> Node::run_child(Child& child) {
    co_await child.run();
    start_rest(child);
    // When this node leaves, its children go on below other parents, which give them their input.
    if (door_ != Door::shut) context_.user->child_ended(child.index());
    --running_children_;
    changed_.notify();
    upstream_.waiting_changed();
}

void Node::broadcast(FrameType type, std::string_view body) {
    hear(type, {broadcasts_.last() + 1, body});
}

bool Node::hear(FrameType type, Broadcast message) {
    if (!broadcasts_.take(type, message)) return true;
    for (const auto& child : children_)
        child->broadcast(broadcasts_.entries().back());
    broadcasts_.heard_below(heard_below());
    return act_on(type, message.body);
}

uint64_t Node::heard_below() const {
    uint64_t least = broadcasts_.last();
    for (const auto& child : children_)
        if (child->lives() && !child->is_being_started()) least = std::min(least, child->heard());
    return least;
}

bool Node::act_on(FrameType type, std::string_view body) {
    if (type == FrameType::routes) return set_routes(body);
    if (type == FrameType::remove) return begin_removal(body);
    if (type == FrameType::finish) return true;  // it is for who runs this node
    if (is_of_job(type)) return context_.user->ordered(type, body);
    if (type == FrameType::want_contacts && links_ && !routing_) open_routing();
    return decode_number(body).has_value();
}

bool Node::output_pending() const {
    return std::any_of(children_.begin(), children_.end(),
                       [](const auto& child) { return child->output_pending(); });
}

bool Node::waits_for_head() const {
    return std::any_of(children_.begin(), children_.end(),
                       [](const auto& child) { return child->waits_for_head(); });
}

bool Node::children_left(bool retired) const {
    return std::any_of(children_.begin(), children_.end(), [retired](const auto& child) {
        return !child->ended() && (child->state() == ChildState::retired) == retired;
    });
}

/// Waits for the relays below to end. The start commands of retired children may end with the link,
/// but other nodes watch these relays.
awaitable<std::vector<std::string>> Node::finish_children(milliseconds limit) {
    if (!broadcasts_.has(FrameType::finish)) {
        broadcast(FrameType::finish, std::string_view{});
        confirm_all();  // at once: most nodes have nothing to wait for then
    }
    WaitLimit wait(limit);
    confirmed_at_ = Clock::now();
    while (children_left(false) && !wait.over()) {
        co_await wait.wait(changed_);
        // A slow reader is no reason to cut anybody off.
        const bool waits = waits_for_head() && Clock::now() < confirmed_at_ + patience::hang_up;
        if (output_pending() || waits) wait.restart();
    }
    WaitLimit more(std::min<Clock::duration>(wait.left(), patience::retired));
    while (children_left(true) && !more.over())
        co_await more.wait(changed_);
    std::vector<std::string> stuck;
    for (const auto& child : children_) {
        if (child->ended()) continue;
        if (child->lives()) stuck.push_back(child->block().hosts.front().name);
        child->close();
    }
    early_peers_.clear();
    come_to(Door::shut);
    changed_.notify();
    co_return stuck;
}

void Node::begin_end() {
    stop_starting();
    come_to(Door::ending);
    changed_.notify();
    if (peers_) peers_->close();
}

awaitable<void> Node::join() {
    if (peers_) co_await peers_->join();
    co_await tasks_.join();
}

awaitable<void> Node::close_links() {
    if (links_) co_await links_->close();
}

void Node::beat(bool starting, int late) {
    context_.start_is_over = !starting;
    for (const auto& child : children_)
        child->beat(starting, late);
}

void Node::announce(bool starting) {
    context_.start_is_over = !starting;
    for (const auto& child : children_)
        child->announce(starting);
}

}  // namespace launch
