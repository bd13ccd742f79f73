// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace launch {

/// Two digits, "0a".
std::string hex_byte(char byte);

/// Two digits a byte, in order.
std::string hex_bytes(std::string_view bytes);

/// As many digits as it needs: "0", "1f".
std::string hex_number(uint64_t number);

}  // namespace launch
