// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/message_source.hpp"
#include "core/topology.hpp"
#include "modex/exchange/all_gather/choice.hpp"
#include "modex/exchange/card_store.hpp"
#include "modex/exchange/collective.hpp"
#include "modex/exchange/exchange_messages.hpp"
#include "modex/exchange/key_pattern.hpp"
#include "modex/exchange/rank_routes.hpp"

namespace launch {

class RootDesk;

/// Where what the exchange decides goes. Called while the exchange works: an implementation
/// notes it down and calls the exchange again later, never from inside.
class ExchangeSink {
  public:
    virtual ~ExchangeSink() = default;

    virtual void to_parent(std::string message) = 0;
    virtual void to_child(NodeIndex child, std::string message) = 0;
    /// Sends a large message to the child: its parts are made as the child takes them, by default
    /// at once. There is no such function for the parent, because a report that a rank has exited
    /// takes another way, and must not overtake the rank's earlier messages.
    virtual void stream_to_child(NodeIndex child, MessageSource messages);
    /// By a link to any node, see Exchange::open_peers(). Messages of one sender keep their order;
    /// each is 256 KiB long, or little more.
    virtual void to_peer(uint32_t number, std::string message) = 0;
    /// At the root: links between any two nodes, please; Exchange::open_peers() or no_peers().
    virtual void peers_wanted() = 0;
    /// The local ranks may go on. `blob`: with Channel::blobs, everybody's contributions.
    virtual void fence_done(Channel channel, std::string blob) = 0;
    virtual void group_done(const std::vector<uint32_t>& group, const std::string& blob) = 0;
    /// A rank of another node tells the ranks here something.
    virtual void event_told(const std::string& data) = 0;
    /// Deaths that watch_deaths() asked for; each rank once.
    virtual void ranks_died(const std::vector<uint32_t>& ranks) = 0;
    /// To what get(), fetch() or name() asked.
    virtual void answered(uint64_t ticket, bool found, const std::string& value) = 0;
    /// Another node asks for all that a local rank published through PMIx; answer by resolved().
    virtual void blob_wanted(uint32_t owner) = 0;
    /// At the root: a card of a rank, or without a key all that it has published through PMIx, for
    /// another job of the tree; Exchange::root_has().
    virtual void root_wants(uint64_t /*ticket*/, uint32_t /*rank*/, const std::string& /*key*/) {}
    /// At the root: another job's doing has answered what was asked here.
    virtual void root_woke() {}
    /// At the root: the ranks wait in a fence that `absent` ranks have left for ever by exiting;
    /// `rank` is one of them.
    virtual void fence_broken(uint32_t rank, uint32_t absent) = 0;
};

struct ExchangeSettings {
    uint32_t ranks = 1;           ///< of the job
    std::vector<uint32_t> local;  ///< the ranks of this node
    bool root = false;            ///< this node has no parent
    bool absent_is_fatal = true;  ///< a fence that misses ranks that exited is broken
    bool heals = false;           ///< nodes may come to another parent than they had
    bool hypercube = false;       ///< peers are linked as one, or nearly
    /// At the root: what all jobs of this process share. Null: this is the only one.
    std::shared_ptr<RootDesk> shared = nullptr;
    SpaceFacts facts = {};  ///< at the root: of this job, for others
};

/// Ranks in the subtree of a child.
struct RanksBelow {
    uint32_t ranks = 0;
    uint32_t gone = 0;       ///< of those, how many have exited
    uint32_t gone_rank = 0;  ///< one of them

    bool all_gone() const { return gone >= ranks; }
    void lose(uint32_t rank) {
        ++gone;
        gone_rank = rank;
    }
};

/// The ranks of each of some nodes.
using NodeRuns = std::vector<std::vector<RankRun>>;

/// A node's knowledge of a neighbour in the tree; for a child, also the ranks below.
struct Neighbour : RanksBelow {
    CardSet has;               ///< cards it knows for certain: it sent them or got them from here
    bool all = true;           ///< all cards of its side are known here
    bool asked = false;        ///< it was sent Want and has not answered to the end
    bool wants = false;        ///< it sent Want and has not been answered
    uint64_t groups_over = 0;  ///< GroupsOver::number, of its subtree
    bool disturbed =
        false;  ///< nodes have moved from or to it: what it says may be late, or said twice
};

/// State that the parts of an exchange share.
struct ExchangeState {
    ExchangeState(ExchangeSettings s, ExchangeSink& k) : settings(std::move(s)), sink(k) {}

    const ExchangeSettings settings;
    ExchangeSink& sink;
    CardStore store;
    PatternIndex patterns;
    RankRoutes routes;
    std::map<NodeIndex, Neighbour> children;
    Neighbour parent;
    Peers peers;
    uint64_t epoch = 0;         ///< fences of the cards that are complete
    uint64_t blob_fences = 0;   ///< FenceDown::number of the last one of PMIx, of all ranks
    uint64_t group_fences = 0;  ///< of the last one of a group
    uint64_t valid_since = 0;   ///< cards of an earlier epoch may be out of date
    std::vector<bool> gone;     ///< by rank: has exited, as far as this node knows

    /// From now on these, and no others, are below that child.
    RanksBelow route(NodeIndex child, const NodeRuns& nodes);
    bool is_local(uint32_t rank) const;
    bool is_gone(uint32_t rank) const { return rank < gone.size() && gone[rank]; }
    /// False: that was known.
    bool note_gone(uint32_t rank);
    bool all_children_in(const std::set<NodeIndex>& some) const {
        return std::all_of(children.begin(), children.end(),
                           [&](const auto& child) { return some.contains(child.first); });
    }
    /// Every card of the job that a fence has made visible is known here.
    bool everything_known() const;
    /// Stores a neighbour's card; returns its number. `fence`: which makes the key visible.
    CardStore::Id learn(Card card, Neighbour& from, uint64_t fence = 0);
    /// A card got a new value: no neighbour has that. True: some neighbour had the old one.
    bool changed(CardStore::Id id);
    /// The cards with these numbers as a batch for `peer`, which has them from now on.
    std::string batch_for(Neighbour& peer, const std::vector<CardStore::Id>& ids);
};

/// More than this, decoded, is not taken from one message ...
inline constexpr size_t max_cards_bytes = 256u << 20;
/// ... nor a message that has more bytes, in parts.
inline constexpr size_t max_message_bytes = 1u << 30;

}  // namespace launch
