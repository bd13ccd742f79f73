// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/command.hpp"

namespace launch {

/// The functions of the commands; the table of command.cpp names each. All return the exit code.

/// Launch without a subcommand: runs the job that the words describe, or shows it.
int start_run(const std::vector<std::string>& words);
/// `launch run`: the same, but --help is about that command.
int start_run_command(const std::vector<std::string>& words);
/// `launch debug`: the same under a debugger, gdb where no option names another.
int start_debug(const std::vector<std::string>& words);
/// Prints the value of each option, and where that comes from.
int start_config(const std::vector<std::string>& words);
/// Would a launch on these hosts work, and what is to be mended there?
int start_doctor(const std::vector<std::string>& words);
/// Brings a session up, says its name, and leaves it in the background; or runs the command after
/// `--` and ends the session with it.
int start_session(const std::vector<std::string>& words);
/// `launch session` without one of its verbs, which is an error.
int start_session_command(const std::vector<std::string>& words);
/// `launch __complete WORDS...`, which the scripts for shells call: how the last word can go on.
/// Prints lines of "WORD<tab>HELP", then one that says what the shell adds of its own: ":nothing",
/// ":files", ":folders" or ":command N", N being the place of the program among the words.
int start_complete(const std::vector<std::string>& words);
/// The role of the executable on a host of which --fetch gets something (send_command()): writes
/// what it names to standard output.
int start_send(const std::vector<std::string>& words);
/// The role of the executable on a host that `launch doctor` checks (check_command()): writes what
/// it found to standard output.
int start_check(const std::vector<std::string>& words);

/// Prints the completion script for a shell.
int show_completion(const Asked& asked);
int draw_report(const Asked& asked);
int show_help(const Asked& asked);
int show_version(const Asked& asked);
/// Shows the page of a command; without a name what `launch --help` prints.
int show_page(const std::string& name);

int list_sessions(const Asked& asked);
int show_session(const Asked& asked);
int show_log(const Asked& asked);
int add_hosts(const Asked& asked);
int remove_hosts(const Asked& asked);
int stop_sessions(const Asked& asked);
int list_jobs(const Asked& asked);
int show_stacks(const Asked& asked);
/// Shows the output of a detached job from its beginning until it ends; the exit code is the job's.
int attach_job(const Asked& asked);
int signal_job(const Asked& asked);

}  // namespace launch
