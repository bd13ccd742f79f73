// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <string>

#include "modex/exchange/contributions.hpp"
#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// What all contributions may come to: as the order says, and as much as one message may unpack to,
/// since who was taken for gone when the root counted may contribute after all.
uint64_t most_bytes_of(const GatherOrder& order);

/// All contributions to a fence along the tree, in pieces, at the root's order: every node says up
/// those of its subtree when all below have, and when the root has all they go down, to each child
/// those of others. Nodes may be lost meanwhile: what was on its way is said again, and whoever
/// does not come any more is not waited for. Memory: most_bytes_of() the order, once however many
/// children are told it, since each message is made when its child takes it.
class TreeGather {
  public:
    /// `of`: a rank of this node; nothing: it contributes nothing.
    TreeGather(ExchangeState& state, const GatherOrder& order, std::optional<uint32_t> of,
               const std::string& own);

    /// False: not what may come now. Both are of this order.
    bool from_child(NodeIndex child, GatherPieces message);
    bool from_parent(GatherPieces message);
    /// A child is lost.
    void advance();
    /// To a child that may have missed it: the end, if it has come.
    void tell_again(NodeIndex child) const;
    /// To another parent.
    void say_again();

    /// All have come. They are kept for who has missed the end, until nobody can have.
    bool over() const { return over_; }
    std::string joined() const { return all_->joined(); }
    void forget() { all_ = std::make_shared<Contributions>(); }

  private:
    bool take(GatherPieces& message, std::optional<NodeIndex> from);
    void say_up() const;
    void end();
    MessageSource messages(std::optional<NodeIndex> all_but) const;

    ExchangeState& state_;
    GatherOrder order_;
    std::shared_ptr<Contributions> all_;  ///< shared with what is being told
    std::set<NodeIndex> said_;            ///< children
    bool said_up_ = false;
    bool over_ = false;
};

}  // namespace launch
