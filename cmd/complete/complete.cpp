#include "cmd/complete/complete.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "cmd/complete/scripts.hpp"
#include "cmd/options/scan.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/session/session_command.hpp"
#include "cmd/session/signal_name.hpp"
#include "cmd/subcommand.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

/// Where the last word stands.
struct Place {
    enum class Kind : uint8_t { option_or_program, value, pair_value, program } kind;
    const OptionRow* option = nullptr;  ///< of a value
    size_t program_at = 0;              ///< of a program's word
    bool options_over = false;          ///< after "--"
    Words hostfiles;                    ///< that were given in the words before
};

/// Reads the words before the last as the command line does, but bears what is wrong in them.
class Walker {
  public:
    Walker(const Words& words, const CompletionNames& names, OptionTable table,
           Programs programs = Programs::needed)
        : words_(words), names_(names), table_(table), programs_(programs) {}

    Place walk(size_t begin) {
        at_ = begin;
        while (at_ + 1 < words_.size()) {
            const auto place = step();
            if (place) return *place;
        }
        return here(Place::Kind::option_or_program);
    }

  private:
    bool at_last() const { return at_ + 1 >= words_.size(); }

    Place here(Place::Kind kind, const OptionRow* option = nullptr) {
        return {.kind = kind,
                .option = option,
                .program_at = at_,
                .options_over = options_over_,
                .hostfiles = std::move(hostfiles_)};
    }

    std::optional<Place> step() {
        const std::string& word = words_[at_];
        const bool is_option = !options_over_ && word.size() > 1 && word[0] == '-';
        if (!is_option && (options_over_ || !names_.is_job_file(word))) return skip_program();
        ++at_;
        if (!is_option) return std::nullopt;  // options may follow a job file
        if (word == "--") {
            options_over_ = true;
            return std::nullopt;
        }
        return skip_option(word);
    }

    /// Up to the next program of the line.
    std::optional<Place> skip_program() {
        const size_t begin = at_;
        while (!at_last() && words_[at_] != ":")
            ++at_;
        if (at_last() || programs_ == Programs::none) {
            at_ = begin;
            return here(Place::Kind::program);
        }
        ++at_;
        options_over_ = false;
        return std::nullopt;
    }

    std::optional<Place> skip_option(const std::string& word) {
        const auto equals = word.find('=');
        const auto* option = find_option(word.substr(0, equals), table_);
        if (option == nullptr || option->is_flag()) return std::nullopt;
        const bool left_out = !option->without_value.empty() && words_[at_].starts_with('-');
        if (equals == std::string::npos && left_out) return std::nullopt;
        if (equals == std::string::npos && at_last()) return here(Place::Kind::value, option);
        const auto value = equals == std::string::npos ? words_[at_++] : word.substr(equals + 1);
        note(*option, value);
        if (!option->is_pair() || value.find('=') != std::string::npos) return std::nullopt;
        if (at_last()) return here(Place::Kind::pair_value, option);
        ++at_;
        return std::nullopt;
    }

    void note(const OptionRow& option, const std::string& value) {
        if (option.key == "hostfile" && value != "-") hostfiles_.push_back(value);
    }

    const Words& words_;
    const CompletionNames& names_;
    OptionTable table_;
    Programs programs_;
    size_t at_ = 0;
    bool options_over_ = false;
    Words hostfiles_;
};

class Completer {
  public:
    Completer(const Words& words, const CompletionNames& names, OptionTable table)
        : last_(words.back()), words_(words), names_(names), table_(table) {}

    Completion run() {
        if (words_.size() == 1) add_subcommands();
        const bool first_is_one = words_.size() > 1 && is_subcommand(words_[0]);
        if (first_is_one && words_[0] != "run") {
            of_subcommand(words_[0]);
        } else {
            of_job(Walker(words_, names_, table_).walk(first_is_one ? 1 : 0));
        }
        return std::move(made_);
    }

  private:
    static bool is_subcommand(const std::string& word) {
        const auto all = subcommands();
        return std::any_of(all.begin(), all.end(), [&](const Subcommand& each) {
            return each.name == word && each.start != nullptr;
        });
    }

    void add(std::string text, std::string_view help = {}) {
        const bool goes_on = text.ends_with(':') && text == last_;  // now its user's part
        if (text.starts_with(last_) && !goes_on)
            made_.candidates.push_back({std::move(text), std::string(help)});
    }

    void add_subcommands() {
        for (const auto& each : subcommands())
            if (!each.help.empty()) add(std::string(each.name), each.help);
    }

    void of_subcommand(const std::string& name) {
        if (name == "help" && words_.size() == 2) of_help();
        if (name == "completion" && words_.size() == 2) add_shells();
        if (name == "config") of_config();
        if (name == "session") of_session();
        if (name == "doctor") of_doctor();
        if (name == "ps" || name == "attach" || name == "signal") of_jobs_in_sessions();
        if (name == "signal") add_signals();
    }

    /// The second word that is neither an option nor the session's name.
    void add_signals() {
        if (words_[words_.size() - 2] == session_option || last_.starts_with('-')) return;
        size_t before = 0;
        for (size_t at = 1; at + 1 < words_.size(); ++at) {
            if (words_[at] == session_option)
                ++at;
            else if (!words_[at].starts_with('-'))
                ++before;
        }
        if (before != 1) return;
        for (auto& signal : signal_names())
            add(std::move(signal));
    }

    /// Jobs have numbers, which say little: their session is what can be named.
    void of_jobs_in_sessions() {
        const std::string with_value = std::string(session_option) + "=";
        if (words_[words_.size() - 2] == session_option) return add_sessions("");
        if (last_.starts_with(with_value)) return add_sessions(with_value);
        if (last_.starts_with('-')) add(std::string(session_option), "the session that it is in");
    }

    void of_session() {
        if (words_.size() == 2) {
            for (const auto verb : session_verbs())
                add(std::string(verb));
        } else if (words_[1] == "start") {
            table_ = session_options();
            of_job(Walker(words_, names_, table_, Programs::none).walk(2));
            if (made_.shell == ShellPart::command && !has_command())
                made_.shell = ShellPart::nothing;
        } else if (words_[1] == "add" || words_[1] == "remove") {
            of_host_change();
        } else if (words_[1] != "list") {
            add_sessions("");
        }
    }

    void of_host_change() {
        of_jobs_in_sessions();
        const std::string& before = words_[words_.size() - 2];
        if (before == "-f" || before == "--hostfile") made_.shell = ShellPart::files;
        if (!last_.starts_with('-') || before == "--session") return;
        add("--hostfile", "hosts from a file, one a line; - is standard input");
        if (words_[1] == "add") return add("--allow-missing", "keep those that came");
        add("--when-idle", "as soon as no job uses them");
        add("--now", "also from jobs that use them");
    }

    /// After "--" stands what holds a session.
    bool has_command() const {
        return std::find(words_.begin(), words_.end(), "--") < words_.end() - 1;
    }

    void add_sessions(const std::string& before) {
        for (const auto& name : names_.sessions())
            add(before + name);
    }

    /// Options as a job has them, and a job file where its program would stand; nothing after a
    /// program, which cannot be there.
    void of_config() {
        table_ = config_options();
        const auto place = Walker(words_, names_, table_, Programs::none).walk(1);
        if (place.kind == Place::Kind::program) return;
        of_job(place);
        if (made_.shell == ShellPart::command) {
            made_.shell = ShellPart::files;
            made_.command_at = 0;
        }
    }

    /// Hosts, and how they are reached; no program.
    void of_doctor() {
        table_ = doctor_options();
        const auto place = Walker(words_, names_, table_, Programs::none).walk(1);
        if (place.kind == Place::Kind::program) return;
        of_job(place);
        if (made_.shell != ShellPart::command) return;
        made_.shell = ShellPart::nothing;
        made_.command_at = 0;
    }

    void of_help() {
        if (last_.starts_with('-')) return options();
        for (const auto& topic : names_.topics())
            add(topic.text, topic.help);
        add_subcommands();
    }

    void add_shells() {
        for (const auto& script : completion_scripts())
            add(std::string(script.shell));
    }

    void of_job(const Place& place) {
        switch (place.kind) {
            case Place::Kind::pair_value: return;
            case Place::Kind::program: return command(place.program_at);
            case Place::Kind::value: return value(*place.option, "", place.hostfiles);
            case Place::Kind::option_or_program: break;
        }
        if (place.options_over || !last_.starts_with('-')) return command(place.program_at);
        const auto equals = last_.find('=');
        if (equals == std::string::npos) return options();
        const auto* option = find_option(last_.substr(0, equals), table_);
        if (option != nullptr && !option->is_flag())
            value(*option, last_.substr(0, equals + 1), place.hostfiles);
    }

    void command(size_t at) {
        made_.shell = ShellPart::command;
        made_.command_at = at;
    }

    /// Each by the name that says most: those of one letter, or mpiexec's, are found by who
    /// begins to type them.
    void options() {
        for (const auto* option : table_) {
            for (const auto name : names_of(*option)) {
                const bool asked = last_.size() > 1 && last_[1] != '-';
                if (asked || name == names_of(*option).back()) add(std::string(name), option->help);
            }
        }
        if (!last_.starts_with("--no-")) return;
        for (const auto* option : table_) {
            const auto negated = "--no-" + std::string(without_dashes(names_of(*option).back()));
            if (option->can_be_taken_back() && find_negated(negated, table_) == option)
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
        if (option.completes == Completes::sessions) return add_sessions(before);
        if (option.completes == Completes::variables)
            return variable_names(option.value.kind == Kind::list, before);
        if (option.value.words == nullptr) return;
        if (option.value.kind == Kind::list) return in_list(before, words_beside(option, before));
        for (const auto& word : option.value.words())
            add(before + typed(word), word.help);
    }

    /// What goes on after a colon is completed up to it, and the user writes the rest.
    static std::string typed(const ChoiceWord& word) {
        return word.argument.empty() ? word.text : word.text + ":";
    }

    void variable_names(bool listed, const std::string& before) {
        if (listed) return in_list(before, plain(names_.variables()));
        for (const auto& name : names_.variables())
            add(before + name);
    }

    /// Those of the option's words that may stand after the ones before the last comma.
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

    static constexpr std::string_view session_option = "--session";

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
