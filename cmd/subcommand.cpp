#include "cmd/subcommand.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

#include "cmd/completion.hpp"
#include "cmd/config.hpp"
#include "cmd/doctor/doctor_command.hpp"
#include "cmd/doctor/look_at_host.hpp"
#include "cmd/help_command.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/report/report_command.hpp"
#include "cmd/run.hpp"
#include "cmd/send_role.hpp"
#include "cmd/session/attach.hpp"
#include "cmd/session/session_command.hpp"
#include "core/fetch/send_command.hpp"

namespace launch {
namespace {

constexpr auto subcommand_table = std::to_array<Subcommand>({
    {"run", "run a job; what launch does without a subcommand", start_run_command},
    {"config", "show each setting and where it comes from", start_config},
    {"completion", "the completion script for a shell", start_completion},
    {"session", "keep hosts ready, so that jobs on them start at once", start_session_command},
    {"ps", "the jobs that run in sessions", start_ps},
    {"attach", "show the output of a job that was started with --detach", start_attach},
    {"signal", "send a signal to a job of a session", start_signal},
    {"doctor", "check hosts before a launch, and say how to mend them", start_doctor},
    {"report", "draw when hosts and ranks of a job did what", start_report},
    {"help", "help on a topic, a command or an option", start_help},
    {"version", "the version and the build", start_version},
    {"__complete", "", start_complete},
    {"__check", "", start_check},
    {send_word, "", start_send},
    {"debug", "", nullptr},
    {"simulate", "", nullptr},
});

bool is_other_launcher(std::string_view called_as) {
    const auto name = called_as.substr(called_as.rfind('/') + 1);
    return name == "mpiexec" || name == "mpirun";
}

}  // namespace

std::span<const Subcommand> subcommands() {
    return subcommand_table;
}

const Subcommand* find_subcommand(std::string_view called_as,
                                  const std::vector<std::string>& words) {
    if (words.empty() || is_other_launcher(called_as)) return nullptr;
    const auto* found = std::find_if(subcommand_table.begin(), subcommand_table.end(),
                                     [&](const Subcommand& each) { return each.name == words[0]; });
    return found == subcommand_table.end() ? nullptr : found;
}

std::string_view command_meant(const Settings& settings, const ExitStatus& failed) {
    const bool not_found = failed.kind == ExitStatus::Kind::not_started &&
                           failed.stage == ExitStatus::Stage::exec && failed.value == ENOENT;
    if (!not_found || settings.programs.size() != 1 || !settings.job_file.empty()) return {};
    const auto& program = settings.programs.front();
    if (!program.last_option.empty()) return {};
    std::vector<std::string_view> names;
    for (const auto& each : subcommand_table)
        if (!each.help.empty()) names.push_back(each.name);
    return nearest(program.argv.front(), names);
}

std::string reserved_text(std::string_view name) {
    const std::string word(name);
    return word + ": this subcommand does not exist yet; to run a program: launch -- " + word;
}

}  // namespace launch
