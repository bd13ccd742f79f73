// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "modex/front/front.hpp"

namespace launch {

enum class PmiOffer : uint8_t { any, pmi1, pmi2 };

/// The session of a rank that has PMI_FD, or that came to PMI_PORT with `id`: its first line tells
/// whether it speaks PMI-1 or PMI-2. A version that is not offered is refused as the protocol has
/// it.
std::unique_ptr<Front> make_pmi_front(RankFacts facts, PmiOffer offer = PmiOffer::any,
                                      std::optional<uint32_t> id = std::nullopt);

/// The rank that called PMI_PORT, from its first line, "cmd=initack pmiid=ID". Nothing: the line is
/// not complete yet. Afterwards a front with that rank's facts and its id gets all bytes, including
/// this line.
Result<std::optional<uint32_t>> parse_initack(std::string_view bytes);

}  // namespace launch
