// SPDX-License-Identifier: MIT
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <utility>

#include "cmd/command.hpp"
#include "cmd/options/foreign_options.hpp"
#include "cmd/options/source.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

// The one place where CLI11 reads words: those of commands that have no settings in files. It is
// set up from the rows. scan.cpp does what CLI11 cannot do, for jobs: names of several letters
// with one dash (-np; here they get a second dash first), where each value comes from, and programs
// between ':'. Its own messages are not shown: they know neither the nearest name nor the page.

using Words = std::vector<std::string>;

/// Gives names of several letters two dashes; CLI11 would take "-hosts" for -h and others. A value
/// may follow the letter of its option at once.
Status give_two_dashes(Words& words, OptionTable table) {
    for (auto& word : words) {
        if (word == "--") break;
        const auto name = word.substr(0, word.find('='));
        if (!name.starts_with('-') || name.starts_with("--") || name.size() <= 2) continue;
        const auto* letter = find_option(name.substr(0, 2), table);
        if (find_option(name, table) != nullptr)
            word.insert(0, "-");
        else if (letter == nullptr || letter->is_flag())
            return unknown_option(name, table);
    }
    return Ok{};
}

/// The names that CLI11 can have, between commas.
std::string plain_names(const OptionRow& row) {
    std::string names;
    for (const auto name : names_of(row))
        if (name.size() == 2 || name.starts_with("--")) append_part(names, ",", name);
    return names;
}

CLI::Option* add_row(CLI::App& app, const OptionRow& row) {
    if (row.is_flag()) return app.add_flag(plain_names(row));
    // One that lacks its value is let through, so that its error is that of other commands.
    return app.add_option(plain_names(row))
        ->expected(0, 1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

class CommandReader {
  public:
    explicit CommandReader(const Command& command)
        : table_(command.options()), asked_{&command, {}, {}, {}} {
        app_.set_help_flag();
        app_.allow_extras();
        for (const auto* row : table_)
            options_.push_back(add_row(app_, *row));
    }

    Result<Asked> read(Words words) {
        auto topics = take_topics(words);
        auto done = give_two_dashes(words, table_);
        if (done) done = parse(std::move(words));
        if (done) done = take_others(app_.remaining());
        asked_.words.insert(asked_.words.end(), topics.begin(), topics.end());
        for (size_t i = 0; done && i < table_.size(); ++i)
            done = take_values(*table_[i], *options_[i]);
        if (done && !asked_.settings.help) done = check_count();
        if (!done) return with_page(std::move(done.error()), asked_.command->page());
        return std::move(asked_);
    }

  private:
    Status parse(Words words) {
        std::reverse(words.begin(), words.end());  // CLI11's order: the last word first
        try {
            app_.parse(std::move(words));
        } catch (const CLI::ParseError& error) {
            return asked_.wrong(error.what());
        }
        return Ok{};
    }

    /// Options that help is asked about, which are none of its own.
    Words take_topics(Words& words) const {
        if (!asked_.command->takes(Takes::topic)) return {};
        const auto first = std::stable_partition(words.begin(), words.end(), [&](const auto& word) {
            return find_option(word, table_) != nullptr;
        });
        Words topics(first, words.end());
        words.erase(first, words.end());
        return topics;
    }

    Status take_others(Words words) {
        const auto option = std::find_if(words.begin(), words.end(), looks_like_option);
        if (option != words.end() && *option != "--")
            return unknown_option(option->substr(0, option->find('=')), table_);
        std::erase(words, "--");
        asked_.words = std::move(words);
        return Ok{};
    }

    Status take_values(const OptionRow& row, const CLI::Option& option) {
        const std::string name(names_of(row).back());
        if (!row.family.empty() && option.count() > 0) {
            if (!family_.empty())
                return usage_error(family_ + " and " + name + " exclude one another");
            family_ = name;
        }
        if (row.is_flag() && option.count() > 0)
            return option.results().back() == "true" ? take(row, "true")
                                                     : usage_error(name + " takes no value");
        for (const auto& value : option.results()) {
            if (value.empty())
                return usage_error(name + " needs a value: " + std::string(row.metavar));
            auto taken = take(row, value);
            if (!taken) return taken;
        }
        return Ok{};
    }

    Status take(const OptionRow& row, const std::string& value) {
        const Given given{
            &row, value, {.layer = Layer::command_line, .name = std::string(names_of(row).back())}};
        if (auto objection = objection_to(given)) return *std::move(objection);
        row.value.read(value, {asked_.settings, asked_.program});
        return Ok{};
    }

    Status check_count() const {
        const auto& positionals = asked_.command->positionals;
        size_t most = 0;
        for (const auto& each : positionals) {
            if (each.times == Times::any) return Ok{};
            if (each.times == Times::once && asked_.words.size() <= most)
                return asked_.wrong(std::string(each.name) + " is missing; usage: " + usage());
            ++most;
        }
        if (asked_.words.size() <= most) return Ok{};
        if (most == 0)
            return usage_error(std::string(asked_.command->name) + " takes no arguments");
        return asked_.wrong("unexpected word " + shown(asked_.words[most]) + "; usage: " + usage());
    }

    std::string usage() const { return joined(synopsis_of(*asked_.command), "; "); }

    OptionTable table_;
    CLI::App app_;
    std::vector<CLI::Option*> options_;  ///< as in the table
    std::string family_;                 ///< the option of a family that was given
    Asked asked_;
};

}  // namespace

Result<Asked> read_command(const Command& command, const std::vector<std::string>& words) {
    return CommandReader(command).read(words);
}

}  // namespace launch
