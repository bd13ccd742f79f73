// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace launch {

/// Whether a node sends its own executable to the hosts that it starts.
enum class PushChoice : uint8_t {
    automatic,  ///< where the host has none, or another build, or one that does not start
    always,     ///< what the host may have is not used
    never,      ///< such a host is a failure
};

constexpr auto push_choice_names = std::to_array<std::string_view>({"auto", "always", "never"});

}  // namespace launch
