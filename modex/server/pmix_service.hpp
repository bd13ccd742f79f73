#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <unordered_map>

#include "core/async/detached_pool.hpp"
#include "modex/pmix/pmix_server.hpp"
#include "modex/server/local_service.hpp"

namespace launch {

/// The ranks of a node that speak PMIx: starts libpmix's server before the first one, and carries
/// what they ask to the exchange, which LocalService owns.
class PmixService : private PmixEvents {
  public:
    PmixService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                LocalService& local);

    /// `speaker`: one of the node's ranks, for what is said for all of them.
    void start(NodeIndex node, uint32_t speaker) {
        node_ = node;
        speaker_ = speaker;
    }
    /// Starts the server, if nobody has. Not waited for any more after `stop`.
    awaitable<void> open(std::stop_token stop);
    /// What the rank needs to find it; an Error where this node has no PMIx.
    Status offer(uint32_t rank, std::vector<std::string>& env);
    void not_started(uint32_t rank);
    /// The rank's process is gone. True: it had joined the others and not finalized.
    bool exited(uint32_t rank);
    bool spoke(uint32_t rank) const { return spoke_.count(rank) > 0; }
    awaitable<void> close();

  private:
    using Group = std::vector<uint32_t>;

    void pmix_joined(uint32_t rank) override;
    void pmix_finalized(uint32_t rank) override;
    void pmix_fence(const Group& ranks, std::string data, bool collect, Done done) override;
    void pmix_fetch(uint32_t rank, Done done) override;
    void pmix_publish(uint32_t rank, std::string key, std::string value, bool once,
                      Done done) override;
    uint64_t pmix_lookup(uint32_t rank, std::string key, bool awaits, Done done) override;
    void pmix_give_up(uint64_t lookup) override;
    void pmix_unpublish(std::string key, Done done) override;
    void pmix_event(uint32_t rank, std::string data) override;
    void pmix_abort(uint32_t rank, int code, std::string message) override;

    void trace(uint32_t rank, const std::string& text);
    bool can_be_taken_out(uint32_t rank) const;
    void take_server(Result<std::unique_ptr<PmixServer>> started);
    Result<PmixJob> pmix_job() const;
    void fence_done(std::string blob);
    void group_done(const Group& group, const std::string& blob);
    void blob_wanted(uint32_t rank);
    void deaths_told(const std::vector<uint32_t>& ranks);
    void answered(uint64_t ticket, bool found, const std::string& value);
    void give_up_all_of(uint32_t rank);
    uint64_t remember(Done done, std::optional<uint32_t> awaited_by = {});
    uint64_t ask_name(NameAsk::Verb verb, std::string key, std::string value, uint64_t ticket);

    any_io_executor executor_;
    const JobMessage& job_;
    ModexHost& host_;
    LocalService& local_;
    DetachedPool thread_;  ///< where libpmix starts and ends
    NodeIndex node_ = 0;
    uint32_t speaker_ = 0;
    bool tracing_ = false;
    std::unique_ptr<PmixServer> server_;
    std::optional<Error> no_server_;
    std::set<uint32_t> spoke_;
    std::set<uint32_t> joined_;     ///< and not finalized
    std::set<uint32_t> finalized_;  ///< and not joined again
    std::set<uint32_t> may_fence_;  ///< ranks that may have joined or may yet, and not finalized
    std::map<uint32_t, uint64_t> heard_at_;  ///< how many had joined when a rank was last heard of
    uint64_t joins_ = 0;
    Done in_fence_;
    std::map<Group, Done> in_group_;
    struct Open {
        Done done;
        std::optional<uint32_t> awaited_by;  ///< a rank that waits for a name to be published
    };
    std::unordered_map<uint64_t, Open> open_;
    std::unordered_map<uint32_t, uint32_t> awaited_;  ///< so many of those, by rank
    uint64_t next_ticket_;
};

}  // namespace launch
