// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/wire/frame.hpp"

namespace launch {

/// The bytes of one frame.
inline std::string framed(FrameType type, std::string_view payload) {
    std::string bytes;
    encode_frame(type, payload, bytes);
    return bytes;
}

}  // namespace launch
