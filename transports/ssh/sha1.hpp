// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace launch {

/// HMAC-SHA1, as known_hosts hides host names with it ("|1|SALT|HASH"); for nothing else. Here
/// because a lookup in a thousand hashed lines must not cost more than the connection.
std::array<uint8_t, 20> hmac_sha1(std::string_view key, std::string_view text);

}  // namespace launch
