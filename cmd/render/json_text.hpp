// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// The text as a JSON string (RFC 8259), quotes included. Bytes that are not UTF-8 become U+FFFD,
/// as JSON has no other.
std::string json_string(std::string_view text);

}  // namespace launch
