#pragma once

#include <memory>
#include <unordered_set>
#include <vector>

#include "modex/exchange/card_policy.hpp"
#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/fence_gate.hpp"

namespace launch {

/// The fence of the key-value space at one node: up when all below have joined, down when all
/// have. What is put before it is visible to everybody after it, either because it came along or
/// because its pattern did, by which it can be asked for.
class CardFence {
  public:
    CardFence(ExchangeState& state, ModexChoice algorithm);

    void put(Card card);
    /// False: that rank is in the fence already.
    bool join(uint32_t rank);
    void exited(uint32_t rank);
    /// False: not what a child may send now.
    bool from_child(NodeIndex child, FenceUp message);
    bool from_parent(FenceDown message);
    /// Somebody below has exited: perhaps that was the last to wait for.
    void advance();

  private:
    void note_pattern(const std::string& pattern, uint32_t owner);
    void pass_up();
    void open(FenceDown down);
    void forget();
    void pass_down(NodeIndex index, Neighbour& child, const FenceDown& down);
    void learn_patterns(const std::vector<NewPattern>& patterns);

    ExchangeState& state_;
    FenceGate gate_;
    std::unique_ptr<CardPolicy> policy_;
    std::vector<CardStore::Id> fresh_;  ///< put here or come from below since the last fence
    std::vector<NewPattern> patterns_;  ///< likewise
    std::unordered_set<std::string> pattern_texts_;
    std::vector<NodeIndex> incomplete_;  ///< children that kept their new cards
    uint64_t bytes_ = 0;                 ///< what is new in the subtree
    bool changed_ = false;
    bool passed_up_ = false;
};

}  // namespace launch
