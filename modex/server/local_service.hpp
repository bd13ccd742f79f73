// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/modex_server.hpp"
#include "modex/exchange/root_desk.hpp"
#include "modex/server/desk.hpp"
#include "modex/server/rank_session.hpp"

namespace launch {

/// Whether LAUNCH_LOG asks for the messages between ranks and their server.
bool traces_pmi(const JobMessage& job);

/// State that all ranks of a node share: the exchange, the desk for their questions, and the
/// sessions of those that use PMI.
class LocalService : private ExchangeSink, private SessionHandler {
  public:
    /// `shared`: what all jobs whose root is in this process have there.
    LocalService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                 std::shared_ptr<RootDesk> shared = nullptr);

    void start(NodeIndex node, std::vector<uint32_t> ranks, bool root);
    /// The neighbours' messages and exits go straight there; settle() afterwards.
    Exchange& exchange() { return *exchange_; }
    /// Questions and events also go directly to the desk; call settle() afterwards.
    Desk& desk() { return *desk_; }
    /// Delivers what the exchange and the desk have decided.
    void settle();

    /// A socket for a rank to inherit, or an Error.
    Result<UniqueFd> open_session(uint32_t rank, std::unique_ptr<Front> front);
    /// A session on a connection that the rank made; `said` is what was read of it. False: it has
    /// one that is not over.
    bool adopt_session(uint32_t rank, UniqueFd socket, std::string_view said,
                       std::unique_ptr<Front> front);
    void run_session(uint32_t rank);
    /// Serves a session until it has ended.
    awaitable<void> attend_session(uint32_t rank);
    void not_started(uint32_t rank);
    /// The rank's process is gone. True: it had joined the others and not finalized.
    bool exited(uint32_t rank);
    bool spoke(uint32_t rank) const;
    /// A rank wants more processes, or something else of the head; the asker is answered when it
    /// has been done, or why it has not.
    void spawn(Asker asker, SpawnOrder order);
    /// Asks for all ranks of the node, in the name of that one.
    void ask_head(Asker asker, uint32_t rank, SpawnOrder order);
    void spawned(const SpawnedMessage& answer);
    /// It holds more than one rank may: ends the job.
    void runaway(uint32_t rank);
    /// A program of the rank has finalized, and none has joined since.
    bool had_finalized(uint32_t rank) const;
    awaitable<void> close();

    /// Set by PMIx's part, for actions that only it can do. Called from settle(), when the exchange
    /// rests.
    std::function<void(const std::string& data)> on_event;
    std::function<void(const std::vector<uint32_t>& ranks)> on_deaths;

  private:
    void to_parent(std::string message) override;
    void to_child(NodeIndex child, std::string message) override;
    void stream_to_child(NodeIndex child, MessageSource messages) override {
        host_.modex_down(child, std::move(messages));
    }
    void to_peer(uint32_t number, std::string message) override;
    void peers_wanted() override;
    void fence_done(Channel channel, std::string blob) override {
        desk_->fence_done(channel, std::move(blob));
    }
    void group_done(const std::vector<uint32_t>& group, const std::string& blob) override {
        desk_->group_done(group, blob);
    }
    void answered(uint64_t ticket, bool found, const std::string& value) override {
        desk_->answered(ticket, found, value);
    }
    void blob_wanted(uint32_t owner) override { desk_->blob_wanted(owner, Clock::now()); }
    void event_told(const std::string& data) override;
    void ranks_died(const std::vector<uint32_t>& ranks) override;
    void fence_broken(uint32_t rank, uint32_t absent) override;
    void root_wants(uint64_t ticket, uint32_t rank, const std::string& key) override;
    void root_woke() override;

    awaitable<void> settle_awoken();
    void request(uint32_t rank, Request request) override;
    void broken(uint32_t rank, const Error& error) override;
    void hung_up(uint32_t rank) override;
    void served() override { settle(); }
    void heard(uint32_t rank, std::string_view bytes) override;
    void told(uint32_t rank, std::string_view bytes) override;

    /// False: the rank's session is not over.
    bool retire_session(uint32_t rank);
    awaitable<void> attend(RankSession& session);
    Asker asker(uint32_t rank, uint64_t ticket);
    void held(Asker asker, bool fits);
    void get(Asker asker, const std::string& key, int32_t owner);
    void get_job(Asker asker, const std::string& key);
    void look_up(Asker asker, const Request& request);
    const std::string* given_card(const std::string& key) const;
    void watch_time();
    awaitable<void> keep_time();
    void fault(uint32_t rank, FaultMessage::Kind kind, int32_t value, std::string text,
               std::string hint = {});
    void trace(uint32_t rank, bool from_rank, std::string_view bytes);
    awaitable<void> miss(uint32_t rank);

    any_io_executor executor_;
    const JobMessage& job_;
    ModexHost& host_;
    std::shared_ptr<RootDesk> shared_;
    bool tracing_ = false;
    bool woken_ = false;  ///< settle_awoken() is about to run
    std::unique_ptr<Exchange> exchange_;
    std::unique_ptr<Desk> desk_;
    std::vector<uint32_t> ranks_;  ///< of this node
    std::map<uint32_t, std::unique_ptr<RankSession>> sessions_;
    std::list<std::unique_ptr<RankSession>> retired_;  ///< until they have stopped running
    std::deque<std::function<void()>> later_;
    std::optional<Desk::Time> awaited_;  ///< when the desk is next told the time
    bool closing_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
