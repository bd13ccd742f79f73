// SPDX-License-Identifier: MIT
#include "cmd/options/table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "cmd/options/rows/rows.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

/// As values of OptionGroup are numbered.
constexpr auto titles = std::to_array<std::string_view>({
    "Each program (between two ':')",
    "Hosts and placement",
    "Environment",
    "Files",
    "MPI programs",
    "Tree and transport",
    "Input and output",
    "Failures and time",
    "Look first",
});
static_assert(titles.size() == static_cast<size_t>(OptionGroup::look) + 1);

using Rows = std::vector<const OptionRow*>;
using Lists = std::initializer_list<std::span<const OptionRow>>;

/// The rows, and those of the lists after them.
Rows with_lists(Rows rows, Lists lists) {
    for (const auto& list : lists)
        for (const auto& row : list)
            rows.push_back(&row);
    return rows;
}

/// The options of jobs that fit a command, and its own.
Rows options_where(bool (*fits)(const OptionRow&), Lists own) {
    Rows rows;
    for (const auto* row : all_options())
        if (fits(*row)) rows.push_back(row);
    return with_lists(std::move(rows), own);
}

bool fits_config(const OptionRow& row) {
    return row.scope != Scope::invocation || row.is(Scope::invocation, "help");
}

/// Whether the row is a setting of a tree, whatever runs on it.
bool is_of_tree(const OptionRow& row) {
    constexpr auto keys = std::to_array<std::string_view>(
        {"hosts", "hostfile", "allocation", "exclude", "max-hosts", "allow-missing", "quiet",
         "connect-timeout", "start-timeout", "start-limit", "liveness"});
    if (row.is(Scope::invocation, "help")) return true;
    if (row.scope == Scope::invocation) return false;
    return row.group == OptionGroup::tree ||
           std::find(keys.begin(), keys.end(), row.key) != keys.end();
}

std::string spelled_as(const Origin* origin, std::string_view key,
                       std::initializer_list<Scope> scopes) {
    if (origin != nullptr) return named(*origin);
    for (const auto scope : scopes)
        if (const auto* row = find_key(key, scope)) return std::string(row->name());
    return std::string(key);
}

const Origin* at(std::span<const Origin> origins, size_t which) {
    return which < origins.size() ? &origins[which] : nullptr;
}

}  // namespace

OptionTable all_options() {
    static const Rows table = with_lists(
        {}, {rows_of_program(), rows_of_hosts(), rows_of_env(), rows_of_files(), rows_of_mpi(),
             rows_of_tree(), rows_of_streams(), rows_of_time(), rows_of_look()});
    return table;
}

OptionTable config_options() {
    static const Rows table = options_where(fits_config, {rows_of_config(), format_of_answers()});
    return table;
}

OptionTable doctor_options() {
    static const Rows table = options_where(
        [](const OptionRow& row) { return is_of_tree(row) && row.key != "allow-missing"; },
        {format_of_answers()});
    return table;
}

OptionTable session_options() {
    static const Rows table = options_where(is_of_tree, {rows_of_session()});
    return table;
}

std::string_view title_of(OptionGroup group) {
    return titles.at(static_cast<size_t>(group));
}

std::vector<std::string_view> names_of(const OptionRow& option) {
    return split(option.names, ' ');
}

const OptionRow* find_option(std::string_view word, OptionTable table) {
    const auto bare = without_dashes(word);
    const auto dashes = word.size() - bare.size();
    if (bare.empty() || dashes < 1 || dashes > (bare.size() == 1 ? 1U : 2U)) return nullptr;
    for (const auto* option : table) {
        for (const auto name : names_of(*option)) {
            if (without_dashes(name) == bare) return option;
        }
    }
    return nullptr;
}

const OptionRow* find_bare(std::string_view name, OptionTable table) {
    return find_option((name.size() == 1 ? "-" : "--") + std::string(name), table);
}

const OptionRow* find_negated(std::string_view word, OptionTable table) {
    const auto bare = without_dashes(word);
    constexpr std::string_view no = "no-";
    if (bare.size() == word.size() || !bare.starts_with(no) || bare.size() <= no.size() + 1)
        return nullptr;
    const auto* option = find_option("--" + std::string(bare.substr(no.size())), table);
    const bool may = option != nullptr && option->is_flag() && option->scope != Scope::invocation;
    return may ? option : nullptr;
}

const OptionRow* find_key(std::string_view key, Scope scope, OptionTable table) {
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const OptionRow* row) { return row->is(scope, key); });
    return found == table.end() ? nullptr : *found;
}

std::string_view nearest_option(std::string_view word, OptionTable table) {
    std::vector<std::string_view> names;
    for (const auto* option : table) {
        for (const auto name : names_of(*option))
            names.push_back(name);
    }
    return nearest(word, names);
}

std::vector<std::string> texts_of(const OptionRow& option, const View& view) {
    auto texts = option.value.write(view);
    if (texts.empty() && option.can_be_taken_back()) texts = {"false"};
    return texts;
}

std::string spelled(const Settings& settings, std::string_view key) {
    return spelled_as(settings.origins.find(key), key, {Scope::job, Scope::invocation});
}

std::string spelled(const Settings& settings, std::string_view key, std::string_view value) {
    const auto* origin = settings.origins.find(key);
    const bool implied = origin != nullptr && origin->implied;
    return spelled(settings, key) + (implied ? "" : " " + std::string(value));
}

std::string spelled(const ProgramSettings& program, std::string_view key) {
    return spelled_as(program.origins.find(key), key, {Scope::program});
}

std::string spelled(const ProgramSettings& program, std::string_view key, size_t which) {
    return spelled_as(at(program.origins.all_of(key), which), key, {Scope::program});
}

std::string value_in_words(const OptionRow& option) {
    switch (option.value.kind) {
        case Kind::flag: return "true or false";
        case Kind::number: return "a whole number";
        case Kind::time: return "a time such as \"10s\" or a number of seconds";
        case Kind::pair: return "a table such as { NAME = \"VALUE\" }";
        case Kind::list:
        case Kind::hosts: return "a string or a list of strings";
        default: return option.value.repeats ? "a string or a list of strings" : "a string";
    }
}

std::vector<std::string> default_texts(const OptionRow& option) {
    const Settings settings;
    const ProgramSettings program;
    return texts_of(option, {settings, program});
}

std::vector<std::string> example_texts(const OptionRow& option) {
    auto texts = default_texts(option);
    if (texts.empty()) texts = {option.is_flag() ? "true" : std::string(option.example)};
    return texts;
}

}  // namespace launch
