// SPDX-License-Identifier: MIT
#include <set>

#include "cmd/command.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

using Parts = std::vector<std::string>;

/// More than these are not listed.
constexpr size_t few_options = 8;

std::string value_of(const OptionRow& row) {
    if (row.value.kind != Kind::choice) return std::string(row.metavar);
    std::string words;
    for (const auto& word : row.value.words())
        append_part(words, "|", word.text);
    return words;
}

std::string written(const OptionRow& row) {
    const std::string name(names_of(row).front());
    return row.is_flag() ? name : name + " " + value_of(row);
}

/// Options of one family say different things of the same.
std::string family_of(OptionTable table, const OptionRow& first) {
    std::string text = written(first);
    for (const auto* row : table)
        if (row != &first && !row->family.empty() && row->family == first.family)
            append_part(text, " | ", written(*row));
    return "[" + text + "]";
}

void add_options(OptionTable table, Parts& parts) {
    std::set<std::string_view> families;
    for (const auto* row : table) {
        const bool is_listed = !row->family.empty() && !families.insert(row->family).second;
        if (!is_listed && !row->is(Scope::invocation, "help"))
            parts.push_back(family_of(table, *row));
    }
}

std::string written(const Positional& positional) {
    const std::string name(positional.name);
    switch (positional.takes) {
        case Takes::program: return name + " [arguments] [: [options] " + name + " ...]";
        case Takes::command: return "[-- " + name + "...]";
        default: break;
    }
    switch (positional.times) {
        case Times::once: return name;
        case Times::optional: return "[" + name + "]";
        case Times::any: break;
    }
    return "[" + name + "...]";
}

std::vector<Parts> ways_of(const Command& command) {
    const OptionTable table = command.options();
    const bool has_many = table.size() > few_options;
    const std::string name(command.name);
    const Parts begin{"launch " + (name == "run" ? "[" + name + "]" : name)};
    std::vector<Parts> ways{begin};
    if (has_many) ways.front().emplace_back("[options]");
    for (const auto& each : command.positionals) {
        if (each.instead) ways.push_back({begin.front(), "[options]"});
        ways.back().push_back(written(each));
    }
    if (!has_many) add_options(table, ways.front());
    for (const auto* row : table)
        if (row->stands_alone())
            ways.push_back({begin.front(), std::string(names_of(*row).back())});
    return ways;
}

/// The lines of a page: what does not fit goes on below the words after the name.
void add_wrapped(const Parts& parts, std::vector<std::string>& lines) {
    constexpr size_t columns = 74;
    std::string line = parts.front();
    for (size_t i = 1; i < parts.size(); ++i) {
        if (line.size() + 1 + parts[i].size() > columns) {
            lines.push_back(line);
            line = std::string(parts.front().size(), ' ');
        }
        line += " " + parts[i];
    }
    lines.push_back(line);
}

}  // namespace

std::vector<std::string> synopsis_of(const Command& command) {
    std::vector<std::string> lines;
    for (const auto& way : ways_of(command))
        lines.push_back(joined(way, " "));
    return lines;
}

std::vector<std::string> synopsis_lines(std::string_view name) {
    std::vector<std::string> lines;
    for (const auto& command : commands()) {
        if (command.is_hidden() || (name != "all" && command.page() != name)) continue;
        if (command.name == "session") continue;  // it is nothing without a verb
        for (const auto& way : ways_of(command))
            add_wrapped(way, lines);
    }
    return lines;
}

}  // namespace launch
