// SPDX-License-Identifier: MIT
// Handles messages of a relay's parent, and reports from below.

#include <algorithm>

#include "core/link/patience.hpp"
#include "core/relay/job_reports.hpp"
#include "core/relay/reached.hpp"
#include "core/relay/relay_run.hpp"
#include "core/wire/growth_messages.hpp"

namespace launch {
namespace {

/// Files of that size are worth a direct link before their first byte has come.
constexpr uint64_t much_data = 1u << 20;

}  // namespace

bool RelayRun::open_part(std::string_view payload) {
    auto subtree = SubtreeMessage::decode(payload);
    auto tree = subtree && !node_ ? TreeMessage::decode(subtree->tree) : std::nullopt;
    if (!tree) return false;
    tree_ = std::move(*tree);
    tasks_.spawn(keep_time());
    times_.told = Clock::now();
    const uint64_t window = subtree->window;
    if (!make_node(*std::move(subtree))) return false;
    link_.add_credit(window);
    if (!tree_.with_job) start_below();
    changed_.notify();
    return true;
}

bool RelayRun::make_node(SubtreeMessage subtree) {
    const Block block{subtree.first, std::move(subtree.hosts), subtree.generation};
    auto ancestors = std::move(subtree.ancestors);
    block_ = block.range();
    settled_ = SettledNodes(block_);
    self_ = block.first;
    host_ = block.hosts.front().name;
    link_.set_origin(self_);
    auto topology = factories_.topology(tree_.topology, 0, tree_.nodes + 1, nullptr);
    if (!topology) return false;
    topology_ = std::move(*topology);
    if (!tree_.routing.empty()) {
        auto routing = factories_.topology(tree_.routing, 0, tree_.nodes + 1, nullptr);
        if (!routing) return false;
        routing_ = std::move(*routing);
    }
    auto note = [this](const std::string& host, const std::string& text) {
        notice({self_, true, host + ": " + text});
    };
    TransportOptions options = tree_.transport;
    options.at_relay = true;
    auto transport = factories_.transport(executor_, options, reaper_, note, guard_.to_remove());
    if (!transport) return false;
    transport_ = std::move(*transport);
    node_ = std::make_unique<Node>(
        executor_,
        Node::Settings{tree_, std::move(subtree.tree), build_id_, *topology_, routing_.get(),
                       *transport_, factories_.links, factories_.bounds},
        *this);
    jobs_ = std::make_unique<NodeJobs>(
        executor_,
        NodeJobs::Settings{
            {tree_, factories_.modex, factories_.rank, guard_, factories_.machine},
            [this](JobNumber job, const JobMessage& message) { return upstream_of(job, message); }},
        reaper_, *node_);
    const Reached addresses =
        reached(tree_, ancestors.empty() ? std::string() : ancestors.front().address);
    if (!ancestors.empty()) ancestors.front().address = addresses.from;
    node_->open(block, {ancestors, addresses.by, std::move(subtree.key)});
    jobs_->open(
        {self_, host_, true, block.generation, addresses.by.empty() ? called_from_ : addresses.by});
    open_link(std::move(ancestors), block.generation);
    return true;
}

std::unique_ptr<JobUpstream> RelayRun::upstream_of(JobNumber job, const JobMessage& message) {
    return std::make_unique<JobReports>(job, message.output_window, link_, *this,
                                        [this] { placed(); });
}

bool RelayRun::pass_to_jobs(const Frame& frame) {
    if (!jobs_ || !jobs_->from_parent(frame.type, frame.payload)) return false;
    if (frame.type == FrameType::job && jobs_->bytes_to_stage() >= much_data) link_.expect_much();
    if (state_ == RelayState::waiting && jobs_->first_is_ready()) start_below();
    return true;
}

/// The nodes below are started while this one looks whether the job can start here.
void RelayRun::start_below() {
    step(RelayEvent::begun);
    if (tree_.with_job && jobs_->first_looks())
        tasks_.spawn(come_up());
    else
        report_up();
    jobs_->start_tree();
}

awaitable<void> RelayRun::come_up() {
    co_await jobs_->check_first();
    report_up();
}

void RelayRun::report_up() {
    settled_.add({self_, 1});
    note_up();
    link_.report(FrameType::nodes_up, NodesMessage{{self_}}.encode());
    // a place in the routing tree comes with a direct link
    const bool goes_over = routing_ && !node_->has_joined();
    if (tree_.policies.links.many_jobs && !goes_over) link_.expect_much();
}

/// Ranks are placed, so the head knows which hosts there are, and no other is started any more.
void RelayRun::placed() {
    settled_.add_all();
    note_up();
    begin(JobPhase::run);
}

/// This relay looks for its own place after its node has made room for its new children: what a new
/// parent says is for them too.
void RelayRun::go_over() {
    settled_.add_all();
    const RouteTable& table = *node_->routing().table;
    link_.reroute(table.block().size(), table.ancestors());
}

/// The link has been renewed, or leads to the place that this node was looking for.
void RelayRun::place_confirmed() {
    if (node_->route_state() == RouteState::moving) {
        const Contact& wanted = node_->routing().table->ancestors().front();
        RoutedMessage routed{self_, link_.parent(), wanted.node, {}};
        if (routed.parent != routed.wanted)
            routed.cause = wanted.usable() ? link_.detour() : "the node accepts no direct links";
        this->routed(routed);
    }
    node_->set_ancestors(link_.ancestors());
    node_->place_confirmed();
}

/// The nodes that a report from below is about are settled: they run, or never will. A failure says
/// nothing of nodes that have been started another way since.
void RelayRun::settle_by(FrameType type, std::string_view report) {
    if (type == FrameType::nodes_up) {
        const auto message = NodesMessage::decode(report);
        for (const NodeIndex node : message ? message->nodes : std::vector<NodeIndex>())
            settled_.add({node, 1});
    }
    if (type != FrameType::failure) return;
    const auto message = FailureMessage::decode(report);
    const auto failure = message ? node_->still_true(*message) : std::nullopt;
    if (failure) settle(*failure);
}

void RelayRun::settle(const FailureMessage& failure) {
    for (const NodeRange& range : failure.nodes())
        settled_.add(range);
    if (node_) node_->settle(failure);
}

void RelayRun::open_link(std::vector<Contact> ancestors, uint32_t generation) {
    ParentLink::Kin kin;
    kin.self = self_;
    kin.generation = generation;
    kin.size = block_.count;
    kin.choice = tree_.policies.links.choice;
    kin.connect_timeout = tree_.policies.connect_timeout;
    kin.bounds = factories_.bounds;
    kin.links = node_->links();
    kin.ancestors = std::move(ancestors);
    kin.heard = [this] { return node_->heard(); };
    kin.heard_below = [this] { return node_->heard_below(); };
    kin.waits_below = [this] { return node_->waits_for_head(); };
    kin.route = [this] { return node_->route_state(); };
    kin.below = [this] { return node_->below(); };
    kin.adopted = [this](const std::vector<NodeRange>& told) {
        jobs_->new_parent();
        node_->new_parent(told);
    };
    kin.renewed = [this] {
        place_confirmed();
        jobs_->ask_again();
    };
    kin.failed = [this](const Error& error) { direct_link_failed(error); };
    link_.open(std::move(kin));
}

void RelayRun::direct_link_failed(Error error) {
    // A parent that has gone over to the routing tree hangs up on a relay that does not know yet
    // that there is one.
    const bool passing = node_ && node_->is_about_to_go_over() && !jobs_->placed();
    if (passing || tree_.policies.links.choice != LinkChoice::direct) {
        notice({self_, true, describe(error) + "; the streams of the transport are used instead",
                NoticeMessage::Topic::direct_link});
        return;
    }
    error.host = host_;
    error.hint =
        "is there a firewall between the hosts? --link-ports sets the ports, --links auto works "
        "without direct links";
    failure({self_, true, {}, std::move(error)});
    tasks_.spawn(node_->part_from_children());  // they find other parents
}

bool RelayRun::hear(const Frame& frame) {
    const auto message = unwrap_broadcast(frame.payload);
    if (!message || !node_) return false;
    if (frame.type == FrameType::pause) parent_paused_ = true;
    if (frame.type == FrameType::signal) parent_paused_ = false;  // the head goes on
    if (frame.type == FrameType::start_ranks) link_.start_is_over();
    if (frame.type == FrameType::finish) step(RelayEvent::told_to_end);
    const RouteState before = node_->route_state();
    if (!node_->hear(frame.type, *message)) return false;
    link_.tell_heard();
    const RouteState now = node_->route_state();
    if (before != now && now == RouteState::moving) go_over();
    if (before != now && now == RouteState::left_out) leave_alone();
    if (frame.type == FrameType::remove) remove(message->body);
    return true;
}

/// The parent believes that this relay has gone elsewhere, and has forgotten what its jobs said.
/// Two nodes above may be of different minds: not at once again.
void RelayRun::deny_move() {
    if (std::exchange(denies_, true)) return;
    tasks_.spawn(deny_at(may_deny_at_));
}

awaitable<void> RelayRun::deny_at(Clock::time_point when) {
    while (Clock::now() < when && !is_to_leave(state_))
        co_await changed_.wait_until(when);
    denies_ = false;
    may_deny_at_ = Clock::now() + patience::renew;
    if (is_to_leave(state_)) co_return;
    gained({node_->all_here()});
    jobs_->say_again();
}

/// Nodes that have a parent elsewhere now are not started from here: they are settled.
bool RelayRun::release(std::string_view payload) {
    const auto message = MovedMessage::decode(payload);
    if (!message || !node_) return false;
    if (message->first() == self_) {
        deny_move();
        return true;
    }
    if (!node_->release(*message)) return false;
    for (const NodeRange& range : message->nodes)
        settled_.add(range);
    note_up();
    return true;
}

bool RelayRun::grow(std::string_view payload) {
    const auto message = GrowMessage::decode(payload);
    if (!message || !node_ || message->first <= self_) return false;
    node_->grow(*message);
    return true;
}

/// A relay that is to leave lets the nodes below it go to other parents; then its parent sends it
/// away. Where it is to go at once, it is lost to all others, and its ranks have the time that
/// their job gives them.
void RelayRun::remove(std::string_view body) {
    const auto message = RemoveMessage::decode(body);
    const auto& nodes = message->nodes;  // Node::hear() has read it
    if (std::find(nodes.begin(), nodes.end(), self_) == nodes.end()) return;
    if (!message->now) return tasks_.spawn(node_->part_from_children());
    leave_alone();
}

/// The nodes below find other parents.
void RelayRun::leave_alone() {
    step(RelayEvent::taken_out);
    link_.close();
}

bool RelayRun::handle(const Frame& frame) {
    if (is_broadcast(frame.type)) return hear(frame);
    switch (frame.type) {
        case FrameType::subtree: return open_part(frame.payload);
        case FrameType::grow: return grow(frame.payload);
        case FrameType::released: return release(frame.payload);
        case FrameType::ping:
            if (node_) node_->announce(starting());
            return true;
        case FrameType::job:
        case FrameType::assignment:
        case FrameType::input:
        case FrameType::modex:
        case FrameType::segment: return pass_to_jobs(frame);
        case FrameType::ack: return node_ && node_->pass_ack(frame.payload);
        case FrameType::resend:
            if (node_) node_->ask_again();
            if (jobs_) jobs_->ask_again();
            return true;
        case FrameType::dismissed: step(RelayEvent::told_to_end); return true;
        default: return false;
    }
}

}  // namespace launch
