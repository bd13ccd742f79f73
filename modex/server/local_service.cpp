#include "modex/server/local_service.hpp"

#include <cerrno>
#include <sys/socket.h>

#include "core/job/log_words.hpp"
#include "modex/front/printable.hpp"

namespace launch {
namespace {

constexpr size_t most_in_a_message = 48u << 20;
/// A rank that closed its connection usually exits in the same moment, and how it exits says more.
constexpr milliseconds exit_patience{1000};

}  // namespace

bool traces_pmi(const JobMessage& job) {
    return log_asks_for(job.log, trace_pmi);
}

LocalService::LocalService(any_io_executor executor, const JobMessage& job, ModexHost& host)
    : executor_(executor),
      job_(job),
      host_(host),
      tracing_(traces_pmi(job)),
      changed_(executor),
      tasks_(executor) {}

void LocalService::start(NodeIndex, std::vector<uint32_t> ranks, bool root) {
    ranks_ = ranks;
    const Policies& policies = job_.policies;
    const bool heals = policies.links.choice != LinkChoice::spawn;
    const bool absent_is_fatal = !policies.keep_going && !policies.survives_host_loss();
    ExchangeSettings settings{job_.ranks, std::move(ranks), root, absent_is_fatal, heals};
    settings.hypercube = job_.runs_on_hypercube();
    exchange_ = std::make_unique<Exchange>(std::move(settings), job_.policies.modex,
                                           static_cast<ExchangeSink&>(*this));
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

void LocalService::drop_session(uint32_t rank) {
    sessions_.erase(rank);
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
    }
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

/// What neighbours tell each other must fit a frame, with room to spare.
bool LocalService::fits(const std::string& message) {
    if (message.size() <= most_in_a_message) return true;
    fault(ranks_.empty() ? 0 : ranks_.front(), FaultMessage::Kind::protocol, 0,
          "the cards of one fence, here and below, are " + std::to_string(message.size() >> 20) +
              " MiB together; at most " + std::to_string(most_in_a_message >> 20) + " MiB travel",
          "put less, or in several fences");
    return false;
}

void LocalService::to_parent(std::string message) {
    if (fits(message)) host_.modex_up(std::move(message));
}

void LocalService::to_child(NodeIndex child, std::string message) {
    if (fits(message)) host_.modex_down(child, std::move(message));
}

void LocalService::peers_wanted() {
    host_.modex_wants_peers();
}

void LocalService::to_peer(uint32_t number, std::string message) {
    host_.modex_peer(number, std::move(message));
}

void LocalService::fence_done(Channel channel, std::string blob) {
    if (channel == Channel::blobs) {
        // It may be large: it is moved all the way to libpmix, never copied.
        const auto all = std::make_shared<std::string>(std::move(blob));
        if (on_blob_fence) later_.emplace_back([this, all] { on_blob_fence(std::move(*all)); });
        return;
    }
    for (const Asked& asked : std::exchange(in_fence_, {}))
        say(asked, true, {});
}

void LocalService::group_done(const std::vector<uint32_t>& group, const std::string& blob) {
    if (on_group_fence) later_.emplace_back([this, group, blob] { on_group_fence(group, blob); });
}

void LocalService::answered(uint64_t ticket, bool found, const std::string& value) {
    const auto at = open_.find(ticket);
    if (at == open_.end()) {
        if (on_answer)
            later_.emplace_back([this, ticket, found, value] { on_answer(ticket, found, value); });
        return;
    }
    const Asked asked = at->second;
    open_.erase(at);
    say(asked, found, value);
}

void LocalService::blob_wanted(uint32_t owner) {
    if (on_blob_wanted) later_.emplace_back([this, owner] { on_blob_wanted(owner); });
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

void LocalService::say(Asked asked, bool ok, std::string value) {
    ready_.push_back({asked, {ok, std::move(value)}});
}

void LocalService::settle() {
    if (std::exchange(settling_, true)) return;
    while (!ready_.empty() || !later_.empty()) {
        if (ready_.empty()) {
            const auto work = std::move(later_.front());
            later_.pop_front();
            work();
            continue;
        }
        const Ready ready = std::move(ready_.front());
        ready_.pop_front();
        const auto at = sessions_.find(ready.asked.rank);
        if (at != sessions_.end()) at->second->reply(ready.asked.ticket, ready.reply);
    }
    settling_ = false;
}

uint64_t LocalService::remember(uint32_t rank, uint64_t ticket) {
    open_.emplace(next_ticket_, Asked{rank, ticket});
    return next_ticket_++;
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
              "closed its PMI connection without finalize, and runs on");
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
