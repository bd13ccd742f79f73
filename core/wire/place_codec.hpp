// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/codec.hpp"
#include "core/job/bind_choice.hpp"

namespace launch {

/// Part of a job's message.
void encode_place(Encoder& out, const PlaceChoice& place);
PlaceChoice decode_place(Decoder& in);

}  // namespace launch
