// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/options/table.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// Readers of option values. Each returns what is wrong with the text as a clause, or an empty
/// string when the result was filled. A writer puts a value as text that its reader takes.

/// "true" or "false"; of the latter nothing is written.
std::string read_flag(std::string_view text, bool& flag);
std::string write_flag(bool flag);

std::string read_number(std::string_view text, uint64_t min, uint64_t max, uint64_t& number);

/// "10", "1.5s", "200ms", "2m", "1h": a time of at most a year; without a unit it is seconds.
std::string read_duration(std::string_view text, milliseconds& duration);
std::string read_duration_above_zero(std::string_view text, milliseconds& duration);
std::string write_duration(milliseconds duration);

/// "all", "none", or a rank.
std::string read_stdin_target(std::string_view text, StdinTarget& target);
std::string write_stdin_target(StdinTarget target);

/// "all", "none", or names of core/job/rank_limits.hpp between commas.
std::string read_resources(std::string_view text, Resources& resources);
std::string write_resources(Resources resources);
std::vector<ChoiceWord> resource_words();

/// "5000-5100", or one port.
std::string read_ports(std::string_view text, PortRange& ports);
/// Empty for "whatever is free".
std::string write_ports(PortRange ports);

/// The word of a path that may be standard input.
std::vector<ChoiceWord> standard_input_word();

/// The words between commas; empty ones are left out.
std::vector<std::string> split_commas(std::string_view text);

/// The last one of each name among "NAME=VALUE" texts, in their order.
std::vector<std::string> last_of_each(const std::vector<std::string>& pairs);

/// The place of the text among the names; the number of names if it is none of them, with what is
/// wrong then.
std::string find_choice(std::string_view text, std::span<const std::string_view> names,
                        size_t& index);

/// An enumeration whose values are the places of their names.
template <class Choice, size_t Count>
std::string read_choice(std::string_view text, const std::array<std::string_view, Count>& names,
                        Choice& choice) {
    size_t index = 0;
    auto objection = find_choice(text, names, index);
    if (objection.empty()) choice = static_cast<Choice>(index);
    return objection;
}

/// The one reading of --format and --stats: each says which formats it takes.
std::string read_format(std::string_view text, std::span<const Format> may_be, Format& format);
std::string write_format(Format format);
std::vector<ChoiceWord> format_words(std::span<const Format> may_be);

/// The path as it is found from the folder; itself where it is absolute or the folder is empty.
std::string absolute(const std::string& path, const std::string& folder);

/// The text of an option's value, with a path made absolute from the folder. Words that may stand
/// instead of a path, and values that are not paths, stay.
std::string absolute_value(const OptionRow& option, const std::string& text,
                           const std::string& folder);

}  // namespace launch
