// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/settings.hpp"

namespace launch {

/// A heading of the list of options, in the order shown.
enum class OptionGroup : uint8_t { program, hosts, env, files, mpi, tree, streams, time, look };

/// The form of a value's text.
enum class Kind : uint8_t {
    flag,    ///< "true" or "false"; given by its name alone, or as --no-NAME
    number,  ///< a whole number
    time,    ///< "10", "1.5s", "200ms", "2m", "1h"
    choice,  ///< one of few words
    text,
    list,   ///< words between commas
    hosts,  ///< a list of hosts
    pair,   ///< "NAME=VALUE"; two words on the command line
    path,   ///< of a file here; of an option with a destination, "FILE:DEST"
};

/// The completion of a value, if its kind does not decide it.
enum class Completes : uint8_t {
    by_kind,
    folders,
    variables,
    sessions,
    file_and_place,    ///< "FILE:DEST": after the colon a place on hosts, which only they know
    place_and_folder,  ///< "PLACE:DIR": before the last colon such a place
};

/// Open MPI's prefix for the name of a parameter in the environment.
inline constexpr std::string_view mca_variable_prefix = "OMPI_MCA_";

/// The subject of an option.
enum class Scope : uint8_t {
    program,     ///< one program of the job
    job,         ///< the job as a whole
    invocation,  ///< what launch is to do this time: not of files, nor of the environment
};

/// An option that needs hosts or a session is refused in a job that has none.
enum class Needs : uint8_t { nothing, hosts, session };

/// Where values are written to, and read from.
struct Target {
    Settings& job;
    ProgramSettings& program;
};
struct View {
    const Settings& job;
    const ProgramSettings& program;
};

/// One of the words that a value may be.
struct ChoiceWord {
    std::string text;
    std::string help = {};      ///< one line
    std::string argument = {};  ///< what goes after it and a colon: "K" of "kary:K"

    /// As help shows it.
    std::string shown() const { return argument.empty() ? text : text + ":" + argument; }
};

/// A value that an option gives to another one of the job.
struct Implied {
    std::string_view key;
    std::string_view value;
};

/// How the value of an option is read from text, and put as text again. See bind.hpp.
struct Value {
    Kind kind = Kind::flag;
    bool repeats = false;  ///< each time it is given adds to it
    bool chooses = false;  ///< a flag that says one of several things: its contrary says none
    /// Puts the value into the settings. Returns what is wrong with the text as a clause, or an
    /// empty string.
    std::string (*read)(std::string_view text, const Target& target) = nullptr;
    /// As many texts as it takes to read the same value again: none where it is not set.
    std::vector<std::string> (*write)(const View& view) = nullptr;
    /// The words that it may be, or may be beside others; empty: there are no such.
    std::vector<ChoiceWord> (*words)() = nullptr;
};

/// All there is to know of one option. The command line, job files, the environment, help, man
/// pages and completions are loops over these.
struct OptionRow {
    OptionGroup group = OptionGroup::program;
    Scope scope = Scope::job;
    std::string_view names;         ///< "-n -np --ranks", as shown
    std::string_view key = {};      ///< in files: "ranks"; unlike that of any row of the same scope
    std::string_view metavar = {};  ///< empty: a flag; with a space: two words
    Value value;
    std::string_view help = {};    ///< one line
    std::string_view manual = {};  ///< a paragraph, for man pages
    /// `if_unset` describes the default of an option whose default is not one of its values;
    /// `example` is a value that such an option could have. A flag needs no example.
    std::string_view if_unset = {};
    std::string_view example = {};
    /// Rows of one family say the same in several ways, so that a stronger layer's word replaces
    /// what a weaker one said by any of them. Empty: none but itself.
    std::string_view family = {};
    /// The values that a flag, once set, gives to other rows of the job. A value that the same
    /// layer sets itself is stronger.
    std::span<const Implied> implies = {};
    /// Each value is a variable of ranks, NAME=VALUE or a NAME, and this stands before the name
    /// that ranks see. Layers come together, the strongest that sets a variable winning whatever
    /// option it uses. None: the values are no variables.
    std::optional<std::string_view> variable_prefix = std::nullopt;
    Completes completes = Completes::by_kind;
    /// The value if another option follows, or nothing does, for an option whose values never look
    /// like an option. Empty: it needs a value.
    std::string_view without_value = {};
    /// Given for a job that has none, the option is refused; what is set for every job is ignored.
    Needs needs = Needs::nothing;

    /// The last of its names, by which messages call it.
    constexpr std::string_view name() const { return names.substr(names.rfind(' ') + 1); }
    bool is(Scope its_scope, std::string_view its_key) const {
        return scope == its_scope && key == its_key;
    }
    /// The option asks about launch itself, so no other option of the command line matters.
    bool asks_about_launch() const {
        return is(Scope::invocation, "help") || is(Scope::invocation, "version") || stands_alone();
    }
    /// Other words beside it would say nothing.
    bool stands_alone() const {
        return is(Scope::invocation, "init") || is(Scope::invocation, "schema");
    }
    bool names_job_file() const { return is(Scope::invocation, "job"); }
    /// No program need follow.
    bool brings_program() const { return names_job_file() || is(Scope::invocation, "attach"); }
    bool is_flag() const { return value.kind == Kind::flag; }
    bool can_be_taken_back() const { return is_flag() && !value.chooses; }
    bool is_pair() const { return value.kind == Kind::pair; }
};

/// Every option, by group.
using OptionTable = std::span<const OptionRow* const>;
OptionTable all_options();

/// The options of `launch config`: settings of a job, and its own.
OptionTable config_options();

/// The options of `launch doctor`: those of hosts and trees, and the format of the result.
OptionTable doctor_options();

/// The options of `launch session start`: those of hosts and trees, and its own.
OptionTable session_options();

/// Returns the options of a command that has no settings in files; each command has --help.
OptionTable own_options(std::string_view command);

std::string_view title_of(OptionGroup group);

/// Whether a word, if it stands where an option may, can only be one: `-` alone is a value.
inline bool looks_like_option(std::string_view word) {
    return word.size() > 1 && word[0] == '-';
}

/// The names of an option as its row lists them.
std::vector<std::string_view> names_of(const OptionRow& option);

/// The option of a word such as "-np"; null if no option has it. A name of several letters may have
/// one dash or two, whatever the table shows, because mpiexec's users write both.
const OptionRow* find_option(std::string_view word, OptionTable table = all_options());

/// The option that has this name without dashes: "np" or "genv"; null if no option has it.
const OptionRow* find_bare(std::string_view name, OptionTable table = all_options());

/// The flag that a word such as "--no-label" takes back; null if no flag fits. Flags of the
/// invocation (--dry-run) cannot be taken back, because no file sets them.
const OptionRow* find_negated(std::string_view word, OptionTable table = all_options());

/// The row of a key, as files write it; null if the scope has no such key.
const OptionRow* find_key(std::string_view key, Scope scope, OptionTable table = all_options());

/// The name that was probably meant by an unknown word; empty if none is near.
std::string_view nearest_option(std::string_view word, OptionTable table = all_options());

/// The texts of an option, and "false" for a flag that is not set, if a file may say so.
std::vector<std::string> texts_of(const OptionRow& option, const View& view);

/// An option in a message: as its user wrote it, or by its name where nobody gave it.
std::string spelled(const Settings& settings, std::string_view key);
/// An option with its value, or the option that implies both.
std::string spelled(const Settings& settings, std::string_view key, std::string_view value);
std::string spelled(const ProgramSettings& program, std::string_view key);
/// The spelling of one text of an option whose texts come from several places.
std::string spelled(const ProgramSettings& program, std::string_view key, size_t which);

/// The form of this option's value in a file: "a whole number".
std::string value_in_words(const OptionRow& option);

/// The texts of what is used where nobody sets it; none where the row tells that in words
/// (OptionRow::if_unset).
std::vector<std::string> default_texts(const OptionRow& option);

/// Texts to show how it is written: those of its default or, where it has none, of an example.
std::vector<std::string> example_texts(const OptionRow& option);

}  // namespace launch
