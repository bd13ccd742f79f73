// SPDX-License-Identifier: MIT
#include "core/head/head_tree.hpp"

#include "core/base/build_id.hpp"
#include "core/base/random.hpp"
#include "core/base/seconds.hpp"
#include "core/head/job_message.hpp"
#include "core/head/report_check.hpp"
#include "core/head/waiting.hpp"
#include "core/link/output_account.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

constexpr milliseconds start_settles{200};

/// Calls with what the bytes mean, if they mean a Message.
template <class Message, class Call>
void with_decoded(std::string_view body, Call call) {
    if (const auto message = Message::decode(body)) call(*message);
}

}  // namespace

HeadTree::HeadTree(any_io_executor executor, const Plan& plan, Transport& transport,
                   const Factories& factories, const Guard& guard, Reaper& reaper)
    : executor_(executor),
      plan_(plan),
      message_(tree_message(plan)),
      hosts_(plan.hosts),
      node_(executor,
            Node::Settings{message_, message_.encode(), own_build_id(), *plan.topology,
                           plan.routing.get(), transport, factories.links, factories.bounds},
            *this),
      node_jobs_(executor,
                 {{message_, factories.modex, factories.rank, guard, factories.machine}, {}},
                 reaper, node_),
      heart_(message_.policies.liveness),
      changed_(executor),
      tasks_(executor) {}

NodeJob& HeadTree::begin(JobNumber number, JobMessage message, JobUpstream& upstream,
                         TreeJob& job) {
    jobs_[number] = &job;
    return node_jobs_.begin(number, std::move(message), upstream);
}

void HeadTree::open() {
    const Block tree = tree_of(plan_);
    if (plan_.local) nodes_up({tree.first});
    node_.open(tree, {{}, {}, {random_bytes(link_key_size), {}}});
    node_jobs_.open({tree.first, tree.hosts.front().name, false});
}

void HeadTree::start() {
    tasks_.spawn(keep_time());
    tasks_.spawn(announce_start());
    tasks_.spawn(keep_start_limit());
    node_jobs_.start_tree();
}

void HeadTree::order(JobNumber job, FrameType type, uint64_t value) {
    node_.broadcast(type, wrap_job(job, encode_number(value)));
}

void HeadTree::enter(Phase phase) {
    phase_ = std::max(phase_, phase);
    changed_.notify();
}

void HeadTree::end_start() {
    enter(Phase::runs);
}

awaitable<std::vector<std::string>> HeadTree::finish(milliseconds limit) {
    enter(Phase::ends);
    auto stuck = co_await node_jobs_.finish(limit);
    enter(Phase::has_ended);
    co_await node_.close_links();
    co_await tasks_.join();
    co_return stuck;
}

awaitable<void> HeadTree::keep_time() {
    while (heart_.enabled() && phase_ != Phase::has_ended) {
        co_await changed_.wait_until(heart_.next());
        if (heart_.due()) node_.beat(is_starting(), heart_.take());
    }
}

/// Hosts that join later are no reason to bear the silence of others.
bool HeadTree::is_starting() const {
    return !joined(hosts_.first_unknown());
}

/// While hosts are started, nodes tolerate a longer silence, so a loss is noticed late. The head
/// therefore announces the end of the start. A head that ends at once announces nothing.
awaitable<void> HeadTree::announce_start() {
    while (phase_ < Phase::ends && is_starting())
        co_await changed_.wait();
    const auto due = Clock::now() + start_settles;
    while (phase_ < Phase::ends && Clock::now() < due)
        co_await changed_.wait_until(due);
    if (phase_ < Phase::ends) node_.announce(false);
}

awaitable<void> HeadTree::keep_start_limit() {
    const auto limit = plan_.start_limit;
    if (limit.count() == 0) co_return;
    const auto deadline = Clock::now() + limit;
    while (phase_ == Phase::starts && is_starting() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (phase_ != Phase::starts) co_return;
    for (const NodeIndex node : hosts_.unknown())
        if (!joined(node)) failure(late_host(hosts_, node, limit));
}

/// Adds the cause if hosts left because this process was suspended for longer than they wait.
FailureMessage HeadTree::explained(FailureMessage failure) const {
    if (failure.error.host.empty()) failure.error.host = hosts_.name_of(failure.node);
    if (removed_.contains(failure.node)) {
        failure.error.cause = "the host was removed from the tree";
        failure.error.hint.clear();
        return failure;
    }
    const auto borne = heart_.time_of(patience::head_away);
    const auto away = heart_.absence();
    if (!failure.was_up || away == away.zero() || away < borne) return failure;
    failure.error.cause =
        "its relay ended because launch was suspended, or this machine slept, for " +
        in_seconds(std::chrono::floor<std::chrono::seconds>(away)) + "; hosts wait only " +
        in_seconds(std::chrono::floor<milliseconds>(borne));
    failure.error.hint = "hosts wait longer with a longer --liveness";
    return failure;
}

void HeadTree::nodes_up(const std::vector<NodeIndex>& nodes) {
    const auto runs = hosts_.up(nodes);
    tell([&runs](TreeWatch& told) { told.hosts_up(runs); });
    changed_.notify();
}

/// Names of the hosts in a failure: a job cannot look up numbers of hosts that joined later.
std::vector<std::string> HeadTree::lost_hosts(const FailureMessage& failure) const {
    std::vector<std::string> names;
    const auto add = [&](NodeIndex node) {
        auto name = node > 0 ? hosts_.name_of(node) : std::string();
        if (!name.empty() && names.size() < FailureMessage::most_names)
            names.push_back(std::move(name));
    };
    add(failure.node);
    for (const NodeRange& range : failure.below)
        for (NodeIndex i = 0; i < range.count && range.first + i <= hosts_.count(); ++i)
            add(range.first + i);
    return names;
}

void HeadTree::failure(const FailureMessage& message) {
    const auto news = hosts_.news_of(message);
    const bool is_first = news && !hosts_.is_known(news->node);
    hosts_.failed(message);
    changed_.notify();
    if (!news) return;
    FailureMessage failure = explained(*news);
    if (failure.was_up) failure.hosts = lost_hosts(failure);
    note_failure(failure, is_first);
    tell([&failure](TreeWatch& told) { told.hosts_failed(failure); });
}

void HeadTree::notice(const NoticeMessage& message) {
    if (holder_ != nullptr && message.job == all_jobs) return holder_->notice(message);
    NoticeMessage notice = message;
    if (notice.node > 0) notice.host = hosts_.name_of(notice.node);
    for (const auto& [number, job] : jobs_)
        if (notice.job == number || notice.job == all_jobs) job->notice(notice);
}

void HeadTree::pass(FrameType type, std::string_view, const Report& report, bool fresh) {
    if (!fresh) return;
    const NodeIndex origin = report.header.origin;
    if (!is_of_job(type))
        return is_about_origin(type, report) ? take(type, report.body) : ignore_report(origin);
    const auto text = unwrap_job(report.body);
    const auto job = text ? jobs_.find(text->job) : jobs_.end();
    if (job == jobs_.end()) return;
    const auto said = decode_job_report(type, text->body);
    if (!said) return;
    const auto is_own = [&](uint32_t rank) { return node_jobs_.may_run(text->job, origin, rank); };
    if (!is_about_origin(origin, *said, is_own)) return ignore_report(origin);
    job->second->take(*said);
}

void HeadTree::ignore_report(NodeIndex origin) {
    notice({origin, false,
            "launch ignored a report of this host, because it was about another host or its ranks; "
            "the host may not be trustworthy"});
}

void HeadTree::take(FrameType type, std::string_view body) {
    switch (type) {
        case FrameType::nodes_up:
            return with_decoded<NodesMessage>(body, [this](const auto& m) { nodes_up(m.nodes); });
        case FrameType::failure:
            return with_decoded<FailureMessage>(body, [this](const auto& m) {
                if (const auto counts = node_.still_true(m)) failure(*counts);
            });
        case FrameType::notice:
            return with_decoded<NoticeMessage>(body, [this](const auto& m) { notice(m); });
        case FrameType::starts:
            return with_decoded<StartsMessage>(body, [this](const auto& m) { starts(m); });
        case FrameType::routed:
            return with_decoded<RoutedMessage>(body, [this](const auto& m) { routed(m); });
        case FrameType::left:
            return with_decoded<NodesMessage>(body, [this](const auto& m) { left(m); });
        case FrameType::stats:
            return with_decoded<NodeStats>(body, [this](const auto& m) {
                for (const auto& [number, job] : jobs_)
                    job->take(m);
            });
        default: return;
    }
}

awaitable<bool> HeadTree::pass_output(std::string payload, bool fresh) {
    const auto report = unwrap_report(payload);
    const auto text = report ? unwrap_job(report->body) : std::nullopt;
    const auto message = text ? OutputMessage::decode(text->body) : std::nullopt;
    if (!fresh || !message) co_return true;
    const NodeIndex origin = report->header.origin;
    const auto job = jobs_.find(text->job);
    if (job == jobs_.end()) {
        node_.output_read(origin, text->job, OutputAccount::all);  // nobody will read any
        co_return true;
    }
    const bool is_of_rank = message->stream == Stream::out || message->stream == Stream::err;
    if (is_of_rank && !node_jobs_.may_run(text->job, origin, message->rank)) {
        ignore_report(origin);
        co_return true;
    }
    if (message->stream != Stream::end) co_return co_await job->second->output(origin, *message);
    co_await job->second->ended(origin);
    co_return true;
}

}  // namespace launch
