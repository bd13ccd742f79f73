#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "modex/exchange/exchange_state.hpp"

namespace launch {

/// Counts who has come to one fence: the local ranks and the subtrees below. Ranks that have
/// exited will never come; the gate opens without them, and says how many they are.
class FenceGate {
  public:
    explicit FenceGate(const ExchangeState& state);

    /// False: the rank is in the fence already, or not of this node.
    bool join(uint32_t rank);
    /// All local ranks that have not exited, except those in `left`.
    void join_all(const std::set<uint32_t>& left);
    /// False: the subtree is in already.
    bool join_child(NodeIndex child, uint32_t absent, uint32_t absent_rank);
    /// That subtree has come, if the one it was part of had.
    void split_child(NodeIndex whole, NodeIndex part);
    /// Whether the end of the fence `sequence` may come after that of `last`. Where nodes may be
    /// lost it may come twice, and who waits for none may have missed some.
    bool follows(uint64_t sequence, uint64_t last) const {
        return state_.settings.heals || sequence == last + 1;
    }
    bool has(NodeIndex child) const { return children_.count(child) > 0; }
    /// A child's message, where `last` fences are complete. `known`: it has come already, by who
    /// was between, or this fence went on without it.
    enum class Entry : uint8_t { joined, known, refused };
    Entry admit(NodeIndex child, const FenceUp& message, uint64_t last);
    void exited(uint32_t rank);

    /// What is to be done with the fence when somebody has come or gone. `up`: once, then the gate
    /// is closed to latecomers until reset(). A fence that is broken is reported, once, and ends
    /// nothing.
    enum class End : uint8_t { none, up, open };
    End advance();
    bool closed() const { return closed_; }
    /// The message that goes up, with what the gate knows.
    FenceUp message(Channel channel, uint64_t sequence) const;

    /// Everybody who can come has come.
    bool awaits_nobody() const;
    /// And somebody has.
    bool complete() const { return !idle() && awaits_nobody(); }
    /// Nobody has come yet.
    bool idle() const { return joined_ == 0 && children_.empty(); }
    bool joined(uint32_t rank) const;
    uint32_t absent() const;
    uint32_t absent_rank() const;
    void reset();

  private:
    struct Member {
        bool joined = false;
        bool gone = false;
    };
    struct Subtree {
        uint32_t absent = 0;
        uint32_t absent_rank = 0;
    };
    size_t place(uint32_t rank) const;
    Member* find(uint32_t rank);

    const ExchangeState& state_;
    std::vector<Member> members_;  ///< as ExchangeSettings::local
    uint32_t joined_ = 0;          ///< local ranks in the fence
    uint32_t awaited_ = 0;         ///< local ranks that may still come
    std::map<NodeIndex, Subtree> children_;
    bool closed_ = false;
};

}  // namespace launch
