// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>

#include "core/async/detached_pool.hpp"
#include "modex/pmix/pmix_server.hpp"
#include "modex/server/local_service.hpp"
#include "modex/server/pmix_clients.hpp"

namespace launch {

/// Where a server of PMIx may have its folder.
struct PmixPlace {
    std::string parent;
    std::string kept;  ///< of a server that exists already; empty: there is no such server
};

/// The ranks of a node that speak PMIx: starts libpmix's server before the first one, and carries
/// what they ask to the desk, which LocalService owns.
class PmixService : private PmixEvents, private BlobSource {
  public:
    PmixService(any_io_executor executor, const JobMessage& job, ModexHost& host,
                LocalService& local, PmixLibrary library);

    /// `speaker`: one of the node's ranks, for what is said for all of them.
    void start(NodeIndex node, uint32_t speaker) {
        node_ = node;
        speaker_ = speaker;
    }
    struct Wanted {
        std::vector<RankBinding> bound;  ///< the CPUs of the ranks here, by local rank
        std::string store;               ///< see PmixLibrary::set_up_environment
        std::string library;             ///< see PmixJob
    };
    /// Starts the server, unless it runs. Waits no longer after `stop`.
    awaitable<void> open(Wanted wanted, std::stop_token stop);
    /// After open(): why this node has no PMIx, if it has none.
    Status opened() const;
    /// The variables by which the rank finds the server; an Error if this node has no PMIx.
    Status offer(uint32_t rank, std::vector<std::string>& env);
    /// The rank's process is gone, or was not started. True: it had joined the others and not
    /// finalized. Call it before LocalService::ended().
    bool ended(uint32_t rank);
    bool spoke(uint32_t rank) const { return clients_.spoke(rank); }
    /// Ranks here that take part in fences of all.
    std::set<uint32_t> joined() const { return clients_.in(PmixClients::State::joined); }
    std::function<void()> on_joined;  ///< joined() has one more
    /// After open(): tools cannot connect, although the job wants it so, and why.
    std::optional<std::string> no_tools() const;
    /// A rank here has written that.
    void wrote(const OutputMessage& output) {
        if (server_ && read_along_.contains(output.rank))
            server_->pass_output(output.rank, output.stream == Stream::err, output.bytes);
    }
    /// There is a folder of it, which close() takes away.
    bool was_opened() const { return server_ || no_server_; }
    awaitable<void> close();

  private:
    using Group = std::vector<uint32_t>;

    void pmix_joined(uint32_t rank) override;
    void pmix_finalized(uint32_t rank) override;
    void pmix_fence(const Group& ranks, std::string data, bool collect, Done done) override;
    void pmix_fetch(uint32_t rank, Done done) override;
    void pmix_fetch_of(const std::string& nspace, uint32_t rank, Done done) override;
    void pmix_collective(PmixCollective asked, CollectiveDone done) override;
    void pmix_publish(uint32_t rank, std::vector<NamedValue> names, bool once, NameScope scope,
                      Done done) override;
    void pmix_lookup(uint32_t rank, NameLookup lookup, Found found) override;
    void pmix_unpublish(uint32_t rank, std::vector<std::string> names, Done done) override;
    void pmix_spawn(uint32_t rank, SpawnOrder order, Done done) override;
    void pmix_event(std::optional<uint32_t> rank, std::string data) override;
    void pmix_table(bool local, TableDone done) override;
    void pmix_output_wanted(const std::vector<uint32_t>& ranks) override;
    void pmix_output_unwanted() override { read_along_.clear(); }
    void pmix_abort(uint32_t rank, int code, std::string message) override;
    void fetch(uint32_t rank) override;
    void give_up(uint32_t rank) override;

    void trace(uint32_t rank, const std::string& text);
    void joined_twice(uint32_t rank);
    void take_server(Result<std::unique_ptr<PmixServer>> started);
    std::vector<PmixProcess> table_of(const std::vector<RankState>& ranks) const;
    Result<PmixJob> pmix_job(const PmixPlace& place) const;
    awaitable<Result<PmixPlace>> find_place(std::stop_token stop);
    Result<CollectiveResult> result(const Collective& collective, const DeskAnswer& answer);
    Status acquaint(const Collective& collective, const CollectiveResult& result);
    Asker asker(std::optional<uint32_t> rank, const char* what, Done done);
    void deaths_told(const std::vector<uint32_t>& ranks);

    any_io_executor executor_;
    const JobMessage& job_;
    ModexHost& host_;
    LocalService& local_;
    const PmixLibrary library_;
    DetachedPool thread_;  ///< where libpmix starts and ends
    NodeIndex node_ = 0;
    uint32_t speaker_ = 0;
    std::string own_host_;  ///< as the job's map of nodes has it
    bool tracing_ = false;
    std::unique_ptr<PmixServer> server_;
    std::optional<Error> no_server_;  ///< why this node has no server
    PmixClients clients_;
    std::set<uint32_t> read_along_;  ///< the ranks whose output tools want, too
};

}  // namespace launch
