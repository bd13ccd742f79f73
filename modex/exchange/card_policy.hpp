#pragma once

#include <cstdint>

#include "core/job/modex_choice.hpp"

namespace launch {

/// How many bytes of cards that are new go along with a fence of the key-value space: up with it
/// those of a subtree, down with it those of the job. The choice between two algorithms, made by
/// size. Gathering sends all cards up the tree and down to every node, so a fence costs the size of
/// all cards on every link. On demand a fence moves no cards: a card travels when somebody reads
/// it, and a node that keeps being asked fetches all at once.
uint64_t most_cards_carried(ModexChoice asked);

/// On demand: a node that had to pass on so many questions since the last fence fetches all
/// cards; below it a few questions are cheaper than all the cards of a large job.
uint32_t questions_before_fetch(uint32_t ranks);

}  // namespace launch
