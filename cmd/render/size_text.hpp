// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace launch {

/// A size for people, rounded down: "512 B", "1.5 KiB", "5 MiB", "20 GiB". Sizes below 10 of a unit
/// have a decimal if it is not 0.
inline std::string size_text(uint64_t bytes) {
    constexpr std::array<const char*, 5> units{" B", " KiB", " MiB", " GiB", " TiB"};
    uint64_t scale = 1;
    size_t unit = 0;
    for (; bytes / scale >= 1024 && unit + 1 < units.size(); ++unit)
        scale *= 1024;
    std::string text = std::to_string(bytes / scale);
    const uint64_t tenths = bytes % scale * 10 / scale;
    if (text.size() == 1 && tenths > 0) text += "." + std::to_string(tenths);
    return text + units[unit];
}

}  // namespace launch
