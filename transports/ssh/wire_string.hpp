// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace launch {

// Numbers and strings as ssh's protocols and key files have them (RFC 4251, section 5).

/// Takes a number of four bytes off the front.
std::optional<uint32_t> take_wire_number(std::string_view& bytes);
/// Takes a string, its length first, off the front. It points into `bytes`.
std::optional<std::string_view> take_wire_string(std::string_view& bytes);

void put_wire_number(std::string& bytes, uint32_t number);
void put_wire_string(std::string& bytes, std::string_view text);

}  // namespace launch
