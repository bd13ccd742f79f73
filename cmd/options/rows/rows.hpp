// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "cmd/options/table.hpp"
#include "embedded/option_texts.hpp"

namespace launch {

/// The parts of the table of options, one for each page of cmd/options/texts. A new option is a row
/// in one of them, its texts in the page, and the field in settings.hpp that it fills.
std::span<const OptionRow> rows_of_program();
std::span<const OptionRow> rows_of_hosts();
std::span<const OptionRow> rows_of_env();
std::span<const OptionRow> rows_of_files();
std::span<const OptionRow> rows_of_mpi();
std::span<const OptionRow> rows_of_tree();
std::span<const OptionRow> rows_of_streams();
std::span<const OptionRow> rows_of_time();
std::span<const OptionRow> rows_of_look();
/// Options that only `launch config` has.
std::span<const OptionRow> rows_of_config();
/// The --format of commands that answer as text or JSON.
std::span<const OptionRow> format_of_answers();
/// Options that only `launch session start` has.
std::span<const OptionRow> rows_of_session();

/// Removes the next line that is not empty from a page, and returns what follows `sign` in it.
consteval std::string_view take_line(std::string_view& page, std::string_view sign = {}) {
    page.remove_prefix(std::min(page.find_first_not_of('\n'), page.size()));
    if (page.empty() || !page.starts_with(sign)) throw "a text of an option is missing";
    const auto line = page.substr(0, page.find('\n'));
    page.remove_prefix(line.size());
    return line.substr(sign.size());
}

/// Completes rows: all get the group, those of the job the scope, and those without a key their
/// name without dashes. Their texts come from the page of this name in cmd/options/texts, which
/// describes the rows in their order: a heading "## NAMES", the line of help, the paragraph for
/// manuals and, for a default that is no value, "Unset: WORDS". The compiler refuses a text that is
/// missing, superfluous, doubled or out of order.
template <size_t count>
consteval auto complete_rows(std::string_view name, OptionGroup group, Scope scope,
                             std::array<OptionRow, count> rows) {
    const auto* found = std::find_if(option_texts.begin(), option_texts.end(),
                                     [&](const EmbeddedText& each) { return each.name == name; });
    if (found == option_texts.end()) throw "no page in cmd/options/texts has this name";
    auto page = found->text;
    for (auto& row : rows) {
        row.group = group;
        if (row.scope == Scope::job) row.scope = scope;
        if (row.key.empty()) row.key = row.name().substr(row.name().find_first_not_of('-'));
        if (take_line(page, "## ") != row.names) throw "the page describes another option here";
        row.help = take_line(page);
        row.manual = take_line(page);
        if (page.starts_with("\n\nUnset: ")) row.if_unset = take_line(page, "Unset: ");
    }
    if (page != "\n") throw "the page describes an option that no row has";
    return rows;
}

}  // namespace launch
