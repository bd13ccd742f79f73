// SPDX-License-Identifier: MIT
#include "core/session/session_head.hpp"

#include <algorithm>
#include <csignal>
#include <unistd.h>

#include "core/base/build_id.hpp"
#include "core/base/counted.hpp"
#include "core/base/unix_time.hpp"
#include "core/head/report.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/link/patience.hpp"
#include "core/session/session_plan.hpp"

namespace launch {

SessionHead::SessionHead(any_io_executor executor, const Plan& plan, HeadTree& tree,
                         Settings settings)
    : executor_(executor),
      plan_(plan),
      tree_(tree),
      settings_(std::move(settings)),
      keeper_(executor, tree, plan.hosts, slots_, log_,
              {[this] { tell_waiting(Changed::hosts); },
               [this](const std::vector<NodeIndex>& nodes) { return users_of(nodes); }}),
      starts_(plan.hosts.size()),
      door_(executor, [this](const Peer& who, auto link) { let_in(who, std::move(link)); }),
      began_(unix_seconds_now()),
      idle_since_(Clock::now()),
      changed_(executor),
      tasks_(executor) {
    tree_.watch(*this);
}

awaitable<std::vector<FailureMessage>> SessionHead::start() {
    tree_.open();
    tree_.start();
    while (!stops_ && !tree_.hosts().all_known())
        co_await changed_.wait();
    while (!stops_ && !tree_.settle_routes())
        co_await changed_.wait_until(tree_.routes_deadline());
    tree_.end_start();
    co_return failures_;
}

StartingHosts SessionHead::starting() const {
    return {hosts_up(), plan_.hosts.size(), waiting_hosts(tree_.hosts(), starts_)};
}

Status SessionHead::open(const std::string& socket) {
    auto opened = door_.open(socket);
    if (!opened) return opened;
    idle_since_ = Clock::now();
    log_.add("session " + settings_.name + " with " + counted(hosts_up(), "host"));
    return Ok{};
}

awaitable<void> SessionHead::run() {
    tasks_.spawn(keep_idle_limit());
    tasks_.spawn(keep_queue());
    if (!plan_.local) tasks_.spawn(keeper_.keep());
    while (!stops_)
        co_await changed_.wait();
}

void SessionHead::stop() {
    stops_ = true;
    keeper_.stop();
    changed_.notify();
}

awaitable<void> SessionHead::finish() {
    stop();
    door_.close();
    for (const Client& client : clients_)
        client.link->close();
    while (!clients_.empty())
        co_await changed_.wait();
    co_await tree_.finish(patience::leave_head);
    co_await keeper_.join();
    co_await tasks_.join();
    co_await door_.join();
}

void SessionHead::hosts_up(const std::vector<NodeIndex>& nodes) {
    keeper_.up(nodes);
    tell_waiting(Changed::hosts);
}

void SessionHead::hosts_failed(const FailureMessage& failure) {
    if (!door_.is_open()) failures_.push_back(failure);
    for (const auto& line : host_failure_lines({failure}))
        log_.add(line);
    keeper_.failed(failure);
    for (const NodeRange& range : failure.nodes())
        surveys_.lose(range);
    tell_waiting(Changed::hosts);  // a job may wait for a host that will not come back
}

void SessionHead::notice(const NoticeMessage& notice) {
    log_.add(tree_.hosts().name_of(notice.node) + ": " + notice.text);
}

awaitable<void> SessionHead::keep_idle_limit() {
    while (!stops_ && settings_.idle.count() > 0) {
        const auto deadline =
            jobs_.empty() ? idle_since_ + settings_.idle : Clock::time_point::max();
        if (Clock::now() >= deadline) {
            log_.add("the session ends because it was idle for too long");
            stop();
        } else {
            co_await changed_.wait_until(deadline);
        }
    }
}

void SessionHead::let_in(const Peer& who, std::shared_ptr<FramedLink> link) {
    if (stops_) return link->close();
    Client client;
    client.link = std::move(link);
    client.peer = who;
    client.id = ++last_client_;
    clients_.push_back(std::move(client));
    tasks_.spawn(serve(clients_.back()));
}

awaitable<void> SessionHead::serve(Client& client) {
    client.link->send(FrameType::hello, Hello{Hello::current_version, own_build_id()}.encode());
    tell_state(client);
    for (;;) {
        const auto frame = co_await client.link->receive();
        if (!frame || !frame->has_value()) break;
        const bool goes_on = co_await take(client, **frame);
        if (!goes_on) break;
    }
    client.link->close();
    end_detached(client, std::nullopt);
    if (queue_.leave(client.id)) tell_waiting(Changed::slots);
    give_back(client);
    clients_.remove_if([&client](const Client& each) { return &each == &client; });
    changed_.notify();
}

void SessionHead::give_back(Client& client) {
    if (!client.reserved) return;
    slots_.give_back(*client.reserved);
    client.reserved.reset();
    keeper_.let_idle_leave();
    tell_waiting(Changed::slots);
}

awaitable<bool> SessionHead::take(Client& client, const Frame& frame) {
    if (frame.type == FrameType::job && client.reserved) {
        co_await run_job(client, frame.payload);
        co_return false;
    }
    const auto request = frame.type == FrameType::session_request
                             ? decode_session_request(frame.payload)
                             : std::nullopt;
    if (const auto* of = request ? std::get_if<SurveyRequest>(&*request) : nullptr)
        co_await survey(client, *of);
    else if (request && (std::holds_alternative<AddRequest>(*request) ||
                         std::holds_alternative<RemoveRequest>(*request)))
        co_await answer_late(client, *request);
    else if (request)
        answer(client, *request);
    co_return request.has_value();
}

void SessionHead::answer(Client& client, const SessionRequest& request) {
    if (const auto* wait = std::get_if<WaitRequest>(&request)) {
        if (queue_.wait(client.id, wait->wished)) ++changes_;
        if (client.told != changes_) tell_state(client);
        return;
    }
    const auto answer = answer_to(client, request);
    if (answer) client.link->send(FrameType::session_answer, answer->encode());
}

/// Nothing: when a job has ended.
std::optional<SessionAnswer> SessionHead::answer_to(Client& client, const SessionRequest& request) {
    if (const auto* slots = std::get_if<ReserveRequest>(&request)) return reserve(client, *slots);
    if (const auto* signal = std::get_if<SignalRequest>(&request)) return send_signal(*signal);
    if (const auto* output = std::get_if<OutputRequest>(&request))
        return where_output_is(output->job);
    if (const auto* wanted = std::get_if<OutcomeRequest>(&request)) {
        auto outcome = detached_.outcome(wanted->job);
        if (!outcome) client.waits_for = wanted->job;
        return outcome;
    }
    SessionAnswer answer;
    if (const auto* job = std::get_if<DetachRequest>(&request)) {
        detached_.begin(job->job, job->output);
        client.detached = job->job;
    } else if (const auto* ended = std::get_if<EndedRequest>(&request)) {
        end_detached(client, ended->exit_code);
    } else {
        answer.lines = log_.lines();
    }
    return answer;
}

/// Where no ranks are named also to the processes that they asked for, which are jobs named after
/// it.
SessionAnswer SessionHead::send_signal(const SignalRequest& request) {
    SessionAnswer answer;
    const auto job = jobs_.find(request.job);
    if (job == jobs_.end()) {
        answer.kind = SessionAnswer::Kind::no_job;
        return answer;
    }
    if (!request.order.ranks.empty()) {
        if (auto refused = refuse_ranks(request.order.ranks, job->second.ranks)) return *refused;
        tree_.signal(request.job, request.order);
        return answer;
    }
    const std::string& id = job_ids_[request.job];
    for (const auto& [number, each] : job_ids_)
        if (number == request.job || each.starts_with(id + '.'))
            tree_.signal(number, request.order);
    return answer;
}

/// That takes its time.
awaitable<void> SessionHead::answer_late(Client& client, SessionRequest request) {
    SessionAnswer answer;
    if (plan_.local) {
        answer.kind = SessionAnswer::Kind::unknown_hosts;
        answer.lines = {"the session was started without hosts, so it cannot add or remove any"};
    } else if (auto* const add = std::get_if<AddRequest>(&request)) {
        name_own_machine(add->hosts, keeper_.state());
        answer = co_await keeper_.add(std::move(*add));
    } else if (auto* const remove = std::get_if<RemoveRequest>(&request)) {
        name_own_machine(remove->hosts, keeper_.state());
        answer = co_await keeper_.remove(std::move(*remove));
    }
    client.link->send(FrameType::session_answer, answer.encode());
}

std::vector<std::string> SessionHead::users_of(const std::vector<NodeIndex>& nodes) const {
    std::vector<std::string> lines;
    for (const auto& [number, job] : jobs_) {
        std::vector<std::string> names;
        for (const NodeIndex node : nodes)
            if (std::find(job.nodes.begin(), job.nodes.end(), node) != job.nodes.end())
                names.push_back(tree_.hosts().name_of(node));
        if (names.empty()) continue;
        lines.push_back("job " + std::to_string(static_cast<uint32_t>(number)) + " (" +
                        job.command + ") uses " + fold_names(std::move(names)));
    }
    if (lines.empty()) lines.emplace_back("a job is about to start there");
    return lines;
}

/// Answers a question about the ranks of a job. The client gets no other message meanwhile.
awaitable<void> SessionHead::survey(Client& client, SurveyRequest request) {
    SessionAnswer answer;
    const auto known = jobs_.find(request.job);
    if (known == jobs_.end()) {
        answer.kind = SessionAnswer::Kind::no_job;
    } else if (auto refused = refuse_ranks(request.order.ranks, known->second.ranks)) {
        answer = *std::move(refused);
    } else {
        std::set<NodeIndex> nodes;
        for (const NodeIndex node : known->second.nodes)
            if (tree_.hosts().is_up(node)) nodes.insert(node);
        SurveyOrder order = std::move(request.order);
        order.survey = ++last_survey_;
        order.limit = std::min(order.limit, patience::longest_survey);
        surveys_.open(order.survey, std::move(nodes));
        tree_.survey(request.job, order);
        const auto deadline = Clock::now() + order.limit + patience::survey_comes_up;
        while (!stops_ && !surveys_.is_complete(order.survey) && jobs_.contains(request.job) &&
               Clock::now() < deadline)
            co_await changed_.wait_until(deadline);
        auto found = surveys_.close(order.survey);
        answer.survey = std::move(found.merged);
        if (jobs_.contains(request.job)) answer.silent = std::move(found.silent);
    }
    client.link->send(FrameType::session_answer, answer.encode());
}

SessionAnswer SessionHead::where_output_is(JobNumber job) const {
    SessionAnswer answer;
    answer.lines = {detached_.output(job)};
    if (!answer.lines.front().empty()) return answer;
    answer.kind =
        jobs_.contains(job) ? SessionAnswer::Kind::not_detached : SessionAnswer::Kind::no_job;
    return answer;
}

/// Reports the end of its job to a client that waits for it.
void SessionHead::end_detached(Client& client, std::optional<int> exit_code) {
    if (!client.detached) return;
    const JobNumber job = *std::exchange(client.detached, std::nullopt);
    detached_.end(job, exit_code);
    const auto outcome = detached_.outcome(job);
    for (Client& each : clients_) {
        if (each.waits_for != job || !outcome) continue;
        each.waits_for.reset();
        each.link->send(FrameType::session_answer, outcome->encode());
    }
}

/// A process of a job that runs spawns others: jobs that wait may wait for that job's end.
bool SessionHead::may_pass(const Client& client) const {
    const auto process = static_cast<uint32_t>(client.peer.pid);
    return process != 0 &&  // one of another namespace has no number here
           std::any_of(jobs_.begin(), jobs_.end(),
                       [process](const auto& job) { return job.second.client == process; });
}

bool SessionHead::is_kept(const ReserveRequest& request, SlotQueue::Client client) const {
    const auto kept = queue_.kept_from(client);
    return std::any_of(request.parts.begin(), request.parts.end(),
                       [&kept](const auto& part) { return kept.contains(part.node); });
}

SessionAnswer SessionHead::reserve(Client& client, const ReserveRequest& request) {
    const bool fits = request.share ? slots_.knows(request.parts)
                                    : slots_.has_room(request.parts) &&
                                          (may_pass(client) || !is_kept(request, client.id));
    const auto& hosts = keeper_.hosts().all();
    const bool some_leave = std::any_of(hosts.begin(), hosts.end(), [&](const auto& host) {
        return host.leaves() &&
               std::any_of(request.parts.begin(), request.parts.end(),
                           [&](const auto& part) { return part.node == host.node; });
    });
    if (!fits || some_leave || client.reserved) return {SessionAnswer::Kind::no_room, {}, {}, 0};
    slots_.take(request.parts);
    ++changes_;
    client.reserved = request.parts;
    client.number = JobNumber{++last_job_};
    if (queue_.leave(client.id)) tell_waiting(Changed::slots);
    SessionAnswer answer;
    answer.job = client.number;
    return answer;
}

awaitable<void> SessionHead::run_job(Client& client, std::string_view start) {
    const auto both = JobStart::decode(start);
    auto message = both ? JobMessage::decode(both->job) : std::nullopt;
    auto placed = both ? AssignmentMessage::decode(both->assignment) : std::nullopt;
    if (!message || !placed) co_return;
    static_cast<TreePolicies&>(message->policies) = plan_.spec.policies;
    const JobNumber number = client.number;
    const auto job_state = state_of(client, *message);
    const std::string name = "job " + std::to_string(static_cast<uint32_t>(number));
    jobs_[number] = job_state;
    job_ids_[number] = message->job_id;
    log_.add(name + " begins: " + counted(job_state.ranks, "rank") + " of " + job_state.command);
    SessionJob job(executor_, tree_, number, client.link, [this](const SurveyMessage& answer) {
        const bool is_own = surveys_.take(answer);
        if (is_own) changed_.notify();
        return is_own;
    });
    co_await job.run(*std::move(message), *std::move(placed));
    jobs_.erase(number);
    job_ids_.erase(number);
    idle_since_ = Clock::now();
    log_.add(name + " has ended");
    give_back(client);  // before its user hears of the end, and starts the next one
    co_await job.say_farewell();
}

SessionJobState SessionHead::state_of(const Client& client, const JobMessage& message) const {
    SessionJobState state;
    state.number = client.number;
    state.command = command_text(message.programs);
    for (const auto& part : *client.reserved) {
        state.ranks += part.ranks;
        state.nodes.push_back(part.node);
        state.hosts.push_back(tree_.hosts().name_of(part.node));
    }
    state.began = unix_seconds_now();
    state.client = static_cast<uint32_t>(client.peer.pid);
    return state;
}

SessionState SessionHead::state_for(const Client& client) const {
    SessionState state;
    state.name = settings_.name;
    state.pid = static_cast<uint32_t>(getpid());
    state.began = began_;
    state.topology = (plan_.routing ? plan_.routing : plan_.topology)->name();
    state.transport = plan_.spec.transport.name;
    state.is_here = plan_.local;
    state.hosts = keeper_.state();
    for (const auto& [number, job] : jobs_) {
        state.jobs.push_back(job);
        state.jobs.back().output = detached_.output(number);
    }
    const auto waiting = queue_.all();
    state.waiting = static_cast<uint32_t>(
        std::count_if(waiting.begin(), waiting.end(),
                      [&client](SlotQueue::Client each) { return each != client.id; }));
    if (may_pass(client)) return state;
    const auto kept = queue_.kept_from(client.id);
    for (SessionHost& host : state.hosts)
        host.is_kept = kept.contains(host.node);
    return state;
}

void SessionHead::tell_state(Client& client) {
    client.told = changes_;
    queue_.tell(client.id, Clock::now() + patience::answer);
    changed_.notify();  // there is a deadline
    client.link->send(FrameType::session_state, state_for(client).encode());
}

/// Tells the state to clients that wait: to all of them if hosts have changed, else to those that
/// the free slots can help.
void SessionHead::tell_waiting(Changed changed) {
    ++changes_;
    const auto helped = queue_.helped([this](NodeIndex node) { return slots_.has_free(node); });
    for (Client& client : clients_) {
        const bool matters =
            changed == Changed::hosts ? queue_.waits(client.id) : helped.contains(client.id);
        if (matters) tell_state(client);
    }
    changed_.notify();
}

awaitable<void> SessionHead::keep_queue() {
    while (!stops_) {
        if (queue_.pass_over(Clock::now())) tell_waiting(Changed::slots);
        co_await changed_.wait_until(queue_.next_deadline());
    }
}

}  // namespace launch
