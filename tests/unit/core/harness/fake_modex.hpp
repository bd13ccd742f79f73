#pragma once

#include <algorithm>
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
    using Gone = std::function<void()>;  ///< called by the destructor
    FakeModex(any_io_executor executor, ModexHost& its_host, Gone gone)
        : host(its_host), executor_(std::move(executor)), gone_(std::move(gone)) {}
    ~FakeModex() override { gone_(); }

    ModexHost& host;
    std::vector<std::string> from_above;
    std::map<NodeIndex, std::vector<std::string>> from_below;
    std::vector<NodeIndex> children;  ///< that it has now
    std::vector<NodeIndex> lost;
    std::map<NodeIndex, int> came;  ///< how often each has become its child
    std::vector<SpawnedMessage> answers;
    int parents = 1;            ///< that it has had
    bool started_here = false;  ///< it may speak to its neighbours

    void start(NodeIndex, const std::vector<RankRun>&, bool) override { started_here = true; }
    void add_child(NodeIndex child, const Ranks& ranks) override {
        if (has(ranks, child)) take_in(child);  // else its nodes have gone elsewhere
    }
    void remove_child(NodeIndex child) override { leave(child); }
    void split_child(NodeIndex whole, NodeIndex part, const Ranks& ranks, const Ranks&) override {
        release_child(whole, ranks, {});
        take_in(part);
    }
    void release_child(NodeIndex whole, const Ranks& ranks, const Ranks&) override {
        if (has(ranks, whole)) leave(whole);
    }
    void widen_child(NodeIndex, const Ranks&) override {}
    void lose_child(NodeIndex child, const std::vector<uint32_t>&) override {
        lost.push_back(child);
        leave(child);
    }
    void new_parent() override { ++parents; }
    bool from_parent(std::string_view message) override {
        from_above.emplace_back(message);
        return true;
    }
    bool from_child(NodeIndex child, std::string_view message) override {
        from_below[child].emplace_back(message);
        return true;
    }
    void open_peers(uint32_t, uint32_t) override {}
    void no_peers() override {}
    bool from_peer(uint32_t, std::string_view) override { return false; }
    void peer_lost(uint32_t) override {}
    void spawned(const SpawnedMessage& answer) override { answers.push_back(answer); }
    void exited_below(NodeIndex, uint32_t, const ExitStatus&) override {}

    /// No rank ever starts.
    awaitable<void> prepare(uint32_t, SpawnRequest, std::stop_token stop) override {
        while (!stop.stop_requested())
            co_await sleep_for(executor_, std::chrono::hours{1}, stop);
    }
    Status offer(uint32_t, SpawnRequest&) override { return Ok{}; }
    void started(uint32_t) override {}
    void not_started(uint32_t) override {}
    std::optional<FaultMessage> exited(uint32_t, const ExitStatus&) override { return {}; }
    awaitable<void> close() override { co_return; }

  private:
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
    Gone gone_;
};

}  // namespace launch
