// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

std::string base64_encode(std::string_view bytes);

/// Standard base64; an empty result for text that is none.
std::string base64_decode(std::string_view text);

}  // namespace launch
