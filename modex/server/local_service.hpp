#pragma once

#include <deque>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/modex_server.hpp"
#include "modex/exchange/exchange.hpp"
#include "modex/server/node_attributes.hpp"
#include "modex/server/rank_session.hpp"

namespace launch {

/// LAUNCH_LOG asks for what ranks say and are told.
bool traces_pmi(const JobMessage& job);

/// Serves the sessions of a node's ranks from the exchange: the place where a rank's request
/// becomes a put, a fence, a question, and where the answer finds its way back.
class LocalService : private ExchangeSink, private SessionHandler {
  public:
    LocalService(any_io_executor executor, const JobMessage& job, ModexHost& host);

    void start(NodeIndex node, std::vector<uint32_t> ranks, bool root);
    /// The neighbours' messages and exits go straight there; settle() afterwards.
    Exchange& exchange() { return *exchange_; }
    /// Delivers what the exchange has decided.
    void settle();

    /// A socket for a rank to inherit, or an Error.
    Result<UniqueFd> open_session(uint32_t rank, std::unique_ptr<Front> front);
    /// A session on a connection that the rank made; `said` is what was read of it. False: it has
    /// one that is not over.
    bool adopt_session(uint32_t rank, UniqueFd socket, std::string_view said,
                       std::unique_ptr<Front> front);
    void run_session(uint32_t rank);
    /// The same, until it has ended.
    awaitable<void> attend_session(uint32_t rank);
    void drop_session(uint32_t rank);
    /// The rank's process is gone. True: it had joined the others and not finalized.
    bool exited(uint32_t rank);
    bool spoke(uint32_t rank) const;
    /// Counts what a rank gives us to carry. False: it is too much, which ends the job.
    bool within_quota(uint32_t rank, uint64_t bytes);
    /// A program of the rank has finalized, and none has joined since.
    bool had_finalized(uint32_t rank) const;
    awaitable<void> close();

    /// What only PMIx's part can do; set by it. Called from settle(), when the exchange rests.
    std::function<void(std::string blob)> on_blob_fence;
    std::function<void(const std::vector<uint32_t>& group, const std::string& blob)> on_group_fence;
    std::function<void(uint32_t rank)> on_blob_wanted;
    std::function<void(const std::string& data)> on_event;
    std::function<void(const std::vector<uint32_t>& ranks)> on_deaths;
    std::function<void(uint64_t ticket, bool found, const std::string& value)> on_answer;

  private:
    struct Asked {
        uint32_t rank = 0;
        uint64_t ticket = 0;  ///< the front's
    };
    struct Ready {
        Asked asked;
        Reply reply;
    };
    /// How much one rank has put, against its limits.
    struct Quota {
        uint64_t cards = 0;
        uint64_t bytes = 0;
    };

    bool fits(const std::string& message);
    void to_parent(std::string message) override;
    void to_child(NodeIndex child, std::string message) override;
    void stream_to_child(NodeIndex child, MessageSource messages) override {
        host_.modex_down(child, std::move(messages));
    }
    void to_peer(uint32_t number, std::string message) override;
    void peers_wanted() override;
    void fence_done(Channel channel, std::string blob) override;
    void group_done(const std::vector<uint32_t>& group, const std::string& blob) override;
    void answered(uint64_t ticket, bool found, const std::string& value) override;
    void blob_wanted(uint32_t owner) override;
    void event_told(const std::string& data) override;
    void ranks_died(const std::vector<uint32_t>& ranks) override;
    void fence_broken(uint32_t rank, uint32_t absent) override;

    void request(uint32_t rank, Request request) override;
    void broken(uint32_t rank, const Error& error) override;
    void hung_up(uint32_t rank) override;
    void served() override { settle(); }
    void heard(uint32_t rank, std::string_view bytes) override;
    void told(uint32_t rank, std::string_view bytes) override;

    /// False: the rank's session is not over.
    bool retire_session(uint32_t rank);
    awaitable<void> attend(RankSession& session);
    void put(uint32_t rank, Request& request);
    void ask_name(NameAsk::Verb verb, uint32_t rank, Request& request);
    void put_node(uint32_t rank, const Request& request);
    void get_node(uint32_t rank, const Request& request);
    void get(uint32_t rank, const Request& request);
    void get_job(uint32_t rank, const Request& request);
    uint64_t remember(uint32_t rank, uint64_t ticket);
    void say(Asked asked, bool ok, std::string value);
    void fault(uint32_t rank, FaultMessage::Kind kind, int32_t value, std::string text,
               std::string hint = {});
    void trace(uint32_t rank, bool from_rank, std::string_view bytes);
    awaitable<void> miss(uint32_t rank);

    any_io_executor executor_;
    const JobMessage& job_;
    ModexHost& host_;
    bool tracing_ = false;
    std::unique_ptr<Exchange> exchange_;
    std::vector<uint32_t> ranks_;  ///< of this node
    std::map<uint32_t, std::unique_ptr<RankSession>> sessions_;
    std::list<std::unique_ptr<RankSession>> retired_;  ///< until they have stopped running
    std::map<uint32_t, Quota> quotas_;
    std::unordered_map<uint64_t, Asked> open_;
    std::vector<Asked> in_fence_;
    std::deque<Ready> ready_;
    std::deque<std::function<void()>> later_;
    NodeAttributes<Asked> node_;
    uint64_t next_ticket_ = 0;
    bool settling_ = false;
    bool closing_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
