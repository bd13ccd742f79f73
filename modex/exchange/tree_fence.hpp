// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/fence_gate.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// A fence at one node of the tree, over and over: up when all members below have joined, down when
/// all have. Counts them, numbers the ends, and says again what may have been lost; what it carries
/// is up to who derives from it. The ranks of a group have a fence of their own.
///
/// Where nodes may be lost (ExchangeSettings::heals) so may an end be, on its way down. Whoever
/// comes to another parent says again that all have joined below it; each message says after which
/// end that was. Of a fence of all the new parent has told the last end anyway; of a group's it
/// answers by that, if it has it.
class TreeFence : public TreePart {
  public:
    /// `heard`: the last number that an end had, of all that are numbered together.
    TreeFence(ExchangeState& state, uint64_t& heard, Members group);

    void exited(uint32_t rank);
    /// False: not what a child may send now.
    bool from_child(NodeIndex child, FenceUp message);
    bool from_parent(FenceDown message);
    void split_child(NodeIndex whole, NodeIndex part) override;
    void new_parent() override;
    void advance() override;

    /// The number of its last end.
    uint64_t last() const { return last_; }
    /// Nobody has joined since.
    bool idle() const { return gate_.idle(); }
    /// That child has told of those below it since.
    bool has_spoken(NodeIndex child) const { return gate_.has_spoken(child); }
    /// The last end, of any, before somebody did.
    uint64_t after() const { return after_; }

  protected:
    /// What an end brings a child, part after part, each made when the child takes it, and whether
    /// the part is the last; not called after that one.
    using LoadsDown = std::function<std::pair<LoadDown, bool>()>;

    const Members& group() const { return gate_.group(); }
    bool is_of_all() const { return group().empty(); }
    const FenceGate& gate() const { return gate_; }
    bool join(uint32_t rank);
    /// All ranks here that still live, except those in `left`. False: there are none.
    bool enter(const std::set<uint32_t>& left);
    /// Whether this end may come now.
    bool follows(uint64_t number) const;
    /// The next fence begins.
    void pass(uint64_t number);
    /// At the root.
    uint64_t next_number() const { return heard_ + 1; }
    void tell_end(NodeIndex child, LoadsDown loads) const;

    ExchangeState& state_;

  private:
    /// False: not what may come.
    virtual bool take(NodeIndex child, LoadUp load) = 0;
    /// Of the end with this number.
    virtual bool take(uint64_t number, LoadDown load) = 0;
    /// Of this node and all below it, in parts; one at least. More than once, if that may have been
    /// lost.
    virtual std::vector<LoadUp> loads_up() = 0;
    /// At the root, when all have joined: the end goes down, with what has come along. False:
    /// later, or the load goes another way, which it has begun.
    virtual bool may_end() { return true; }
    /// It is over: its effects, before anybody is told.
    virtual void open(uint64_t number) = 0;
    virtual LoadsDown loads_down(NodeIndex child) = 0;
    /// All are told but the ranks here.
    virtual void done() = 0;
    /// What ended last, to a child that may have missed it.
    virtual void tell_again(NodeIndex child) = 0;

    void note_first(uint64_t after);
    void pass_up();
    void end(uint64_t number);

    FenceGate gate_;
    uint64_t& heard_;
    uint64_t last_ = 0;
    uint64_t after_ = 0;
};

}  // namespace launch
