// SPDX-License-Identifier: MIT
#include "cmd/render/text_parts.hpp"

#include <algorithm>
#include <array>

namespace launch {
namespace {

constexpr uint64_t one_second = 1'000'000;
constexpr uint64_t one_minute = 60 * one_second;
constexpr uint64_t one_hour = 60 * one_minute;
constexpr uint64_t one_day = 24 * one_hour;

/// "12.5 s"; a whole number of seconds has no decimals.
std::string seconds_text(uint64_t time) {
    std::string text = std::to_string(time / one_second);
    if (time % one_second == 0) return text + " s";
    const auto decimals = std::to_string(one_second + time % one_second).substr(1);
    return text + "." + decimals.substr(0, time < 10 * one_second ? 2 : 1) + " s";
}

std::string in_two_units(uint64_t time, uint64_t unit, const char* name, uint64_t below,
                         const char* name_below) {
    const uint64_t rest = time % unit / below;
    return std::to_string(time / unit) + name +
           (rest == 0 ? "" : " " + std::to_string(rest) + name_below);
}

}  // namespace

std::string size_text(uint64_t bytes) {
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

std::string time_text(uint64_t microseconds) {
    if (microseconds < 2 * one_minute) return seconds_text(microseconds);
    if (microseconds < 2 * one_hour)
        return in_two_units(microseconds, one_minute, " min", one_second, " s");
    if (microseconds < 2 * one_day)
        return in_two_units(microseconds, one_hour, " h", one_minute, " min");
    return std::to_string(microseconds / one_day) + " days";
}

std::string TextTable::text() const {
    std::vector<size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows_) {
        std::string line;
        for (size_t i = 0; i < row.size(); ++i) {
            line += row[i];
            if (i + 1 < row.size()) line.append(widths[i] + 2 - row[i].size(), ' ');
        }
        text += line + "\n";
    }
    return text;
}

}  // namespace launch
