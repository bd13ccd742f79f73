// SPDX-License-Identifier: MIT
#include "modex/server/local_service.hpp"

#include <cerrno>
#include <sys/socket.h>

#include "core/job/log_words.hpp"
#include "modex/front/printable.hpp"
#include "modex/server/space_job.hpp"

namespace launch {
namespace {

/// A rank that closed its connection usually exits in the same moment, and how it exits says more.
constexpr milliseconds exit_patience{1000};

}  // namespace

bool traces_pmi(const JobMessage& job) {
    return log_asks_for(job.log, trace_pmi);
}

LocalService::LocalService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                           std::shared_ptr<RootDesk> shared)
    : executor_(executor),
      job_(job),
      host_(host),
      shared_(std::move(shared)),
      tracing_(traces_pmi(job)),
      changed_(executor),
      tasks_(executor) {}

void LocalService::start(NodeIndex, std::vector<uint32_t> ranks, bool root) {
    ranks_ = ranks;
    const Policies& policies = job_.policies;
    const bool heals = policies.links.choice != LinkChoice::spawn;
    const bool absent_is_fatal = !policies.keep_going && !policies.survives_host_loss();
    ExchangeSettings settings{job_.ranks, std::move(ranks), root, absent_is_fatal, heals};
    settings.hypercube = job_.on_hypercube;
    if (root) {
        settings.shared = shared_;
        settings.facts = space_facts(job_);
    }
    exchange_ = std::make_unique<Exchange>(std::move(settings), job_.policies.modex,
                                           static_cast<ExchangeSink&>(*this));
    desk_ = std::make_unique<Desk>(*exchange_);
}

Result<UniqueFd> LocalService::open_session(uint32_t rank, std::unique_ptr<Front> front) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return os_error("make the rank's PMI socket", errno);
    UniqueFd ours(ends[0]);
    UniqueFd theirs(ends[1]);
    sessions_[rank] = std::make_unique<RankSession>(
        executor_, rank, std::move(ours), std::move(front), static_cast<SessionHandler&>(*this));
    return theirs;
}

bool LocalService::adopt_session(uint32_t rank, UniqueFd socket, std::string_view said,
                                 std::unique_ptr<Front> front) {
    if (closing_ || !retire_session(rank)) return false;
    auto& session = sessions_[rank];
    session = std::make_unique<RankSession>(executor_, rank, std::move(socket), std::move(front),
                                            static_cast<SessionHandler&>(*this));
    if (!said.empty()) session->take(said);
    settle();
    return true;
}

bool LocalService::retire_session(uint32_t rank) {
    const auto at = sessions_.find(rank);
    if (at == sessions_.end()) return true;
    // One program of the rank has ended before the next could come, but we may not have read so.
    at->second->drain();
    settle();
    if (!at->second->over()) return false;
    at->second->close();
    desk_->session_gone(at->second.get());
    if (at->second->running()) retired_.push_back(std::move(at->second));
    sessions_.erase(at);
    return true;
}

void LocalService::run_session(uint32_t rank) {
    const auto at = sessions_.find(rank);
    if (at != sessions_.end()) tasks_.spawn(attend(*at->second));
}

awaitable<void> LocalService::attend(RankSession& session) {
    co_await session.run();
    retired_.remove_if([&session](const auto& retired) { return retired.get() == &session; });
}

awaitable<void> LocalService::attend_session(uint32_t rank) {
    return sessions_.at(rank)->run();
}

void LocalService::not_started(uint32_t rank) {
    sessions_.erase(rank);
    desk_->rank_gone(rank);
}

bool LocalService::spoke(uint32_t rank) const {
    const auto at = sessions_.find(rank);
    return at != sessions_.end() && at->second->spoke();
}

bool LocalService::had_finalized(uint32_t rank) const {
    const auto at = sessions_.find(rank);
    return at != sessions_.end() && at->second->front().finalized();
}

bool LocalService::exited(uint32_t rank) {
    bool unfinished = false;
    const auto at = sessions_.find(rank);
    if (at != sessions_.end()) {
        RankSession& session = *at->second;
        session.drain();
        settle();
        unfinished = session.front().joined() && !session.front().finalized();
        session.close();
        desk_->session_gone(&session);
    }
    desk_->rank_gone(rank);
    settle();
    changed_.notify();
    return unfinished;
}

awaitable<void> LocalService::close() {
    closing_ = true;
    for (auto& [rank, session] : sessions_)
        session->close();
    changed_.notify();
    co_await tasks_.join();
}

void LocalService::to_parent(std::string message) {
    for (std::string& part : in_parts(std::move(message)))
        host_.modex_up(std::move(part));
}

void LocalService::to_child(NodeIndex child, std::string message) {
    for (std::string& part : in_parts(std::move(message)))
        host_.modex_down(child, std::move(part));
}

void LocalService::peers_wanted() {
    host_.modex_wants_peers();
}

void LocalService::to_peer(uint32_t number, std::string message) {
    host_.modex_peer(number, std::move(message));
}

void LocalService::event_told(const std::string& data) {
    if (on_event) later_.emplace_back([this, data] { on_event(data); });
}

void LocalService::ranks_died(const std::vector<uint32_t>& ranks) {
    if (on_deaths) later_.emplace_back([this, ranks] { on_deaths(ranks); });
}

void LocalService::fence_broken(uint32_t rank, uint32_t absent) {
    fault(rank, FaultMessage::Kind::absent, static_cast<int32_t>(absent), {});
}

/// Another job asks, whose call this is in.
void LocalService::root_wants(uint64_t ticket, uint32_t rank, const std::string& key) {
    later_.emplace_back([this, ticket, rank, key] {
        Asker root{std::nullopt, nullptr, [this, ticket](const DeskAnswer& answer) {
                       const bool found = answer.outcome == DeskAnswer::Outcome::ok;
                       exchange_->root_has(ticket, found, answer.text);
                   }};
        if (key.empty())
            desk_->fetch(std::move(root), rank);
        else
            desk_->get(std::move(root), key, static_cast<int32_t>(rank));
    });
    root_woke();
}

void LocalService::root_woke() {
    if (!closing_ && !std::exchange(woken_, true)) tasks_.spawn(settle_awoken());
}

/// Not in the call of the job that woke this one.
awaitable<void> LocalService::settle_awoken() {
    woken_ = false;
    settle();
    co_return;
}

void LocalService::settle() {
    desk_->settle();
    while (!later_.empty()) {
        const auto work = std::move(later_.front());
        later_.pop_front();
        work();
        desk_->settle();
    }
    watch_time();
}

void LocalService::watch_time() {
    const auto next = desk_->next_deadline();
    if (!next || (awaited_ && *awaited_ <= *next) || closing_) return;
    const bool watched = std::exchange(awaited_, next).has_value();
    watched ? changed_.notify() : tasks_.spawn(keep_time());
}

awaitable<void> LocalService::keep_time() {
    while (awaited_ && !closing_) {
        co_await changed_.wait_until(*awaited_);
        desk_->expire(Clock::now());
        settle();
        awaited_ = desk_->next_deadline();
    }
}

void LocalService::fault(uint32_t rank, FaultMessage::Kind kind, int32_t value, std::string text,
                         std::string hint) {
    if (!closing_) host_.modex_fault({rank, kind, value, std::move(text), std::move(hint)});
}

void LocalService::broken(uint32_t rank, const Error& error) {
    fault(rank, FaultMessage::Kind::protocol, 0, error.cause, error.hint);
}

void LocalService::hung_up(uint32_t rank) {
    const Front& front = sessions_.at(rank)->front();
    if (front.joined() && !front.finalized() && !closing_) tasks_.spawn(miss(rank));
}

/// The rank's connection ended though it had not finalized. If it lives on, that is its fault.
awaitable<void> LocalService::miss(uint32_t rank) {
    const auto deadline = Clock::now() + exit_patience;
    const auto& session = *sessions_.at(rank);
    while (!closing_ && session.open() && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (!closing_ && session.open())
        fault(rank, FaultMessage::Kind::protocol, 0,
              "closed its PMI connection without finalize, and still runs");
}

void LocalService::trace(uint32_t rank, bool from_rank, std::string_view bytes) {
    while (!bytes.empty()) {
        const size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
        host_.modex_trace(rank, "pmi: rank " + std::to_string(rank) + " " +
                                    to_trace(from_rank, bytes.substr(0, end)));
        bytes.remove_prefix(end);
    }
}

void LocalService::heard(uint32_t rank, std::string_view bytes) {
    if (tracing_) trace(rank, true, bytes);
}

void LocalService::told(uint32_t rank, std::string_view bytes) {
    if (tracing_) trace(rank, false, bytes);
}

}  // namespace launch
