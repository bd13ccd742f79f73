// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <set>
#include <string>

#include "modex/exchange/contributions.hpp"
#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// The most bytes that all contributions may have: the sum in the order, plus as much as one
/// message may unpack to, because a node that the root counted as gone may contribute after all.
uint64_t most_bytes_of(const GatherOrder& order);

/// Gathers all contributions to a fence along the tree, in pieces, when the root orders it. Every
/// node sends up those of its subtree when all below have sent theirs; when the root has all, they
/// go down, to each child those from outside its subtree. If nodes are lost meanwhile, lost
/// messages are sent again, and nodes that no longer come are not waited for. Memory:
/// most_bytes_of() the order, independent of the number of children, since each message is made
/// when its child takes it.
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
    /// Sends again what a new parent has to know.
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
