// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "modex/exchange/card_store.hpp"
#include "modex/exchange/exchange_messages.hpp"

namespace launch {

/// The cards that a fence brings, as they were when the fence ended or was sent up.
struct FenceCards {
    struct Item {
        Card card;
        bool change = false;  ///< the key had another value before
    };
    std::vector<NewPattern> patterns;
    std::vector<Item> cards;

    /// The numbers of all cards.
    std::vector<size_t> numbers() const;
};

/// The cards of a fence for one neighbour, in parts short enough for a link's deadline. The bytes
/// are shared with the parts for other neighbours.
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
