// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "modex/exchange/collective.hpp"
#include "modex/exchange/root_asker.hpp"

namespace launch {

/// The root's knowledge of the jobs of the tree.
class SpaceBook {
  public:
    virtual ~SpaceBook() = default;

    /// Null: no job has that name, or the job is over.
    virtual const SpaceFacts* facts(const std::string& space) const = 0;
    virtual bool is_gone(const std::string& space, uint32_t rank) const = 0;
};

/// Operations of ranks of several jobs (Collective), at the root of their tree. Each node reports
/// the members that it represents; when all have come, all nodes get the answer. A member that can
/// no longer come, or that gives up, ends the operation with an error for all. Sans I/O.
class CollectiveDesk {
  public:
    /// Why one has failed, in the answer.
    static constexpr const char* no_member = "member_gone";
    static constexpr const char* no_space = "no_such_job";
    static constexpr const char* malformed = "malformed";
    static constexpr const char* too_large = "too_large";
    static constexpr const char* too_many = "too_many";

    /// So many at a time. Ranks that start more have lost their way.
    static constexpr size_t most_open = 10'000;
    /// Bytes that all nodes may contribute together.
    static constexpr size_t most_data = 16u << 20;
    /// Answers that are kept for nodes that ask again because their answer was lost: number and
    /// bytes.
    static constexpr size_t most_kept = 64;
    static constexpr size_t most_kept_bytes = 32u << 20;

    explicit CollectiveDesk(const SpaceBook& book) : book_(book) {}

    RootReplies join(const RootAsker& asker, const NameAsk& message);
    /// Nothing: it was not waiting here any more.
    RootReplies give_up(const RootAsker& asker);
    void lose_child(SpaceId space, NodeIndex child);
    RootReplies rank_gone(const std::string& space, uint32_t rank);
    RootReplies space_gone(SpaceId id, const std::string& space);

    size_t open() const { return open_.size(); }

  private:
    struct Open {
        std::vector<RootAsker> askers;
        std::map<std::string, std::set<uint32_t>> missing;  ///< members, by job
        uint64_t round = 0;                                 ///< how often it has been done before
        bool wants_context = false;
        std::vector<std::string> data;
        size_t bytes = 0;
    };
    using All = std::map<Collective, Open>;

    bool expect_members(const Collective& collective, Open& one) const;
    void name_alike(Collective& collective) const;
    void strike_out(const SpaceMemberList& present, Open& one) const;
    static bool misses_any(const SpaceMemberList& present, const Open& one);
    bool misses_the_dead(const Open& one) const;
    RootReplies complete(All::iterator at);
    RootReplies fail(All::iterator at, const char* why);
    RootReplies end(All::iterator at, const NameAnswer& answer);
    void keep(const Collective& collective, uint64_t rounds, const NameAnswer& answer);

    const SpaceBook& book_;
    All open_;
    uint64_t contexts_ = 0;  ///< that have been given away
    struct Kept {
        Collective collective;
        uint64_t rounds = 0;  ///< how often it has been done
        NameAnswer answer;    ///< the last time
    };
    std::deque<Kept> kept_;  ///< the oldest first
};

}  // namespace launch
