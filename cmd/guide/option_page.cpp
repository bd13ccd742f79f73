// SPDX-License-Identifier: MIT
#include <string_view>
#include <utility>

#include "cmd/guide/directives.hpp"
#include "cmd/jobfile/write_job_file.hpp"
#include "cmd/options/read_source.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch::guide {
namespace {

std::string_view scope_in_words(Scope scope) {
    switch (scope) {
        case Scope::program: return "an option of one program";
        case Scope::job: return "an option of the whole job";
        case Scope::invocation: break;
    }
    return "an option of the command line alone";
}

/// The form of its value, if no list of words describes it.
std::string_view value_in_text(const OptionRow& option) {
    switch (option.value.kind) {
        case Kind::number: return "a whole number";
        case Kind::time: return "a TIME: see `launch help options`";
        case Kind::list: return "words with commas between them";
        case Kind::hosts: return "a list of hosts: see `launch help hosts`";
        case Kind::pair: return "a name and a value, as two words or as NAME=VALUE";
        case Kind::path: return option.completes == Completes::folders ? "a folder" : "a file";
        default: return {};
    }
}

std::string default_in_text(const OptionRow& option) {
    if (option.scope == Scope::invocation) return std::string(option.if_unset);
    const auto texts = default_texts(option);
    return texts.empty() ? std::string(option.if_unset) : "`" + joined(texts, ",") + "`";
}

std::string in_code(const std::string& text) {
    return "`" + text + "`";
}

/// The option of the other scope that has the same key: -env is `env` in a [[program]] and -genv
/// outside of all. Null: no such option.
const OptionRow* namesake_of(const OptionRow& option) {
    return find_key(option.key, option.scope == Scope::job ? Scope::program : Scope::job);
}

std::string place_in_files(const OptionRow& option) {
    if (option.scope == Scope::invocation) return {};
    auto line = in_code(example_line(option));
    if (namesake_of(option) == nullptr) return line;
    return line + (option.scope == Scope::job ? ", above the first" : ", in a") + " `[[program]]`";
}

/// A variable of the environment speaks of the whole job, where there is an option for that.
std::string variable_in_text(const OptionRow& option) {
    if (option.scope == Scope::invocation) return {};
    const auto* of_job = namesake_of(option);
    if (option.scope == Scope::job || of_job == nullptr) return in_code(variable_of(option));
    return "none: " + in_code(variable_of(option)) + " is that of " +
           in_code(std::string(names_of(*of_job).back()));
}

/// A row for each question about the option that has an answer.
Result<Table> facts_of(const OptionRow& option, const std::vector<std::string>& topics) {
    std::string pages;
    for (const auto& topic : topics)
        append_part(pages, ", ", in_code("launch help " + topic));
    std::string negated;
    if (option.scope != Scope::invocation && option.can_be_taken_back())
        negated = in_code("--no-" + std::string(without_dashes(names_of(option).back())));
    Table table;
    for (const auto& [question, answer] : std::initializer_list<std::array<std::string, 2>>{
             {"value", std::string(value_in_text(option))},
             {"default", default_in_text(option)},
             {"in files", place_in_files(option)},
             {"variable", variable_in_text(option)},
             {"taken back by", negated},
             {"more", pages}}) {
        if (answer.empty()) continue;
        auto text = read_text(answer);
        if (!text) return text.error();
        table.rows.push_back({Text{{Style::plain, question}}, *std::move(text)});
    }
    return table;
}

Table words_of(const OptionRow& option) {
    Table table;
    for (const auto& word : option.value.words())
        table.rows.push_back({Text{{Style::code, word.shown()}}, Text{{Style::plain, word.help}}});
    return table;
}

}  // namespace

Result<Document> option_page(const OptionRow& option, const std::vector<std::string>& topics) {
    auto paragraph = read_text(option.manual);
    if (!paragraph) return paragraph.error();
    auto facts = facts_of(option, topics);
    if (!facts) return facts.error();
    Document page{
        std::string(names_of(option).back()), std::string(scope_in_words(option.scope)), {}};
    page.blocks.emplace_back(Entries{{{all_names(option), *std::move(paragraph)}}});
    if (option.value.words != nullptr) page.blocks.emplace_back(words_of(option));
    if (!facts->rows.empty()) page.blocks.emplace_back(*std::move(facts));
    return page;
}

}  // namespace launch::guide
