// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modex/exchange/card_store.hpp"
#include "modex/exchange/exchange_messages.hpp"

namespace launch {

/// What a fence of the key-value space brings, as it was when the fence ended or was passed up.
struct FenceCards {
    struct Item {
        Card card;
        bool change = false;  ///< the key had another value before
    };
    std::vector<NewPattern> patterns;
    std::vector<Item> cards;

    /// Of all cards.
    std::vector<size_t> numbers() const;
};

/// The same for one neighbour, in parts that are no longer than a link may take its time for. What
/// is told is shared with the parts for others.
class CardParts {
  public:
    struct Part {
        std::vector<NewPattern> patterns;
        std::string cards;    ///< a card batch
        std::string changes;  ///< another
        bool last = false;
    };
    /// `wanted`: numbers of FenceCards::cards.
    CardParts(std::shared_ptr<const FenceCards> all, std::vector<size_t> wanted)
        : all_(std::move(all)), wanted_(std::move(wanted)) {}

    /// Not after the last; there is one at least.
    Part next();

  private:
    std::shared_ptr<const FenceCards> all_;
    std::vector<size_t> wanted_;
    size_t next_pattern_ = 0;
    size_t next_card_ = 0;  ///< of `wanted_`
};

}  // namespace launch
