// SPDX-License-Identifier: MIT
#include "cmd/guide/guide.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cmd/command.hpp"
#include "cmd/guide/directives.hpp"
#include "cmd/guide/print.hpp"
#include "cmd/options/foreign_options.hpp"
#include "cmd/options/read_source.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"
#include "embedded/command_pages.hpp"
#include "embedded/general_pages.hpp"
#include "embedded/topic_pages.hpp"

namespace launch::guide {
namespace {

constexpr std::string_view manual_name = "launch";

Result<Document> complete(std::string_view text, OptionTable options = all_options()) {
    auto document = read_document(text);
    if (!document) return document.error();
    Known known{options, {}};
    for (const auto& topic : topic_words())
        known.topics.push_back({Text{{Style::code, topic.text}}, Text{{Style::plain, topic.help}}});
    return expand(*std::move(document), known);
}

const EmbeddedText* find_page(std::span<const EmbeddedText> pages, std::string_view name) {
    const auto page = std::find_if(pages.begin(), pages.end(),
                                   [&](const EmbeddedText& each) { return each.name == name; });
    return page == pages.end() ? nullptr : &*page;
}

std::vector<std::string_view> names_of_pages(std::span<const EmbeddedText> pages) {
    std::vector<std::string_view> names;
    for (const auto& page : pages)
        names.push_back(page.name);
    return names;
}

/// The option whose variable of the environment has this name; null if no option has it.
const OptionRow* find_by_variable(std::string_view name, OptionTable table) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const OptionRow* row) {
        return row->scope != Scope::invocation && variable_of(*row) == name;
    });
    if (found == table.end()) return nullptr;
    const auto* of_job = find_key((*found)->key, Scope::job, table);
    return of_job != nullptr ? of_job : *found;
}

/// The option that was asked for, in the words of the command line, of files or of the environment,
/// or without dashes.
const OptionRow* find_asked(std::string_view word, OptionTable table) {
    if (const auto* option = find_option(word, table)) return option;
    if (const auto* option = find_negated(word, table)) return option;
    if (word.starts_with('-')) return nullptr;
    if (const auto* option = find_bare(word, table)) return option;
    const auto* option = find_key(word, Scope::job, table);
    if (option == nullptr) option = find_key(word, Scope::program, table);
    return option != nullptr ? option : find_by_variable(word, table);
}

Error nothing_about(std::string_view name) {
    if (name.starts_with('-')) {
        auto error = unknown_option(std::string(name));
        error.hint = "see launch help options";
        return error;
    }
    const auto* command = find_command("", {std::string(name)});
    if (command != nullptr && command->is_reserved()) {
        auto error = usage_error(std::string(name) + ": this subcommand does not exist yet");
        error.hint = "see launch help topics";
        return error;
    }
    auto names = topic_names();
    for (const auto page : names_of_pages(command_pages))
        names.push_back(page);
    for (const auto* option : all_options())
        names.push_back(without_dashes(names_of(*option).back()));
    auto error = usage_error("no help about " + shown(name) + did_you_mean(nearest(name, names)));
    error.hint = "see launch help topics";
    return error;
}

/// Topics whose pages tell of it in full.
std::vector<std::string> topics_about(const OptionRow& option) {
    std::vector<std::string> names;
    for (const auto& page : topic_pages) {
        const auto document = read_document(page.text);
        if (document && tells_of(*document, option)) names.emplace_back(page.name);
    }
    return names;
}

/// A row that other commands than run have, and their names.
struct OtherRow {
    const OptionRow* option;
    std::string commands;
};

/// Returns the meanings that this word has in other commands and not in a job.
std::vector<OtherRow> others_of(std::string_view word) {
    std::vector<OtherRow> others;
    const auto of_jobs = all_options();
    for (const auto& command : commands()) {
        const auto* option = find_asked(word, command.options());
        const bool is_same = std::find(of_jobs.begin(), of_jobs.end(), option) != of_jobs.end();
        if (option == nullptr || is_same || option->key == "help") continue;
        auto same = std::find_if(others.begin(), others.end(),
                                 [&](const OtherRow& each) { return each.option == option; });
        if (same == others.end()) same = others.insert(same, {option, {}});
        append_part(same->commands, ", ", command.name);
    }
    return others;
}

/// Describes all meanings of an option that other commands use in another way.
Result<Document> page_of_option(std::string_view name) {
    const auto others = others_of(name);
    const auto* option = find_asked(name, all_options());
    if (option == nullptr && others.empty()) return nothing_about(name);
    if (option == nullptr) option = others.front().option;
    auto page = option_page(*option, topics_about(*option));
    for (const auto& other : others) {
        if (!page || other.option == option) continue;
        auto more = option_page(*other.option, {});
        if (!more) return more;
        page->blocks.emplace_back(Heading{"With launch " + other.commands, false});
        std::move(more->blocks.begin(), more->blocks.end(), std::back_inserter(page->blocks));
    }
    return page;
}

bool has_manual_page(std::string_view name) {
    return name == manual_name || find_page(topic_pages, name) != nullptr ||
           find_page(command_pages, name) != nullptr;
}

/// A page may be asked for by the name of its manual page, launch-hosts.
std::string_view without_prefix(std::string_view name) {
    constexpr std::string_view prefix = "launch-";
    if (!name.starts_with(prefix)) return name;
    const auto rest = name.substr(prefix.size());
    return rest != manual_name && has_manual_page(rest) ? rest : name;
}

/// Returns the options of a command and of its verbs, each once.
std::vector<const OptionRow*> options_of_page(std::string_view name) {
    std::vector<const OptionRow*> rows;
    for (const auto& command : commands())
        for (const auto* row : command.options())
            if (command.page() == name && std::find(rows.begin(), rows.end(), row) == rows.end())
                rows.push_back(row);
    return rows;
}

Result<Document> page_of(std::string_view name) {
    if (name == manual_name) return complete(find_page(general_pages, manual_name)->text);
    if (const auto* page = find_page(topic_pages, name)) return complete(page->text);
    if (const auto* page = find_page(command_pages, name))
        return complete(page->text, options_of_page(name));
    return page_of_option(name);
}

/// All other pages; a topic's page names launch(1) alone, where they stand.
std::vector<std::string> see_also(std::string_view name) {
    if (name != manual_name) return {"launch(1)"};
    std::vector<std::string> pages;
    for (const auto command : names_of_pages(command_pages))
        pages.push_back("launch-" + std::string(command) + "(1)");
    for (const auto topic : topic_names())
        pages.push_back("launch-" + std::string(topic) + "(7)");
    return pages;
}

}  // namespace

std::vector<std::string_view> topic_names() {
    return names_of_pages(topic_pages);
}

std::vector<ChoiceWord> topic_words() {
    std::vector<ChoiceWord> words;
    for (const auto& page : topic_pages) {
        const auto document = read_document(page.text);
        words.push_back({std::string(page.name), document ? document->summary : ""});
    }
    return words;
}

Result<std::string> topic_text(std::string_view name, bool colour) {
    const auto document = page_of(without_prefix(name));
    if (!document) return document.error();
    return terminal_text(*document, colour);
}

Result<std::string> manual_of(std::string_view asked) {
    const auto name = without_prefix(asked);
    if (!has_manual_page(name) && page_of_option(name)) {
        auto error = usage_error("an option has no manual page of its own: " + shown(name));
        error.hint = "see launch help " + std::string(name) + ", or launch help --man launch";
        return error;
    }
    const auto document = page_of(name);
    if (!document) return document.error();
    const bool is_topic = find_page(topic_pages, name) != nullptr;
    return man_text(*document, {is_topic ? "7" : "1", see_also(name)});
}

Result<std::string> screen_text(bool colour) {
    const auto document = complete(find_page(general_pages, "screen")->text);
    if (!document) return document.error();
    return terminal_text(*document, colour);
}

}  // namespace launch::guide
