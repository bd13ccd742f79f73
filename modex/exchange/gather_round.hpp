// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modex/exchange/all_gather/engine.hpp"
#include "modex/exchange/tree_gather.hpp"

namespace launch {

/// The contributions to one fence, which all ranks have joined, on their way to all nodes: as the
/// root orders, among peers or along the tree. A node is through when it has all, and may be in the
/// next fence while others wait. So it keeps its own contribution until the next fence has ended
/// or been ordered, which takes a word of every node, said when it is through. Until then whoever
/// sees a peer lost, or a node of the tree, reports that up, and the root orders the tree instead:
/// everybody says again what he contributes. When all nodes have reported that they are through,
/// the root does not care any more.
class GatherRound {
  public:
    explicit GatherRound(ExchangeState& state) : state_(state) {}

    /// The first order that this node hears for a fence. `own`: what it contributes to it.
    void open(const GatherOrder& order, std::string own);
    /// A later fence has ended without an order: drops this round. No rank waits for it, because
    /// the fence would have waited for that rank.
    void close(uint64_t sequence);
    bool is_of(uint64_t sequence) const {
        return order_.attempt > 0 && order_.sequence == sequence;
    }
    /// Not through yet.
    bool waits() const { return waits_; }
    /// All contributions, once, when this node is through.
    std::optional<std::string> take_result() { return std::exchange(result_, std::nullopt); }

    /// False: not what may come now. Whatever is of an attempt that is over is ignored.
    bool ordered(const GatherOrder& order);
    bool from_child(NodeIndex child, const GatherReport& message);
    bool from_child(NodeIndex child, GatherPieces message);
    bool from_parent(GatherPieces message);
    bool from_peer(uint32_t number, const PeerPieces& message);
    /// A peer has heard of the next fence's order before this node.
    void keep_early(uint32_t number, PeerPieces message);

    /// A child is lost: perhaps it was the last to wait for.
    void advance();
    /// A peer or a node of the tree is lost, or has another parent.
    void give_up_peers();
    void say_again();
    /// Sends again what the child may have missed of this round.
    void tell_again(NodeIndex child) const;

  private:
    /// The state of the attempt that this node has reported or, at the root, decided.
    enum class Report : uint8_t { none, done, failed };
    /// Whether a message is of an earlier, the current or a later attempt than this node's.
    enum class Age : uint8_t { over, current, unknown };
    struct Early {
        uint32_t number = 0;
        PeerPieces message;
    };

    Age age_of(uint64_t sequence, uint32_t attempt) const;
    void begin(const GatherOrder& order);
    void begin_among_peers();
    void carry();
    void report(Report report);
    void through(std::string all);
    std::optional<uint32_t> contributor() const;

    ExchangeState& state_;
    GatherOrder order_;  ///< attempt 0: none, that fence has ended without
    std::string own_;
    std::optional<AllGather> engine_;  ///< until it is through, or given up
    std::optional<TreeGather> tree_;
    std::set<NodeIndex> done_below_;
    Report report_ = Report::none;
    bool carried_ = false;  ///< the engine has done its part
    bool waits_ = false;
    std::optional<std::string> result_;
    std::vector<Early> early_;
    uint64_t early_bytes_ = 0;
};

}  // namespace launch
