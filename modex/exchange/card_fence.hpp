#pragma once

#include <optional>
#include <unordered_set>
#include <vector>

#include "modex/exchange/card_policy.hpp"
#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/fence_gate.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// The fence of the key-value space at one node: up when all below have joined, down when all
/// have. What is put before it is visible to everybody after it, either because it came along or
/// because its pattern did, by which it can be asked for.
class CardFence : public TreePart {
  public:
    CardFence(ExchangeState& state, ModexChoice algorithm);

    void put(Card card);
    /// False: that rank is in the fence already.
    bool join(uint32_t rank);
    void exited(uint32_t rank);
    /// False: not what a child may send now.
    bool from_child(NodeIndex child, FenceUp message);
    bool from_parent(FenceDown message);
    void split_child(NodeIndex whole, NodeIndex part) override;
    void new_parent() override;
    void advance() override;

  private:
    /// What is new: put here, or come with the fence. All of it goes to whom it did not come from,
    /// also to who has read a card early, since that one must pass it on.
    struct News {
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
        /// What goes along when all of it goes.
        uint64_t whole() const { return bytes + pattern_bytes; }
    };
    void note_pattern(News& news, const std::string& pattern, uint32_t owner) const;
    void take(std::vector<Card> cards, NodeIndex child, bool change);
    /// The new cards that `f` wants, as a batch.
    template <class F>
    std::string batch_for(Neighbour& peer, F f);
    void pass_up();
    void open(const FenceDown& down);
    void forget();
    void pass_down(NodeIndex index, Neighbour& child, const FenceDown& down);
    void tell_again(NodeIndex index);
    void learn_patterns(const std::vector<NewPattern>& patterns);

    ExchangeState& state_;
    FenceGate gate_;
    const uint64_t most_carried_;  ///< bytes of new cards
    News news_;                    ///< of this fence
    /// The fence before this one, for who has missed its end.
    struct Last {
        FenceDown down;
        std::vector<CardStore::Id> cards;
    } last_;
    News late_;                          ///< of the next one: put while this one is on its way
    std::vector<NodeIndex> incomplete_;  ///< children that kept their new cards
};

}  // namespace launch
