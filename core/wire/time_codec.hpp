// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

#include "core/base/codec.hpp"

namespace launch {

inline void encode_ms(Encoder& out, std::chrono::milliseconds value) {
    out.number(static_cast<uint64_t>(value.count()));
}

inline std::chrono::milliseconds decode_ms(Decoder& in) {
    return std::chrono::milliseconds{static_cast<int64_t>(in.number() & INT64_MAX)};
}

}  // namespace launch
