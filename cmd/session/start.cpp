// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <optional>
#include <sys/prctl.h>
#include <unistd.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/session/background.hpp"
#include "cmd/session/join.hpp"
#include "cmd/wiring.hpp"
#include "core/base/counted.hpp"
#include "core/base/shortage.hpp"
#include "core/head/report.hpp"
#include "core/process/guard.hpp"
#include "core/session/session.hpp"

namespace launch {
namespace {

struct Words {
    std::vector<std::string> options;
    std::vector<std::string> command;  ///< that holds the session; empty: it stays
};

Words split_words(const std::vector<std::string>& words) {
    const auto at = std::find(words.begin(), words.end(), "--");
    Words parts{{words.begin(), at}, {}};
    if (at != words.end()) parts.command.assign(at + 1, words.end());
    return parts;
}

/// A name can be taken for a moment only: by a process that looks for dead sessions, or by a
/// session that was killed and whose guard is still cleaning up.
constexpr std::chrono::milliseconds usual_wait{500};

/// Takes the first free name of s1, s2, ... and removes the files of killed sessions.
Result<SessionName> take_free_name(const SessionPlace& place) {
    for (const auto& name : place.names()) {
        const auto holder = SessionClient::holder(place, name);
        if (holder && *holder == 0)
            (void)SessionName::take(place, name, std::chrono::milliseconds(0));
    }
    for (unsigned number = 1;; ++number) {
        auto taken =
            SessionName::take(place, "s" + std::to_string(number), std::chrono::milliseconds(0));
        if (!taken) return taken.error();
        if (*taken) return **std::move(taken);
    }
}

Error name_is_had(const SessionPlace& place, const std::string& name) {
    const std::string what = "--name " + name + ": there is a session of that name";
    const auto holder = SessionClient::holder(place, name);
    if (!holder) return holder.error();
    if (*holder == 0) return usage_error(what + ", which is starting or ending");
    auto error = usage_error(what + ", held by process " + std::to_string(*holder));
    error.hint = "`launch session stop " + name + "` ends it";
    return error;
}

Result<SessionName> take_name(const SessionPlace& place, const std::string& wanted) {
    if (wanted.empty()) return take_free_name(place);
    if (!is_session_name(wanted) || wanted == any_session)
        return usage_error("--name " + wanted +
                           ": a session name has only letters, digits and _.-, and is not `" +
                           any_session + "`");
    auto taken = SessionName::take(place, wanted, usual_wait);
    if (!taken) return taken.error();
    if (!*taken) return name_is_had(place, wanted);
    return **std::move(taken);
}

/// Prints how to use the session; returns the exit code of that.
int show_ready(const std::string& name, const std::string& hosts) {
    const std::string stop = "launch session stop " + name;
    return show("session " + name + ": " + hosts + "\n  to run a job there: launch --session " +
                    name + " -n 4 ./app\n  to end it: " + stop + "\n",
                "session " + name + " runs; `" + stop + "` ends it");
}

/// In the background process: its exit code.
int hold(const Plan& plan, const SessionSettings& settings, bool quiet, Background& background) {
    const auto guard = Guard::split_process(Guard::Role::relay);
    HeadOptions options;
    options.quiet = quiet;
    options.progress = !quiet && isatty(STDERR_FILENO) == 1;
    options.log = log_wanted();
    const SessionEvents events{
        [&](size_t hosts) { return background.ready(counted(hosts, "host")); }};
    const auto held = hold_session(plan, factories(), options, settings, guard, events);
    if (held.error) return fail(*held.error);
    for (const auto& line : host_failure_lines(held.failures))
        say(line);
    if (!held.failures.empty()) {
        tell_other_way({plan.spec.transport.name, plan.spec.allocation},
                       held.failures.front().error);
        return exit_code_of(held.failures.front().error);
    }
    return held.signal == 0 ? exit_code::success : exit_code::signal_base + held.signal;
}

/// Runs the command with the session's name in its environment; its exit code.
int run_command(const std::vector<std::string>& words, const std::string& name) {
    setenv("LAUNCH_SESSION", name.c_str(), 1);
    std::vector<char*> argv;
    for (const auto& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t self = getpid();
    const pid_t child = fork();
    if (child < 0) {
        say("start " + words[0] + ": " + no_process_text(errno));
        return exit_code::internal;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != self) _exit(exit_code::signal_base + SIGTERM);
        signal(SIGXFSZ, SIG_DFL);  // launch itself ignores it
        execvp(argv[0], argv.data());
        const int reason = errno;
        say(words[0] + ": " + errno_text(reason));
        _exit(reason == ENOENT ? exit_code::not_found : exit_code::not_allowed);
    }
    // The terminal signals the command; this process has to stay to end the session.
    for (const int number : {SIGINT, SIGQUIT})
        signal(number, SIG_IGN);
    return exit_code_of_child(child);
}

int bring_up(const Settings& settings, const Surroundings& around,
             const std::vector<std::string>& command) {
    auto request = make_request(settings, around, std::cin);
    if (!request) return fail(with_page(request.error(), "session"));
    request->spec.programs.clear();
    request->spec.policies.links.many_jobs = true;
    request->spec.transport.outlives_reader = true;
    if (!settings.quiet) tell_notes(request->notes);
    const auto plan = make_tree_plan(std::move(request->spec), topology_factory());
    if (!plan) return fail(plan.error());
    const SessionPlace place = session_place(around.env);
    auto name = take_name(place, settings.session_name);
    if (!name) return fail(name.error());
    leave_enclosing_job();
    auto background =
        Background::split(command.empty() ? Background::Alone::goes_on : Background::Alone::ends);
    if (!background) return fail(background.error());
    if (background->is_background())
        return hold(*plan, {*name, settings.session_idle}, settings.quiet, *background);
    name->leave_to_child();
    const auto ready = background->wait();
    if (!ready) return background->exit_code();
    if (command.empty())
        return settings.quiet ? exit_code::success : show_ready(name->text(), *ready);
    const int code = run_command(command, name->text());
    background->stop();
    return code;
}

}  // namespace

int start_session(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const auto parts = split_words(words);
    const WordRules rules{
        .table = session_options(), .programs = Programs::none, .page = "session"};
    const auto gathered =
        gather_settings(parts.options, rules, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    tell_notes(gathered.notes);
    return bring_up(gathered.settings, *around, parts.command);
}

}  // namespace launch
