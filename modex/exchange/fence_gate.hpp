// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// Counts who has come to one fence: its members among the local ranks, and the subtrees below.
/// Members that have exited will never come; the gate opens without them, and says how many they
/// are.
class FenceGate {
  public:
    explicit FenceGate(const ExchangeState& state, Members group = {});

    /// The members of the fence; nothing: all ranks.
    const Members& group() const { return group_; }
    /// False: the rank is in the fence already, or no member of this node.
    bool join(uint32_t rank);
    /// All local members join that have not exited, except those in `left`. False: no such member
    /// is here.
    bool join_all(const std::set<uint32_t>& left);
    /// Takes the report of a child about its subtree. The subtree has joined when the report covers
    /// all members there: while nodes move to other parents, a member may be counted below a child
    /// that does not know it yet.
    void join_child(NodeIndex child, const FenceUp& message);
    /// That subtree has come, if the one it was part of had.
    void split_child(NodeIndex whole, NodeIndex part);
    /// Whether `message` of a child may join it, where `last` is the number of the last end.
    /// `known`: it has come already, by who was between, or this fence went on without it. A child
    /// that was believed elsewhere when this node reported may join late.
    enum class Entry : uint8_t { welcome, known, refused };
    Entry admit(NodeIndex child, const FenceUp& message, uint64_t last) const;
    void exited(uint32_t rank);

    /// The next step of the fence after a member has joined or left. `up`: once, and again where
    /// more have joined than were reported; the gate is closed to the ranks here until reset(). A
    /// broken fence is reported once, and ends nothing.
    enum class End : uint8_t { none, up, open };
    End advance();
    bool closed() const { return reported_.has_value(); }
    /// The report has gone to another parent than there is now, or is to be made again.
    void report_again() {
        if (closed()) reported_ = 0;
    }

    /// Every member that can join has joined.
    bool awaits_nobody() const;
    /// Every member that can join has joined, and at least one has.
    bool complete() const { return !idle() && awaits_nobody(); }
    /// No member has joined yet.
    bool idle() const { return joined_ == 0 && children_.empty(); }
    /// Members here and below, joined or not.
    uint32_t counted() const;
    bool has_spoken(NodeIndex child) const { return children_.contains(child); }
    uint32_t absent() const;
    uint32_t absent_rank() const;
    bool has_members_here() const { return !members_.empty(); }
    /// Some member runs, or ran, in that child's subtree.
    bool has_members_below(NodeIndex child) const { return below(child).ranks > 0; }
    void reset();

  private:
    struct Member {
        uint32_t rank = 0;
        bool joined = false;
        bool gone = false;
    };
    struct Subtree {
        uint32_t counted = 0;
        uint32_t absent = 0;
        uint32_t absent_rank = 0;
    };
    /// The members there, whether they have come or not.
    RanksBelow below(NodeIndex child) const;
    bool is_due();
    bool misses_some(uint64_t known) const;
    /// All there have come, or are gone.
    bool is_in(NodeIndex child) const;
    Member* find(uint32_t rank);

    const ExchangeState& state_;
    const Members group_;
    std::vector<Member> members_;  ///< of this node, ascending
    uint32_t joined_ = 0;          ///< local ranks in the fence
    uint32_t awaited_ = 0;         ///< local ranks that may still come
    std::map<NodeIndex, Subtree> children_;
    /// How many members were counted in the last report, or fewer, if some have left since: they
    /// may come back. Nothing: no report was made.
    std::optional<uint32_t> reported_;
};

}  // namespace launch
