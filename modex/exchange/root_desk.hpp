// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "modex/exchange/collective_desk.hpp"
#include "modex/exchange/name_board.hpp"
#include "modex/exchange/root_asker.hpp"

namespace launch {

/// A job at the root of the tree, as RootDesk asks it back.
class RootSpace {
  public:
    virtual ~RootSpace() = default;

    virtual void root_answers(const RootAsker& asker, NameAnswer answer) = 0;
    /// A card of a rank of this job, or without a key all that it has published (PMIx):
    /// RootDesk::fetched().
    virtual void root_fetches(uint64_t ticket, uint32_t rank, const std::string& key) = 0;
    virtual bool root_knows_gone(uint32_t rank) const = 0;
};

/// State that all jobs of a tree share, at its root: names, operations of several jobs, and
/// requests of one job to the ranks of another. A process has one, for all jobs whose root is
/// there; for a job with a tree of its own it is the only one. Sans I/O.
class RootDesk : private SpaceBook {
  public:
    /// `space` until remove().
    SpaceId add(SpaceFacts facts, RootSpace& space);
    /// The job is over: who waits for its ranks hears so.
    void remove(SpaceId id);

    /// Answers by RootSpace::root_answers() of the asker's job, perhaps before this returns. The
    /// same call may answer other questions.
    void ask(const RootAsker& asker, const NameAsk& message);
    void lose_child(SpaceId space, NodeIndex child);
    void rank_gone(SpaceId space, uint32_t rank);
    void fetched(uint64_t ticket, bool found, std::string value);

    const NameBoard& names() const { return names_; }
    const CollectiveDesk& collectives() const { return collectives_; }

  private:
    struct Space {
        SpaceFacts facts;
        RootSpace* space = nullptr;
    };
    struct Fetch {
        RootAsker asker;
        SpaceId of = 0;
    };

    const SpaceFacts* facts(const std::string& space) const override;
    bool is_gone(const std::string& space, uint32_t rank) const override;
    void fetch(const RootAsker& asker, const NameAsk& message);
    void give_up(const RootAsker& asker, const NameAsk& message);
    void deliver(RootReplies replies);
    void deliver(const RootAsker& asker, NameAnswer answer);

    std::map<SpaceId, Space> spaces_;
    std::map<std::string, SpaceId> by_name_;
    SpaceId last_ = 0;
    NameBoard names_;
    CollectiveDesk collectives_{*this};
    std::map<uint64_t, Fetch> fetches_;
    uint64_t next_fetch_ = 0;
};

}  // namespace launch
