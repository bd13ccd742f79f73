// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modex/exchange/card_store.hpp"

namespace launch {

/// Many cards as bytes: the pattern of their keys once, ranks as differences, of each pattern and
/// value only the middle that differs from the one before it.
std::string encode_cards(const std::vector<const Card*>& cards);

/// The cards that encode_cards() encoded; nothing for other bytes. Never makes more than
/// `max_bytes` of keys and values, even if the bytes refer to each other.
std::optional<std::vector<Card>> decode_cards(std::string_view bytes, size_t max_bytes);

}  // namespace launch
