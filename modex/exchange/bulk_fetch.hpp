#pragma once

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// Fetches all cards at once where asking for each would cost more. A node that wants all asks
/// each neighbour for its side of the tree; a neighbour that lacks some asks on. Each question is
/// asked once however many wait for it, and no card goes over a link twice.
class BulkFetch {
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
    void advance();

  private:
    bool is_parent(const Neighbour& n) const { return &n == &state_.parent; }
    /// Somebody other than `n` waits for what is on n's side.
    bool needed_from(const Neighbour& n) const;
    bool all_but(const Neighbour& n) const;
    bool is_its_own(NodeIndex index, const Neighbour& n, uint32_t owner) const;
    void ask(NodeIndex index, Neighbour& n);
    void answer(NodeIndex index, Neighbour& n);
    template <class F>
    void for_each_neighbour(F f);
    template <class F>
    bool none_of_the_others(const Neighbour& n, F f) const;
    void send(NodeIndex index, const Neighbour& n, const ExchangeMessage& message);

    ExchangeState& state_;
    bool wanted_ = false;
};

}  // namespace launch
