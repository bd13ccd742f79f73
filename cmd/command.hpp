// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"
#include "core/job/exit_status.hpp"

namespace launch {

/// The kind of thing that a positional names. Completion offers the things of that kind.
enum class Takes : uint8_t {
    program,  ///< the programs of a job, with `:` between them
    command,  ///< a program and its arguments, after `--`
    job_file,
    job,
    session,
    signal,
    ranks,
    hosts,
    file,
    shell,
    topic,  ///< of help: a topic, a command or an option, which may begin with a dash
};

enum class Times : uint8_t { once, optional, any };

/// A word that is no option, at its place among such words.
struct Positional {
    std::string_view name;  ///< as the synopsis shows it
    Takes takes;
    Times times = Times::once;
    bool instead = false;  ///< of all other words of its command: a line of its own in the synopsis
};

struct Command;

/// The words after a command's name, read.
struct Asked {
    const Command* command;
    std::vector<std::string> words;  ///< its positionals
    Settings settings;
    ProgramSettings program;

    /// A usage error of this command: its name, what is wrong, and where its page is.
    Error wrong(const std::string& cause) const;
};

/// All there is to know of one command. The command line, completion, the synopsis, help and manual
/// pages are loops over these. One with neither `run` nor `start` is a reserved name.
struct Command {
    std::string_view name;     ///< "session add"
    std::string_view summary;  ///< one line; empty: hidden
    std::span<const Positional> positionals = {};
    int (*run)(const Asked& asked) = nullptr;  ///< returns the exit code
    /// A command whose options may also stand in files and the environment reads its words itself.
    int (*start)(const std::vector<std::string>& words) = nullptr;
    OptionTable (*set_options)() = nullptr;  ///< the options of such a command

    OptionTable options() const { return set_options ? set_options() : own_options(name); }
    /// The name of its page: "session" of "session add".
    std::string_view page() const { return name.substr(0, name.find(' ')); }
    bool is_verb() const { return page().size() < name.size(); }
    bool is_hidden() const { return summary.empty(); }
    bool is_reserved() const { return run == nullptr && start == nullptr; }
    bool takes(Takes what) const;
};

/// In the order shown, each followed by its verbs.
std::span<const Command> commands();

/// The command that these words begin with; null: they are those of a job. A name is a command's
/// only as the very first word: anywhere else, after `run` or `--`, or with a path, it is a
/// program's. Called by another launcher's name (argv[0] is mpiexec or mpirun), launch has none.
const Command* find_command(std::string_view called_as, const std::vector<std::string>& words);

/// Runs what the words say, a job or a command. Returns the exit code.
int run_words(std::string_view called_as, const std::vector<std::string>& words);

/// The command whose name the program's may be, mistyped, where the program was not found and is
/// what the command line begins with; empty: none.
std::string_view command_meant(const Settings& settings, const ExitStatus& failed);

/// Returns the message for a reserved name.
std::string reserved_text(std::string_view name);

/// Reads the words after the name of a command that has no settings in files (Command::run). The
/// error says which word is wrong or missing, and names the command's page.
Result<Asked> read_command(const Command& command, const std::vector<std::string>& words);

/// Returns the page of `launch help WORDS`: without words what `launch --help` prints, which fits a
/// screen; the page of a topic, a command or an option; with --man the source of a manual page, for
/// packagers. `colour`: headings are bold, for a terminal.
Result<std::string> help_page(const std::vector<std::string>& words, bool colour);

/// How a command is written, a line for each way: "launch report FILE [--format text|svg|html]".
std::vector<std::string> synopsis_of(const Command& command);

/// Returns the synopses of a command and its verbs, or of `all` commands, wrapped for a page; empty
/// if there is no command of that name.
std::vector<std::string> synopsis_lines(std::string_view name);

}  // namespace launch
