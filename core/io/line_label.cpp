// SPDX-License-Identifier: MIT
#include "core/io/line_label.hpp"

#include <array>
#include <ctime>

#include "core/base/unix_time.hpp"

namespace launch {
namespace {

/// Colors of a terminal that are readable on dark and on light ground; ranks with adjacent numbers
/// get colors that differ much.
constexpr auto colors = std::to_array<int>({36, 33, 32, 35, 34, 31, 96, 93, 92, 95, 94, 91});

std::string color_of(uint32_t rank) {
    return "\033[" + std::to_string(colors[rank % colors.size()]) + "m";
}

constexpr std::string_view plain = "\033[0m";

/// "2026-11-24", or "21:05:58.123".
std::string now_as(OutputField field) {
    const uint64_t now_us = unix_us_now();
    const auto second = static_cast<std::time_t>(now_us / 1'000'000);
    tm parts{};
    localtime_r(&second, &parts);
    std::array<char, 32> text{};
    const bool is_date = field == OutputField::date;
    const size_t length =
        std::strftime(text.data(), text.size(), is_date ? "%Y-%m-%d" : "%H:%M:%S", &parts);
    std::string shown(text.data(), length);
    if (is_date) return shown;
    std::string fraction = std::to_string(now_us / 1000 % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    return shown + "." + fraction;
}

}  // namespace

LineLabel::LineLabel(std::string_view text) {
    add_text(text);
}

LineLabel::LineLabel(const OutputPattern& pattern, const OutputFields& fields, bool colored) {
    if (pattern.parts().empty()) return;
    if (colored) add_text(color_of(fields.rank));
    for (const auto& part : pattern.parts()) {
        if (part.field == OutputField::date || part.field == OutputField::time)
            parts_.push_back({part.field, {}});
        else
            add_text(OutputPattern::fill(part, fields));
    }
    if (colored) add_text(plain);
}

void LineLabel::add_text(std::string_view text) {
    if (text.empty()) return;
    if (parts_.empty() || parts_.back().field != OutputField::text) parts_.emplace_back();
    parts_.back().text.append(text);
}

void LineLabel::append_to(std::string& out) const {
    for (const Part& part : parts_)
        out.append(part.field == OutputField::text ? part.text : now_as(part.field));
}

}  // namespace launch
