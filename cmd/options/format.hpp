// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/bind.hpp"
#include "cmd/options/settings.hpp"

namespace launch {

/// The one reading of --format and --stats: each says which formats it takes.
std::string read_format(std::string_view text, std::span<const Format> may_be, Format& format);
std::string write_format(Format format);
std::vector<ChoiceWord> format_words(std::span<const Format> may_be);

/// An option whose value is one of an array of formats.
template <const auto& may_be, auto... way>
constexpr Value format_among() {
    constexpr auto read = [](std::string_view text, Format& format) {
        return read_format(text, may_be, format);
    };
    return value_of<read, write_format, way...>(Kind::choice, [] { return format_words(may_be); });
}

inline constexpr auto text_and_json = std::to_array<Format>({Format::text, Format::json});

}  // namespace launch
