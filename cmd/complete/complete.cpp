// SPDX-License-Identifier: MIT
#include "cmd/complete/complete.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cmd/command.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/session/job_words.hpp"
#include "embedded/completion_scripts.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

/// Where the last word stands.
struct Place {
    enum class Kind : uint8_t { option_or_word, value, pair_value, program };

    Kind kind = Kind::option_or_word;
    const OptionRow* option = nullptr;  ///< of a value
    size_t program_at = 0;              ///< of a program's word
    size_t words_before = 0;            ///< that are positionals
    bool options_over = false;          ///< after "--"
    Words hostfiles;                    ///< that were given in the words before
};

/// Reads the words before the last as the command line does, but bears what is wrong in them.
class Walker {
  public:
    Walker(const Words& words, const CompletionNames& names, OptionTable table, bool has_programs)
        : words_(words), names_(names), table_(table), has_programs_(has_programs) {}

    Place walk(size_t begin) {
        at_ = begin;
        while (!at_last() && !step()) {
        }
        place_.program_at = at_;
        return std::move(place_);
    }

  private:
    bool at_last() const { return at_ + 1 >= words_.size(); }

    bool found(Place::Kind kind, const OptionRow* option = nullptr) {
        place_.kind = kind;
        place_.option = option;
        return true;
    }

    /// Takes a word and what belongs to it. Returns whether the place is found.
    bool step() {
        const std::string& word = words_[at_];
        const bool is_option = !place_.options_over && looks_like_option(word);
        if (!is_option && ends_options(word)) return skip_program();
        ++at_;
        if (!is_option) ++place_.words_before;
        if (word == "--") place_.options_over = true;
        return is_option && word != "--" && skip_option(word);
    }

    /// A program, whose words are its own; options may follow a job file and other words.
    bool ends_options(const std::string& word) const {
        return place_.options_over || (has_programs_ && !names_.is_job_file(word));
    }

    /// Up to the next program of the line.
    bool skip_program() {
        const size_t begin = at_;
        while (!at_last() && words_[at_] != ":")
            ++at_;
        if (at_last() || !has_programs_) {
            at_ = begin;
            return found(Place::Kind::program);
        }
        ++at_;
        place_.options_over = false;
        return false;
    }

    bool skip_option(const std::string& word) {
        const auto equals = word.find('=');
        const auto* option = find_option(word.substr(0, equals), table_);
        if (option == nullptr || option->is_flag()) return false;
        const bool left_out = !option->without_value.empty() && words_[at_].starts_with('-');
        if (equals == std::string::npos && left_out) return false;
        if (equals == std::string::npos && at_last()) return found(Place::Kind::value, option);
        const auto value = equals == std::string::npos ? words_[at_++] : word.substr(equals + 1);
        if (option->key == "hostfile" && value != "-") place_.hostfiles.push_back(value);
        if (!option->is_pair() || value.find('=') != std::string::npos) return false;
        if (at_last()) return found(Place::Kind::pair_value, option);
        ++at_;
        return false;
    }

    const Words& words_;
    const CompletionNames& names_;
    OptionTable table_;
    bool has_programs_;
    size_t at_ = 0;
    Place place_;
};

class Completer {
  public:
    Completer(const Words& words, const CompletionNames& names, OptionTable table)
        : last_(words.back()), words_(words), names_(names), table_(table) {}

    Completion run() {
        if (words_.size() == 1) add_commands("");
        if (words_.size() == 2) add_commands(words_[0] + " ");
        const auto* command = find_command("", {words_.begin(), words_.end() - 1});
        if (command == nullptr || command->is_reserved()) {
            of_command(commands().front(), 0);
        } else {
            if (!command->takes(Takes::program)) table_ = command->options();
            of_command(*command, command->is_verb() ? 2 : 1);
        }
        return std::move(made_);
    }

  private:
    void add(std::string text, std::string_view help = {}) {
        const bool goes_on = text.ends_with(':') && text == last_;  // now its user's part
        if (text.starts_with(last_) && !goes_on)
            made_.candidates.push_back({std::move(text), std::string(help)});
    }

    /// Adds the commands whose names begin with `before`, such as `session start`, without it.
    void add_commands(const std::string& before) {
        for (const auto& each : commands())
            if (!each.is_hidden() && each.name.starts_with(before) &&
                each.is_verb() == !before.empty())
                add(std::string(each.name.substr(before.size())), each.summary);
    }

    void of_command(const Command& command, size_t begin) {
        const bool has_programs = command.takes(Takes::program);
        const auto place = Walker(words_, names_, table_, has_programs).walk(begin);
        switch (place.kind) {
            case Place::Kind::pair_value: return;
            case Place::Kind::value: return value(*place.option, "", place.hostfiles);
            case Place::Kind::program: return program(command, place.program_at);
            case Place::Kind::option_or_word: break;
        }
        if (place.options_over) return program(command, place.program_at);
        if (!last_.starts_with('-')) return word(command, place);
        const auto equals = last_.find('=');
        if (equals == std::string::npos) {
            options(table_);
            if (command.takes(Takes::topic)) options(all_options());
            return;
        }
        const auto* option = find_option(last_.substr(0, equals), table_);
        if (option != nullptr && !option->is_flag())
            value(*option, last_.substr(0, equals + 1), place.hostfiles);
    }

    /// A word of a program that is not launch's: of a job, or after "--".
    void program(const Command& command, size_t at) {
        if (!command.takes(Takes::program) && !command.takes(Takes::command)) return;
        made_.shell = ShellPart::command;
        made_.command_at = at;
    }

    void word(const Command& command, const Place& place) {
        if (command.takes(Takes::program)) return program(command, place.program_at);
        const auto& all = command.positionals;
        if (all.empty()) return;
        const bool is_again = all.back().times == Times::any;
        if (place.words_before < all.size() || is_again)
            of_kind(all[std::min(place.words_before, all.size() - 1)].takes, place.hostfiles);
    }

    /// Jobs have numbers, which say little, and ranks too.
    void of_kind(Takes kind, const Words& hostfiles) {
        switch (kind) {
            case Takes::job_file:
            case Takes::file: made_.shell = ShellPart::files; return;
            case Takes::session: return add_all(names_.sessions());
            case Takes::hosts: return in_list("", plain(names_.hosts(hostfiles)));
            case Takes::signal: return add_all(signal_names());
            case Takes::shell:
                for (const auto& script : completion_scripts)
                    add(std::string(script.name));
                return;
            case Takes::topic:
                for (const auto& topic : names_.topics())
                    add(topic.text, topic.help);
                return add_commands("");
            case Takes::job:
            case Takes::ranks:
            case Takes::program:
            case Takes::command: return;
        }
    }

    void add_all(const Words& texts, const std::string& before = {}) {
        for (const auto& text : texts)
            add(before + text);
    }

    /// Each by the name that says most: those of one letter, or mpiexec's, are found by who
    /// begins to type them.
    void options(OptionTable table) {
        for (const auto* option : table) {
            for (const auto name : names_of(*option)) {
                const bool asked = last_.size() > 1 && last_[1] != '-';
                if (asked || name == option->name()) add(std::string(name), option->help);
            }
        }
        if (!last_.starts_with("--no-")) return;
        for (const auto* option : table) {
            const auto negated = "--no-" + std::string(without_dashes(option->name()));
            if (option->can_be_taken_back() && find_negated(negated, table) == option)
                add(negated, "not: " + std::string(option->help));
        }
    }

    /// `before`: what of the word is no part of the value, "--topology=".
    void value(const OptionRow& option, const std::string& before, const Words& hostfiles) {
        if (option.completes == Completes::folders) made_.shell = ShellPart::folders;
        const bool after_colon = last_.find(':', before.size()) != std::string::npos;
        const bool on_hosts = option.completes == Completes::place_and_folder ||
                              (option.completes == Completes::file_and_place && after_colon);
        if (option.value.kind == Kind::path && made_.shell == ShellPart::nothing && !on_hosts)
            made_.shell = ShellPart::files;
        if (option.value.kind == Kind::hosts)
            return in_list(before, plain(names_.hosts(hostfiles)));
        if (option.completes == Completes::sessions) return add_all(names_.sessions(), before);
        if (option.completes == Completes::variables)
            return option.value.kind == Kind::list ? in_list(before, plain(names_.variables()))
                                                   : add_all(names_.variables(), before);
        if (option.value.words == nullptr) return;
        if (option.value.kind == Kind::list) return in_list(before, words_beside(option, before));
        // A word with an argument is completed up to the colon, and the user writes the rest.
        for (const auto& word : option.value.words())
            add(before + word.text + (word.argument.empty() ? "" : ":"), word.help);
    }

    /// The words of the option that may follow those before the last comma.
    std::vector<ChoiceWord> words_beside(const OptionRow& option, const std::string& before) const {
        auto words = option.value.words();
        const auto comma = last_.rfind(',');
        if (comma == std::string::npos) return words;
        const std::string listed = last_.substr(before.size(), comma + 1 - before.size());
        std::erase_if(words, [&](const ChoiceWord& word) {
            Settings ignored;
            ProgramSettings program;
            const bool is_again = ("," + listed).find("," + word.text + ",") != std::string::npos;
            return is_again || !option.value.read(listed + word.text, {ignored, program}).empty();
        });
        return words;
    }

    /// The words before the last comma are kept.
    void in_list(const std::string& before, const std::vector<ChoiceWord>& words) {
        const auto comma = last_.rfind(',');
        const bool more = comma != std::string::npos && comma >= before.size();
        const std::string kept = more ? last_.substr(0, comma + 1) : before;
        for (const auto& word : words)
            add(kept + word.text, word.help);
    }

    static std::vector<ChoiceWord> plain(const Words& names) {
        std::vector<ChoiceWord> words;
        for (const auto& name : names)
            words.push_back({name});
        return words;
    }

    const std::string& last_;
    const Words& words_;
    const CompletionNames& names_;
    OptionTable table_;
    Completion made_;
};

}  // namespace

Completion complete(const Words& words, const CompletionNames& names, OptionTable table) {
    if (words.empty()) return {};
    return Completer(words, names, table).run();
}

}  // namespace launch
