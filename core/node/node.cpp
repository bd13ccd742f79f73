#include "core/node/node.hpp"

#include <algorithm>
#include <csignal>

#include "core/async/wait_limit.hpp"
#include "core/node/spread.hpp"
#include "core/node/start_check.hpp"

namespace launch {
namespace {

/// All output on its way from children to this node, when its reader is slow, is about this much.
constexpr uint64_t output_budget = 2u << 20;
constexpr uint64_t smallest_window = 32u << 10;
/// Lines of LAUNCH_LOG that wait for a slow reader.
constexpr size_t most_trace_lines = 10'000;
constexpr uint64_t largest_window = 512u << 10;
constexpr milliseconds retired_limit{500};

bool holds_rank(const std::vector<RankRun>& runs, uint32_t rank) {
    return std::any_of(runs.begin(), runs.end(), [rank](const RankRun& run) {
        if (rank < run.first) return false;
        const uint32_t offset = rank - run.first;
        return offset % run.stride == 0 && offset / run.stride < run.count;
    });
}

}  // namespace

Node::Node(any_io_executor executor, Settings settings, Reaper& reaper, Upstream& upstream)
    : executor_(executor),
      settings_(std::move(settings)),
      upstream_(upstream),
      modex_(settings_.make_modex(executor, settings_.job, *this)),
      input_(upstream),
      context_{executor,
               settings_.transport,
               upstream,
               input_,
               *modex_,
               settings_.job,
               settings_.job_bytes,
               settings_.build_id,
               stop_.get_token(),
               0,
               {},
               news_,
               below_,
               orders_,
               *this},
      ranks_(executor, settings_.job, reaper, upstream, input_, *modex_),
      changed_(executor),
      tasks_(executor) {}

void Node::open(const Block& block, const std::vector<Contact>& ancestors,
                const std::string& address) {
    self_ = block.first;
    block_size_ = block.size();
    address_ = address;
    host_ = block.hosts.front().name;
    late_ = !placed();
    tree_nodes_ = settings_.job.nodes + 1;
    if (settings_.job.starts_together()) gate_.close(StartGate::Lock::word);
    news_ = NewsCount(self_, block.size());
    if (ancestors.empty()) acks_.emplace(self_, block.size());
    std::vector<NodeIndex> starts;
    settings_.topology.children(0, block.size(), starts);
    open_links(starts.size(), ancestors);
    if (settings_.routing != nullptr && links_) open_routing();
}

void Node::check(const Block& block) {
    if (settings_.job.may_leave_wdir) return;  // no other host: the start itself tells
    auto unready = check_programs(settings_.job, block.ranks.front());
    const auto& programs = settings_.job.programs;
    // Whether other hosts have the job's folder the head knows, not this one.
    if (std::any_of(unready.begin(), unready.end(),
                    [&](const auto& program) { return lacks_job_folder(programs, program); }))
        gate_.close(StartGate::Lock::word);
    if (!unready.empty()) upstream_.unready({self_, std::move(unready)});
}

void Node::start(const Block& block, bool remote) {
    remote_ = remote;
    if (settings_.job.stage.any()) open_stage();
    if (!late_) start_ranks(block.first, block.ranks.front());
    std::vector<NodeIndex> starts;
    settings_.topology.children(0, block.size(), starts);
    start_blocks(block, starts);
    if (!late_) open_input();
}

void Node::start_ranks(NodeIndex number, const std::vector<RankRun>& runs) {
    modex_->start(number, runs, !remote_);
    placed_ranks_ = {number, runs};
    start_ready_ranks();
}

bool Node::reads_input(const std::vector<std::vector<RankRun>>& ranks) const {
    const StdinTarget& target = settings_.job.policies.stdin_target;
    if (target.kind != StdinTarget::Kind::rank) return target.kind == StdinTarget::Kind::all;
    return std::any_of(ranks.begin(), ranks.end(),
                       [&](const auto& runs) { return holds_rank(runs, target.rank); });
}

void Node::set_window(size_t children) {
    const uint64_t part = output_budget / std::max<size_t>(children, 1);
    context_.window = std::clamp(part, smallest_window, largest_window);
}

/// Starts the parts of the block that begin at these offsets, side by side.
void Node::start_blocks(const Block& block, const std::vector<NodeIndex>& starts) {
    const size_t children = running_children_ + starts.size();
    if (children == 0) return;
    set_window(children);
    for (size_t i = 0; i < starts.size(); ++i) {
        const size_t end = i + 1 < starts.size() ? starts[i + 1] : block.hosts.size();
        Child& child = add_child(block.slice(starts[i], end));
        below_.give(child.id(), child.block().range());
        if (!late_) add_ranks_of(child, child.block().ranks);
        tasks_.spawn(run_child(child));
    }
}

/// It has nobody in the SubtreeMap yet.
Child& Node::add_child(Block block) {
    children_.push_back(std::make_unique<Child>(context_, ++last_child_, std::move(block)));
    ++running_children_;
    return *children_.back();
}

void Node::add_ranks_of(const Child& child, const std::vector<std::vector<RankRun>>& ranks) {
    modex_->add_child(child.index(), ranks);
    if (reads_input(ranks)) input_.add(child.input_key());
}

/// The host at the top of a block could not be started, or was lost before those below it were
/// heard of: they are started from here.
void Node::start_rest(const Child& failed) {
    if (failed.has_come()) return start_parts(failed);
    const Block& rest = failed.block();
    if (rest.size() > 0 && !stop_.stop_requested())
        start_blocks(rest, spread_rest(settings_.topology, rest.size()));
    if (!late_) modex_->remove_child(failed.index());  // now: no fence may take the rest for gone
}

void Node::start_parts(const Child& lost) {
    if (stop_.stop_requested()) return;
    for (const auto& [first, count] : lost.rest()) {
        Block part = lost.block().part(first, count);
        ++part.generation;
        auto starts = spread_rest(settings_.topology, count + 1);  // below the lost one
        for (NodeIndex& start : starts)
            --start;
        start_blocks(part, starts);
    }
}

awaitable<void> Node::run_child(Child& child) {
    co_await child.run();
    start_rest(child);
    input_.refused(child.input_key());
    --running_children_;
    changed_.notify();
}

void Node::order(FrameType type, uint64_t value) {
    obey(type, {orders_.last() + 1, value});
}

void Node::obey(FrameType type, OrderMessage order) {
    if (!orders_.take(type, order)) return;
    for (const auto& child : children_)
        child->pass_order(type, order);
    if (type == FrameType::signal && order.value < NSIG) {
        ranks_.signal(static_cast<int>(order.value));
        end_waiting(static_cast<int>(order.value));
    }
    if (type == FrameType::start_ranks) unlock(StartGate::Lock::word);
    if (type == FrameType::want_contacts && links_ && !routing_) open_routing();
    if (type != FrameType::terminate) return;
    end_waiting(SIGTERM);
    stop_.request_stop();
    const milliseconds grace{std::min<uint64_t>(order.value, UINT32_MAX)};
    tasks_.spawn(ranks_.terminate(grace));
}

bool Node::modex_from_parent(std::string_view message) {
    return placed() && modex_->from_parent(message);
}

void Node::modex_up(std::string message) {
    upstream_.modex(std::move(message));
}

void Node::modex_down(NodeIndex child, std::string message) {
    if (Child* at = child_at(child)) at->send_modex(message);
}

void Node::modex_fault(const FaultMessage& fault) {
    upstream_.fault(fault);
}

void Node::modex_folder(const std::string& path) {
    settings_.guard.remove_at_end(path);
}

void Node::modex_notice(const std::string& text) {
    upstream_.notice({self_, false, text});
}

void Node::modex_trace(uint32_t rank, std::string line) {
    if (trace_.size() >= most_trace_lines) return;
    if (trace_.size() + 1 == most_trace_lines) line = "pmi: more than can be written; left out";
    line += '\n';
    trace_.push_back(OutputMessage{rank, Stream::err, line}.encode());
    if (!std::exchange(tracing_, true)) tasks_.spawn(carry_trace());
}

awaitable<void> Node::carry_trace() {
    while (!trace_.empty()) {
        std::string message = std::move(trace_.front());
        trace_.pop_front();
        co_await upstream_.output(std::move(message));
    }
    tracing_ = false;
}

void Node::give_input(std::string_view bytes) {
    ranks_.give_input(bytes);
    for (const auto& child : children_) {
        if (input_.reads(child->input_key())) child->send_input(bytes);
    }
}

bool Node::output_pending() const {
    return std::any_of(children_.begin(), children_.end(),
                       [](const auto& child) { return child->output_pending(); });
}

bool Node::children_left(bool retired) const {
    return std::any_of(children_.begin(), children_.end(), [retired](const auto& child) {
        return !child->ended() && (child->state() == ChildState::retired) == retired;
    });
}

/// Of retired children the commands here may end with the link; but others watch over them.
awaitable<std::vector<std::string>> Node::finish_children(milliseconds limit) {
    for (const auto& child : children_)
        child->finish();
    WaitLimit wait(limit);
    while (children_left(false) && !wait.over()) {
        co_await wait.wait(changed_);
        // A slow reader is no reason to cut anybody off.
        if (output_pending()) wait.restart();
    }
    WaitLimit more(std::min<Clock::duration>(wait.left(), retired_limit));
    while (children_left(true) && !more.over())
        co_await more.wait(changed_);
    std::vector<std::string> stuck;
    for (const auto& child : children_) {
        if (child->ended()) continue;
        if (child->state() != ChildState::retired)
            stuck.push_back(child->block().hosts.front().name);
        child->close();
    }
    close_waiting_links();
    changed_.notify();
    co_return stuck;
}

/// Of those who have not come, or have been sent on.
void Node::close_waiting_links() {
    for (const auto& link : parting_)
        link->close();
    early_peers_.clear();
    if (!routing_) return;
    for (const auto& [node, link] : routing_->children)
        if (link) link->close();
}

awaitable<std::vector<std::string>> Node::finish(milliseconds limit) {
    stop_.request_stop();
    finishing_ = true;
    changed_.notify();
    if (peers_) peers_->close();
    end_waiting(SIGTERM);
    if (!ranks_.all_ended()) tasks_.spawn(ranks_.terminate(limit / 2));
    auto stuck = co_await finish_children(limit);
    refusing_ = true;
    co_await ranks_.finish(settings_.job.policies.kill_grace);
    if (stage_) co_await stage_->remove();
    co_await modex_->close();
    if (peers_) co_await peers_->join();
    co_await tasks_.join();
    co_return stuck;
}

awaitable<void> Node::close_links() {
    if (links_) co_await links_->close();
}

void Node::beat(bool starting, int late) {
    for (const auto& child : children_)
        child->beat(starting, late);
}

void Node::announce(bool starting) {
    for (const auto& child : children_)
        child->announce(starting);
}

}  // namespace launch
