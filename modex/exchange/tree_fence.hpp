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

/// A fence at one node of the tree, repeatedly: it goes up when all members below have joined, and
/// down when all have. It counts the members, numbers the ends, and resends messages that may have
/// been lost; derived classes decide on the data that it carries. The ranks of a group have a fence
/// of their own.
///
/// Where nodes may be lost (ExchangeSettings::heals), an end may be lost on its way down. A node
/// that has moved to another parent repeats its report that all below it have joined; each message
/// has the number of the end that came before it. For a fence of all ranks the new parent has sent
/// the last end anyway; for a group's it answers by that number, if it has the end. A node reports
/// again where more have joined below it than it has reported.
class TreeFence : public TreePart {
  public:
    /// `heard`: the last number that an end had, of all that are numbered together.
    TreeFence(ExchangeState& state, uint64_t& heard, Members group);

    void exited(uint32_t rank);
    /// False: not what a child may send now.
    bool from_child(NodeIndex child, FenceUp message);
    bool from_parent(FenceDown message);
    void split_child(NodeIndex whole, NodeIndex part) override;
    void return_child(NodeIndex child) override;
    void new_parent() override;
    void advance() override;

    /// The number of its last end.
    uint64_t last() const { return last_; }
    /// No member has joined since the last end.
    bool idle() const { return gate_.idle(); }
    /// Whether that child has reported on its subtree since the last end.
    bool has_spoken(NodeIndex child) const { return gate_.has_spoken(child); }
    /// The number of the last end, of any fence, before the first member joined.
    uint64_t after() const { return after_; }

  protected:
    /// The data that an end brings a child, part by part, each made when the child takes it, and
    /// whether the part is the last; not called after the last one.
    using LoadsDown = std::function<std::pair<LoadDown, bool>()>;

    const Members& group() const { return gate_.group(); }
    bool is_of_all() const { return group().empty(); }
    const FenceGate& gate() const { return gate_; }
    bool join(uint32_t rank);
    /// All living ranks here join, except those in `left`. False: no such rank is here.
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
    /// Takes data of the end with this number.
    virtual bool take(uint64_t number, LoadDown load) = 0;
    /// The data of this node and its subtree, in parts, at least one. Called again if a part may
    /// have been lost.
    virtual std::vector<LoadUp> loads_up() = 0;
    /// At the root, when all have joined: the end goes down, with what has come along. False:
    /// later, or the load goes another way, which it has begun.
    virtual bool may_end() { return true; }
    /// Applies the effects of the end, before any node gets the report.
    virtual void open(uint64_t number) = 0;
    virtual LoadsDown loads_down(NodeIndex child) = 0;
    /// All nodes have the report; only the ranks here do not.
    virtual void done() = 0;
    /// Sends the last end to a child that may have missed it.
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
