// SPDX-License-Identifier: MIT
#include "core/run/node_jobs.hpp"

#include <algorithm>
#include <csignal>

#include "core/link/patience.hpp"
#include "core/run/left_processes.hpp"

namespace launch {
namespace {

/// A parent that has not heard of a job's end tells of its beginning, for as long as it takes it to
/// hear what the head has told all.
constexpr size_t most_ended = 256;

}  // namespace

NodeJobs::NodeJobs(any_io_executor executor, Settings settings, Reaper& reaper, Node& tree)
    : executor_(executor),
      settings_(std::move(settings)),
      reaper_(reaper),
      tree_(tree),
      share_(executor),
      spare_memory_(executor),
      tasks_(executor) {
    tree_.carry(*this);
}

void NodeJobs::open(NodeJob::Here here) {
    here_ = std::move(here);
    phase_ = TreePhase::open;
    with_all([this](NodeJob& job) { job.open(here_); });
}

NodeJob& NodeJobs::begin(JobNumber number, JobMessage job, JobUpstream& upstream) {
    std::string text = job.encode();
    return add(number, std::move(job), std::move(text), upstream);
}

NodeJob& NodeJobs::add(JobNumber number, JobMessage job, std::string text, JobUpstream& upstream) {
    Running& running = jobs_[number];
    if (!first_) first_ = number;
    running.upstream = &upstream;
    running.job =
        std::make_unique<NodeJob>(executor_, number, std::move(job), std::move(text),
                                  settings_.surroundings, share_, reaper_, upstream, tree_);
    spare_memory_.has_jobs(jobs_.size());
    if (phase_ != TreePhase::unknown) running.job->open(here_);
    if (phase_ == TreePhase::started) running.job->children_are_known();
    return *running.job;
}

/// A new parent may tell again of one that is here.
bool NodeJobs::begin(JobNumber number, std::string_view body) {
    const auto start = JobStart::decode(body);
    if (!start || number == all_jobs) return false;
    if (has_ended(number) || phase_ == TreePhase::ends) return true;
    const bool is_new = !jobs_.contains(number);
    if (is_new) {
        auto job = JobMessage::decode(start->job);
        if (!job) return false;
        static_cast<TreePolicies&>(job->policies) = settings_.surroundings.tree.policies;
        auto upstream = settings_.upstream(number, *job);
        add(number, std::move(*job), std::string(start->job), *upstream);
        jobs_[number].own_upstream = std::move(upstream);
    }
    NodeJob& job = *find(number);
    const bool placed =
        start->assignment.empty() || job.from_parent(FrameType::assignment, start->assignment);
    if (is_new) catch_up(job, number);
    return placed;
}

/// Applies broadcasts for a job that came before it: after a loss, or because they overtook the
/// queue of a slow child.
void NodeJobs::catch_up(NodeJob& job, JobNumber number) const {
    for (const auto& entry : tree_.orders().entries()) {
        const auto order = is_of_job(entry.type) ? unwrap_broadcast(entry.payload) : std::nullopt;
        const auto text = order ? unwrap_job(order->body) : std::nullopt;
        if (text && text->job == number) give_order(job, entry.type, text->body);
    }
}

NodeJob* NodeJobs::find(JobNumber number) const {
    const auto at = jobs_.find(number);
    return at == jobs_.end() ? nullptr : at->second.job.get();
}

bool NodeJobs::has_ended(JobNumber number) const {
    return std::find(ended_.begin(), ended_.end(), number) != ended_.end();
}

/// False: malformed, or the job says so.
template <class Call>
bool NodeJobs::with_job(std::string_view payload, Call call) const {
    const auto text = unwrap_job(payload);
    if (!text) return false;
    NodeJob* const job = find(text->job);
    return job == nullptr || call(*job, text->body);
}

template <class Call>
void NodeJobs::with_all(Call call) const {
    for (const auto& [number, running] : jobs_)
        call(*running.job);
}

bool NodeJobs::first_is_ready() const {
    return !jobs_.empty() && jobs_.begin()->second.job->may_start_tree();
}

awaitable<void> NodeJobs::check_first() {
    return jobs_.begin()->second.job->check();
}

void NodeJobs::start_tree() {
    tree_.start();
    phase_ = TreePhase::started;
    with_all([](NodeJob& job) { job.children_are_known(); });
}

uint64_t NodeJobs::bytes_to_stage() const {
    uint64_t bytes = 0;
    with_all([&bytes](const NodeJob& job) { bytes += job.message().stage.bytes(); });
    return bytes;
}

void NodeJobs::ask_again() {
    with_all([](NodeJob& job) { job.ask_again(); });
}

void NodeJobs::new_parent() {
    with_all([](NodeJob& job) { job.new_parent(); });
}

void NodeJobs::say_again() {
    with_all([](NodeJob& job) { job.say_again(); });
}

milliseconds NodeJobs::kill_grace() const {
    milliseconds longest{0};
    for (const auto& [number, running] : jobs_)
        longest = std::max(longest, running.job->message().policies.kill_grace);
    return longest;
}

awaitable<std::vector<std::string>> NodeJobs::finish(milliseconds limit) {
    const auto begin = Clock::now();
    phase_ = TreePhase::ends;
    tree_.begin_end();
    with_all([](NodeJob& job) { job.end(job.message().policies.kill_grace); });
    // While the children do the same: if each node waited for those below it first, the times that
    // left processes have would add up along the tree, and the head would give up a host.
    for (const auto& [number, running] : jobs_)
        if (!running.ends && running.job->had_ranks()) tasks_.spawn(end_left_by(*running.job));
    auto stuck = co_await tree_.finish_children(limit);
    co_await tasks_.join();
    co_await spare_memory_.close();
    milliseconds grace = jobs_.empty() ? patience::left_processes : milliseconds{0};
    for (const auto& [number, running] : jobs_) {
        co_await running.job->ranks_ended();
        grace = std::max(grace, running.job->grace_of_left_processes());
    }
    // This finds processes that end_left_by() did not find. Their grace began with this function.
    const auto had = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
    co_await end_left_processes(executor_, reaper_, std::max(grace - had, milliseconds{0}));
    for (const auto& [number, running] : jobs_) {
        co_await running.job->finish();
        // A node may leave a tree on which its jobs go on: nobody is to wait for its part of them.
        const bool is_waited_for =
            running.own_upstream && running.job->is_guest() && !running.job->has_told_end();
        if (is_waited_for) co_await running.upstream->ended(here_.self);
    }
    co_await tree_.join();
    co_return stuck;
}

/// Ends a job. A job that this node has not heard of will not begin any more. The head may have
/// placed ranks here when this node was on its way to another parent, and waits for their end. But
/// a node that has joined hears the ends of many jobs that were there before. Jobs begin in the
/// order of their numbers: ranks of one before the first that began here never were placed here.
void NodeJobs::end(JobNumber number) {
    if (phase_ == TreePhase::ends || has_ended(number)) return;
    ended_.push_back(number);
    if (ended_.size() > most_ended) ended_.pop_front();
    const auto at = jobs_.find(number);
    if (at == jobs_.end()) {
        const bool may_be_waited_for = !tree_.has_joined() || (first_ && *first_ < number);
        if (may_be_waited_for) tasks_.spawn(tell_end(number));
        return;
    }
    at->second.ends = true;
    tasks_.spawn(end_one(number));
}

awaitable<void> NodeJobs::tell_end(JobNumber number) {
    if (!settings_.upstream) co_return;  // at the head, which has heard of all
    const JobMessage unknown;
    const auto upstream = settings_.upstream(number, unknown);
    co_await upstream->ended(here_.self);
}

/// Ends the processes that the ranks of the job left here.
awaitable<void> NodeJobs::end_left_by(NodeJob& job) {
    co_await job.ranks_ended();
    co_await end_left_processes_of(executor_, reaper_, job.message().job_id,
                                   job.grace_of_left_processes());
}

awaitable<void> NodeJobs::end_one(JobNumber number) {
    Running& running = jobs_.at(number);  // which nobody else takes away
    running.job->end(running.job->message().policies.kill_grace);
    co_await end_left_by(*running.job);
    co_await running.job->finish();
    Running over = std::move(running);
    jobs_.erase(number);
    const bool is_told = over.job->has_told_end();
    over.job.reset();
    spare_memory_.has_jobs(jobs_.size());
    if (!is_told) co_await over.upstream->ended(here_.self);
}

bool NodeJobs::from_parent(FrameType type, std::string_view body) {
    if (type == FrameType::job) {
        const auto text = unwrap_job(body);
        return text && begin(text->job, text->body);
    }
    return with_job(
        body, [type](NodeJob& job, std::string_view said) { return job.from_parent(type, said); });
}

bool NodeJobs::from_child(NodeIndex child, FrameType type, std::string_view body) {
    return with_job(body, [child, type](NodeJob& job, std::string_view said) {
        return job.from_child(child, type, said);
    });
}

bool NodeJobs::from_peer(RoutePosition from, std::string_view message) {
    return with_job(
        message, [from](NodeJob& job, std::string_view said) { return job.from_peer(from, said); });
}

bool NodeJobs::report_passes(NodeIndex child, FrameType type, std::string_view body) {
    if (type == FrameType::failure) {
        const auto failure = FailureMessage::decode(body);
        if (failure) with_all([&](NodeJob& job) { job.hosts_failed(child, *failure); });
        return failure.has_value();
    }
    if (type != FrameType::exits) return true;
    return with_job(body, [child](NodeJob& job, std::string_view said) {
        return job.ranks_exited(child, said);
    });
}

/// For the job whose rank has asked.
bool NodeJobs::spawned(const JobText& text) {
    const auto answer = SpawnedMessage::decode(text.body);
    NodeJob* const job = find(text.job);
    if (answer && job != nullptr) job->spawned(*answer);
    return answer.has_value();
}

/// False: malformed.
bool NodeJobs::give_order(NodeJob& job, FrameType type, std::string_view body) {
    if (type == FrameType::signal) {
        const auto order = SignalMessage::decode(body);
        if (order) job.signal(*order);
        return order.has_value();
    }
    if (type == FrameType::survey) {
        auto order = SurveyOrder::decode(body);
        if (order) job.survey(*std::move(order));
        return order.has_value();
    }
    const auto value = decode_number(body);
    if (value) job.ordered(type, *value);
    return value.has_value();
}

bool NodeJobs::ordered(FrameType type, std::string_view body) {
    const auto text = unwrap_job(body);
    if (!text) return false;
    if (type == FrameType::spawned) return spawned(*text);
    if (type == FrameType::end_job) {
        end(text->job);
        return true;
    }
    bool well_formed = true;
    for (const auto& [number, running] : jobs_)
        if (text->job == number || text->job == all_jobs)
            well_formed &= give_order(*running.job, type, text->body);
    return well_formed;
}

bool NodeJobs::waits_for_hosts() const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [](const auto& entry) { return entry.second.job->waits_for_hosts(); });
}

NodeIndex NodeJobs::nodes() const {
    return jobs_.empty() ? 0 : jobs_.begin()->second.job->message().nodes;
}

void NodeJobs::child_added(const ChildView& child) {
    with_all([&](NodeJob& job) { job.child_added(child); });
}

void NodeJobs::child_not_started(NodeIndex child) {
    with_all([child](NodeJob& job) { job.child_not_started(child); });
}

void NodeJobs::child_came(const ChildView& child, NodeIndex above,
                          const std::vector<NodeRange>& others) {
    with_all([&](NodeJob& job) { job.child_came(child, above, others); });
}

void NodeJobs::nodes_came(const ChildView& child, const std::vector<NodeRange>& came) {
    with_all([&](NodeJob& job) { job.nodes_came(child, came); });
}

void NodeJobs::nodes_left(NodeRange nodes, NodeIndex above, const std::vector<NodeRange>& others) {
    with_all([&](NodeJob& job) { job.nodes_left(nodes, above, others); });
}

void NodeJobs::child_lost(const ChildView& child) {
    with_all([&](NodeJob& job) { job.child_lost(child); });
}

void NodeJobs::nodes_gone() {
    with_all([](NodeJob& job) { job.place_when_known(); });
}

void NodeJobs::child_ended(NodeIndex child) {
    with_all([child](NodeJob& job) { job.child_ended(child); });
}

void NodeJobs::peers_open(RoutePosition own, uint32_t count) {
    with_all([own, count](NodeJob& job) { job.peers_open(own, count); });
}

void NodeJobs::no_peers() {
    with_all([](NodeJob& job) { job.no_peers(); });
}

void NodeJobs::peer_lost(RoutePosition peer) {
    with_all([peer](NodeJob& job) { job.peer_lost(peer); });
}

}  // namespace launch
