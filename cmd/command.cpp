// SPDX-License-Identifier: MIT
#include "cmd/command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/base_name.hpp"
#include "core/base/list_text.hpp"
#include "core/debug/debug_words.hpp"
#include "core/debug/debugged_rank.hpp"
#include "core/fetch/send_command.hpp"
#include "core/process/core_record.hpp"
#include "core/process/held_program.hpp"
#include "core/process/stack_record.hpp"

namespace launch {
namespace {

constexpr auto of_run = std::to_array<Positional>(
    {{"program", Takes::program}, {"JOB.toml", Takes::job_file, Times::once, true}});
constexpr auto job_file =
    std::to_array<Positional>({{"JOB.toml", Takes::job_file, Times::optional}});
constexpr auto shell = std::to_array<Positional>({{"bash|zsh|fish", Takes::shell}});
constexpr auto held_by = std::to_array<Positional>({{"COMMAND", Takes::command, Times::any}});
constexpr auto session = std::to_array<Positional>({{"NAME", Takes::session, Times::optional}});
constexpr auto sessions = std::to_array<Positional>({{"NAME", Takes::session, Times::any}});
constexpr auto hosts = std::to_array<Positional>({{"HOSTS", Takes::hosts, Times::any}});
constexpr auto job = std::to_array<Positional>({{"JOB", Takes::job}});
constexpr auto job_or_all = std::to_array<Positional>({{"JOB", Takes::job, Times::optional}});
constexpr auto to_a_job = std::to_array<Positional>(
    {{"JOB", Takes::job}, {"SIGNAL", Takes::signal}, {"RANKS", Takes::ranks, Times::optional}});
constexpr auto ranks_of_job = std::to_array<Positional>(
    {{"JOB", Takes::job, Times::optional}, {"RANKS", Takes::ranks, Times::optional}});
constexpr auto file = std::to_array<Positional>({{"FILE", Takes::file}});
constexpr auto topic =
    std::to_array<Positional>({{"TOPIC | COMMAND | OPTION", Takes::topic, Times::optional}});

OptionTable options_of_a_job() {
    return all_options();
}

constexpr auto table = std::to_array<Command>({
    {"run", "run a job; what launch does without a subcommand", of_run, nullptr, start_run_command,
     options_of_a_job},
    {"debug", "run each rank under a debugger, with one console for all", of_run, nullptr,
     start_debug, options_of_a_job},
    {"config", "show each setting and where it comes from", job_file, nullptr, start_config,
     config_options},
    {"completion", "the completion script for a shell", shell, show_completion},
    {"session",
     "keep hosts ready, so that jobs on them start at once",
     {},
     nullptr,
     start_session_command},
    {"session start", "bring hosts up", held_by, nullptr, start_session, session_options},
    {"session list", "list the sessions", {}, list_sessions},
    {"session show", "one session, with its hosts and jobs", session, show_session},
    {"session log", "show the latest messages of a session", session, show_log},
    {"session add", "add hosts, while jobs run", hosts, add_hosts},
    {"session remove", "remove hosts, while jobs run", hosts, remove_hosts},
    {"session stop", "end sessions", sessions, stop_sessions},
    {"ps", "the jobs that run", job_or_all, list_jobs},
    {"stacks", "show in which functions the ranks of a job are", ranks_of_job, show_stacks},
    {"attach", "show the output of a job that was started with --detach", job, attach_job},
    {"signal", "send a signal to a job", to_a_job, signal_job},
    {"doctor",
     "check hosts before a launch, and say how to fix them",
     {},
     nullptr,
     start_doctor,
     doctor_options},
    {"report", "draw the timeline of a job's hosts and ranks", file, draw_report},
    {"help", "help on a topic, a command or an option", topic, show_help},
    {"version", "the version and the build", {}, show_version},
    {"__complete", "", {}, nullptr, start_complete},
    {"__check", "", {}, nullptr, start_check},
    {send_word, "", {}, nullptr, start_send},
    {stacks_word, "", {}, nullptr, write_stacks},
    {debugged_word, "", {}, nullptr, run_debugged_rank},
    {held_word, "", {}, nullptr, run_held_program},
    {cores_word, "", {}, nullptr, write_cores},
    {"simulate", ""},
});

bool is_other_launcher(std::string_view called_as) {
    const auto name = base_name(called_as);
    return name == "mpiexec" || name == "mpirun";
}

const Command* find_name(std::string_view name) {
    const auto* found = std::find_if(table.begin(), table.end(),
                                     [&](const Command& each) { return each.name == name; });
    return found == table.end() ? nullptr : found;
}

/// Whether the words of a command ask for its page, wherever among them: `launch completion bash
/// --help`. Not those of `run`, which may be a program's own: it finds out itself. Hidden commands
/// have no page.
bool asks_for_page(const Command& command, const std::vector<std::string>& words) {
    if (command.is_hidden() || command.takes(Takes::program)) return false;
    const auto end = std::find(words.begin(), words.end(), "--");  // another command's words
    return std::any_of(words.begin(), end,
                       [](const std::string& word) { return word == "-h" || word == "--help"; });
}

}  // namespace

bool Command::takes(Takes what) const {
    return std::any_of(positionals.begin(), positionals.end(),
                       [&](const Positional& each) { return each.takes == what; });
}

Error Asked::wrong(const std::string& cause) const {
    return with_page(usage_error(std::string(command->name) + ": " + cause), command->page());
}

std::span<const Command> commands() {
    return table;
}

const Command* find_command(std::string_view called_as, const std::vector<std::string>& words) {
    if (words.empty() || is_other_launcher(called_as)) return nullptr;
    const auto* verb = words.size() > 1 ? find_name(words[0] + " " + words[1]) : nullptr;
    if (verb != nullptr) return verb;
    const auto* command = find_name(words[0]);
    return command == nullptr || command->is_verb() ? nullptr : command;
}

int run_words(std::string_view called_as, const std::vector<std::string>& words) {
    const auto* command = find_command(called_as, words);
    if (command == nullptr) return start_run(words);
    if (command->is_reserved()) return fail(usage_error(reserved_text(command->name)));
    const std::vector<std::string> rest(words.begin() + (command->is_verb() ? 2 : 1), words.end());
    if (asks_for_page(*command, rest)) return show_page(std::string(command->page()));
    if (command->start != nullptr) return command->start(rest);
    const auto asked = read_command(*command, rest);
    return asked ? command->run(*asked) : fail(asked.error());
}

std::string_view command_meant(const Settings& settings, const ExitStatus& failed) {
    const bool not_found = failed.kind == ExitStatus::Kind::not_started &&
                           failed.stage == ExitStatus::Stage::exec && failed.value == ENOENT;
    if (!not_found || settings.programs.size() != 1 || !settings.job_file.empty()) return {};
    const auto& program = settings.programs.front();
    if (!program.last_option.empty()) return {};
    std::vector<std::string_view> names;
    for (const auto& each : table)
        if (!each.is_hidden() && !each.is_verb()) names.push_back(each.name);
    return nearest(program.argv.front(), names);
}

std::string reserved_text(std::string_view name) {
    const std::string word(name);
    return word + ": this subcommand does not exist yet; to run a program: launch -- " + word;
}

}  // namespace launch
