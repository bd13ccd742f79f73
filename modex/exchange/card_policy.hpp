#pragma once

#include <cstdint>
#include <memory>

#include "core/job/modex_choice.hpp"

namespace launch {

/// What a fence of the key-value space does with the cards that are new: the choice between the
/// algorithms, made by size. Gathering sends all cards up the tree and down to every node, so a
/// fence costs the size of all cards on every link. On demand a fence moves no cards: a card
/// travels when somebody reads it, and a node that keeps being asked fetches all at once.
class CardPolicy {
  public:
    virtual ~CardPolicy() = default;

    /// The new cards of a subtree, `bytes` of them, go up with the fence.
    virtual bool carry_up(uint64_t bytes) const = 0;
    /// All new cards of the job, `bytes` of them, go down with the fence.
    virtual bool broadcast(uint64_t bytes) const = 0;
};

std::unique_ptr<CardPolicy> make_card_policy(ModexChoice algorithm);

/// On demand: a node that had to pass on so many questions since the last fence fetches all
/// cards; below it a few questions are cheaper than all the cards of a large job.
uint32_t questions_before_fetch(uint32_t ranks);

}  // namespace launch
