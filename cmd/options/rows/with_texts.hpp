// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "cmd/options/row.hpp"
#include "embedded/option_texts.hpp"

namespace launch {

/// Removes the next line that is not empty from a page, and returns what follows `sign` in it.
consteval std::string_view take_line(std::string_view& page, std::string_view sign = {}) {
    page.remove_prefix(std::min(page.find_first_not_of('\n'), page.size()));
    if (page.empty() || !page.starts_with(sign)) throw "a text of an option is missing";
    const auto line = page.substr(0, page.find('\n'));
    page.remove_prefix(line.size());
    return line.substr(sign.size());
}

/// Gives rows the texts of the page of this name in cmd/options/texts. The page describes the rows
/// in their order: a heading "## NAMES", the line of help, the paragraph for manuals and, for a
/// default that is no value, "Unset: WORDS". The compiler refuses a text that is missing,
/// superfluous, doubled or out of order.
template <size_t count>
consteval auto with_texts(std::string_view name, std::array<OptionRow, count> rows) {
    const auto* found = std::find_if(option_texts.begin(), option_texts.end(),
                                     [&](const EmbeddedText& each) { return each.name == name; });
    if (found == option_texts.end()) throw "no page in cmd/options/texts has this name";
    auto page = found->text;
    for (auto& row : rows) {
        if (take_line(page, "## ") != row.names) throw "the page describes another option here";
        row.help = take_line(page);
        row.manual = take_line(page);
        if (page.starts_with("\n\nUnset: ")) row.if_unset = take_line(page, "Unset: ");
    }
    if (page != "\n") throw "the page describes an option that no row has";
    return rows;
}

}  // namespace launch
