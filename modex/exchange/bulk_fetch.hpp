// SPDX-License-Identifier: MIT
#pragma once

#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// Fetches all cards at once where asking for each would cost more. A node that wants all asks
/// each neighbour for its side of the tree; a neighbour that lacks some asks on. Each question is
/// asked once however many wait for it, and no card goes over a link twice.
class BulkFetch : public TreePart {
  public:
    explicit BulkFetch(ExchangeState& state) : state_(state) {}

    /// This node itself wants to know every card.
    void want_everything();
    bool wants_everything() const { return wanted_; }
    /// A neighbour wants our side.
    void wanted_by(Neighbour& neighbour);
    /// False: malformed.
    bool received(Neighbour& from, const Cards& message);
    /// Asks what must be asked and answers what can be answered.
    void advance() override;
    void new_parent() override { advance(); }

  private:
    bool is_parent(const Neighbour& n) const { return &n == &state_.parent; }
    /// Numbers of neighbours, counted once for all of them.
    struct Counts {
        size_t wanting = 0;  ///< our side
        size_t lacking = 0;  ///< cards of theirs are not all known here
    };
    Counts count();
    bool is_its_own(NodeIndex index, const Neighbour& n, uint32_t owner) const;
    void ask(NodeIndex index, Neighbour& n);
    void answer(NodeIndex index, Neighbour& n);
    template <class F>
    void for_each_neighbour(F f);
    void send(NodeIndex index, const Neighbour& n, const ExchangeMessage& message);

    ExchangeState& state_;
    bool wanted_ = false;
};

}  // namespace launch
