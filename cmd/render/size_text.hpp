// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// For people: "512 B", "300 KiB", "12 MiB", rounded down, never with fewer than two digits that
/// count.
inline std::string size_text(uint64_t bytes) {
    constexpr uint64_t kib = 1024;
    if (bytes < 10 * kib) return std::to_string(bytes) + " B";
    if (bytes < 10 * kib * kib) return std::to_string(bytes / kib) + " KiB";
    return std::to_string(bytes / (kib * kib)) + " MiB";
}

}  // namespace launch
