// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "core/job/modex_choice.hpp"
#include "modex/exchange/card_parts.hpp"
#include "modex/exchange/tree_fence.hpp"

namespace launch {

/// The fence of the key-value space at one node. Values that are put before it are visible to every
/// rank after it, because either the cards or their patterns travel with it, and a pattern suffices
/// to ask for a card. This is the choice between two algorithms, made by size. Gathering sends all
/// cards up the tree and down to every node, so a fence costs the size of all cards on every link.
/// On demand, a fence moves no cards: a card travels when a rank reads it, and a node that is asked
/// often fetches all cards at once.
class CardFence : public TreeFence {
  public:
    CardFence(ExchangeState& state, ModexChoice algorithm);

    void put(Card card);
    /// False: that rank is in the fence already.
    using TreeFence::join;
    void split_child(NodeIndex whole, NodeIndex part) override;

  private:
    /// New cards: put by local ranks, or received with the fence. They go to every neighbour except
    /// the one that sent them, also to a neighbour that has read a card early, because it must
    /// forward the card.
    struct Additions {
        struct Item {
            CardStore::Id id = 0;
            std::optional<NodeIndex> from;  ///< a child; nothing: this node or the parent
            bool change = false;            ///< the key had another value before
        };
        std::vector<Item> cards;
        CardSet listed;  ///< the numbers in `cards`
        std::vector<NewPattern> patterns;
        std::unordered_set<std::string> pattern_texts;
        uint64_t bytes = 0;          ///< what is new in the subtree
        uint64_t pattern_bytes = 0;  ///< of `patterns`, which name every literal key
        bool changed = false;

        void add(Item item);
        /// Bytes if all cards travel with the fence.
        uint64_t whole() const { return bytes + pattern_bytes; }
    };
    bool take(NodeIndex child, LoadUp load) override;
    bool take(uint64_t number, LoadDown load) override;
    std::vector<LoadUp> loads_up() override;
    bool may_end() override;
    void open(uint64_t number) override;
    LoadsDown loads_down(NodeIndex child) override;
    void done() override;
    void tell_again(NodeIndex child) override;

    void note_pattern(Additions& additions, const std::string& pattern, uint32_t owner) const;
    void add(std::vector<Card> cards, NodeIndex child, bool change);
    /// All that is new comes along.
    bool complete() const { return incomplete_.empty() && additions_.whole() <= most_carried_; }
    /// The patterns, and the cards where they come along.
    FenceCards all_new(bool with_cards) const;
    LoadsDown loads_of_end(std::vector<size_t> wanted) const;
    void forget();

    const uint64_t most_carried_;     ///< bytes of new cards
    Additions additions_;             ///< of this fence
    Additions late_additions_;        ///< of the next one: put while this one is on its way
    std::set<NodeIndex> incomplete_;  ///< children that kept their new cards
    CardsDown end_;                   ///< the last end, without what it brings
    /// What it brings, in the order of `additions_`. Kept for who has missed it, if anybody may.
    /// Null: nothing.
    std::shared_ptr<const FenceCards> end_cards_;
};

}  // namespace launch
