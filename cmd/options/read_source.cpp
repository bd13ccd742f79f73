// SPDX-License-Identifier: MIT
#include "cmd/options/read_source.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "cmd/options/usage_error.hpp"
#include "core/base/lower.hpp"
#include "core/base/mistakes.hpp"

namespace launch {
namespace {

Source source_of(std::vector<Segment> segments) {
    Source source;
    if (segments.back().asks_about_launch()) {
        source.given.push_back(segments.back().options.back());
        return source;
    }
    for (auto& segment : segments) {
        // Without a program of their own (a job file has them) options hold for all programs.
        if (segment.program.empty()) {
            source.given.insert(source.given.end(), segment.options.begin(), segment.options.end());
            continue;
        }
        auto& program = source.programs.emplace_back();
        program.argv = std::move(segment.program);
        if (!segment.options.empty()) program.last_option = segment.options.back().origin.name;
        for (auto& given : segment.options) {
            auto& scope = given.option->scope == Scope::program ? program.given : source.given;
            scope.push_back(std::move(given));
        }
    }
    return source;
}

constexpr std::string_view prefix = "LAUNCH_OPT_";

const OptionRow* find_variable(std::string_view name, Scope scope, OptionTable table) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const OptionRow* row) {
        return row->scope == scope && variable_of(*row) == name;
    });
    return found == table.end() ? nullptr : *found;
}

/// Finds an option that has another name than its key; null if there is no such option.
const OptionRow* find_by_name(const std::string& variable, OptionTable table) {
    std::string bare = lower(variable.substr(prefix.size()));
    std::replace(bare.begin(), bare.end(), '_', '-');
    const auto* option = find_bare(bare, table);
    return option != nullptr && option->scope == Scope::invocation ? nullptr : option;
}

Error unknown(const std::string& name, OptionTable table) {
    const std::string what = "the variable " + shown(name) + ": ";
    if (find_variable(name, Scope::invocation, table) != nullptr)
        return usage_error(what + "that is for the command line only");
    std::vector<std::string> names;
    for (const auto* row : table)
        if (row->scope != Scope::invocation) names.push_back(variable_of(*row));
    const std::vector<std::string_view> known(names.begin(), names.end());
    const auto* meant = find_by_name(name, table);
    const auto near = meant != nullptr ? variable_of(*meant) : std::string(nearest(name, known));
    return usage_error(what + "there is no such option" + did_you_mean(near));
}

}  // namespace

CommandLine read_words(const std::vector<std::string>& words, const WordRules& rules) {
    auto scanned = scan_all(words, rules);
    CommandLine line{{}, std::move(scanned.mistakes), std::move(scanned.notes)};
    if (scanned.is_clear) line.source = source_of(std::move(scanned.segments));
    return line;
}

std::string variable_of(const OptionRow& option) {
    std::string name(prefix);
    for (const char c : option.key)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

Result<Source> read_environment(const std::vector<std::string>& env, OptionTable table) {
    Source source;
    Mistakes mistakes;
    for (const auto& entry : env) {
        if (!entry.starts_with(prefix)) continue;
        const auto equals = std::min(entry.find('='), entry.size() - 1);
        const std::string name = entry.substr(0, equals);
        const auto* option = find_variable(name, Scope::job, table);
        if (option == nullptr) option = find_variable(name, Scope::program, table);
        if (option == nullptr) {
            mistakes.add(unknown(name, table));
            continue;
        }
        Given given{option, entry.substr(equals + 1), {.layer = Layer::environment, .name = name}};
        if (auto objection = objection_to(given)) mistakes.add(*std::move(objection));
        source.given.push_back(std::move(given));
    }
    if (!mistakes.empty()) return mistakes.take();
    return source;
}

}  // namespace launch
