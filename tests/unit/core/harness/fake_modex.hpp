// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/modex_server.hpp"

namespace launch {

/// The one rank of each node but the head.
inline uint32_t rank_of(NodeIndex node) {
    return node - 1;
}

/// A job's part in the exchange of cards that says only what a test has it say, and keeps what it
/// is told. By its host it speaks to neighbours and to the head as the real one does.
class FakeModex : public ModexServer {
  public:
    using Ranks = std::vector<std::vector<RankRun>>;
    struct Around {
        std::function<void()> gone;  ///< called by the destructor
        /// That child of the node is there, and its own node has no other parent.
        std::function<bool(NodeIndex child)> is_child;
    };
    FakeModex(any_io_executor executor, const JobMessage& job, ModexHost& its_host, Around around)
        : host(its_host), executor_(std::move(executor)), job_(job), around_(std::move(around)) {}
    ~FakeModex() override { around_.gone(); }

    ModexHost& host;
    std::vector<std::string> from_above;
    std::map<NodeIndex, std::vector<std::string>> from_below;
    std::vector<NodeIndex> children;  ///< that it has now
    std::vector<NodeIndex> lost;
    std::map<NodeIndex, int> came;      ///< how often each has become its child
    std::vector<uint32_t> exits_below;  ///< ranks
    std::vector<SpawnedMessage> answers;
    int parents = 1;            ///< that it has had
    int running = 0;            ///< ranks that have started
    bool started_here = false;  ///< it may speak to its neighbours

    void bound(std::vector<RankBinding>) override {}
    void start(NodeIndex, const std::vector<RankRun>&, bool) override { started_here = true; }
    void add_child(NodeIndex child, const Ranks& ranks) override {
        needs_start();
        // Else its nodes have gone elsewhere.
        if (has_joined(child) ? around_.is_child(child) : has(ranks, child)) take_in(child);
    }
    void remove_child(NodeIndex child) override {
        needs_start();
        leave(child);
    }
    void split_child(NodeIndex whole, NodeIndex part, const Ranks& ranks, const Ranks&) override {
        release_child(whole, ranks, {});
        take_in(part);
    }
    void release_child(NodeIndex whole, const Ranks& ranks, const Ranks&) override {
        needs_start();
        if (has_joined(whole) ? !around_.is_child(whole) : has(ranks, whole)) leave(whole);
    }
    void widen_child(NodeIndex, const Ranks&) override { needs_start(); }
    void lose_child(NodeIndex child, const std::vector<uint32_t>&) override {
        needs_start();
        lost.push_back(child);
        leave(child);
    }
    void new_parent() override {
        needs_start();
        ++parents;
    }
    bool from_parent(std::string_view message) override {
        needs_start();
        from_above.emplace_back(message);
        return true;
    }
    bool from_child(NodeIndex child, std::string_view message) override {
        needs_start();
        from_below[child].emplace_back(message);
        return true;
    }
    void open_peers(uint32_t, uint32_t) override {}
    void no_peers() override { needs_start(); }
    bool from_peer(uint32_t, std::string_view) override { return false; }
    void peer_lost(uint32_t) override { needs_start(); }
    void spawned(const SpawnedMessage& answer) override { answers.push_back(answer); }
    void exited_below(NodeIndex, uint32_t rank, const ExitStatus&) override {
        needs_start();
        exits_below.push_back(rank);
    }
    void wrote(const OutputMessage&) override {}

    /// No rank ever starts, but of a job whose name says so.
    awaitable<Status> prepare(uint32_t, SpawnRequest, DetachedPool&,
                              std::stop_token stop) override {
        while (!stop.stop_requested() && !job_.job_id.starts_with("run"))
            co_await sleep_for(executor_, std::chrono::hours{1}, stop);
        co_return Ok{};
    }
    Status offer(uint32_t, SpawnRequest&) override { return Ok{}; }
    void started(uint32_t) override { ++running; }
    void not_started(uint32_t) override {}
    std::optional<FaultMessage> exited(uint32_t, const ExitStatus&) override { return {}; }
    bool leaves_nothing() const override { return true; }
    awaitable<void> close() override { co_return; }

  private:
    /// The real one has nothing to work on before.
    void needs_start() const {
        if (!started_here) std::abort();
    }
    /// After the job was placed: it has no rank there, and only the tree tells such nodes apart.
    bool has_joined(NodeIndex node) const { return node > job_.nodes; }
    static bool has(const Ranks& ranks, NodeIndex node) {
        return std::any_of(ranks.begin(), ranks.end(), [node](const auto& runs) {
            return !runs.empty() && runs.front().first == rank_of(node);
        });
    }
    void take_in(NodeIndex child) {
        leave(child);
        children.push_back(child);
        ++came[child];
    }
    void leave(NodeIndex child) { std::erase(children, child); }

    any_io_executor executor_;
    const JobMessage& job_;
    Around around_;
};

}  // namespace launch
