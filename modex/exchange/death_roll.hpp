// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// The ranks that have died, known at the root. Nodes that watch get a message for each one; others
/// can ask (Names). So deaths cost little where no rank wants to know of them.
class DeathRoll : public TreePart {
  public:
    explicit DeathRoll(ExchangeState& state) : state_(state) {}

    /// A local rank has died.
    void died(uint32_t rank);
    /// From now on this node gets a message for every death, including earlier ones.
    void watch();
    void from_child(const Deaths& message);
    void from_parent(const Deaths& message);
    void watched_by(NodeIndex child);
    void new_parent() override;
    /// At the root: "0,3-5", cut to whole entries that fit into `limit` characters; empty: none.
    std::string text(size_t limit) const;

  private:
    bool watched() const { return here_ || !children_.empty(); }
    /// The ranks among these whose death is new.
    std::vector<uint32_t> take_new(const std::vector<uint32_t>& ranks);
    void report(const std::vector<uint32_t>& ranks);
    void ask_parent(bool asked_before);

    ExchangeState& state_;
    std::set<uint32_t> dead_;  ///< at the root, and where they are watched
    std::set<uint32_t> told_;  ///< to the parent, where that may be lost
    std::set<NodeIndex> children_;
    bool here_ = false;
};

}  // namespace launch
