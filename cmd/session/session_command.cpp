// SPDX-License-Identifier: MIT
#include <csignal>
#include <iostream>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/render/session_text.hpp"
#include "cmd/request/read_hosts.hpp"
#include "cmd/session/job_words.hpp"
#include "cmd/session/join.hpp"
#include "cmd/session/running_job.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/base/list_text.hpp"
#include "core/base/unix_time.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

using Strings = std::vector<std::string>;

/// Longer than the time that jobs and then relays get to end.
constexpr int stop_seconds = 60;

SessionPlace place_of_sessions() {
    return session_place(own_environment());
}

/// Prints the sessions as JSON, or as the text that `text` makes.
int show_sessions(const Asked& asked, const std::vector<SessionState>& sessions,
                  const std::function<std::string()>& text) {
    return show(
        rendered(asked.settings.view.format,
                 {{Format::text, text}, {Format::json, [&] { return sessions_json(sessions); }}}));
}

/// Returns the name of the session on the command line; empty: none was given.
std::string session_named(const Asked& asked) {
    return asked.words.empty() ? "" : asked.words.front();
}

std::vector<SessionState> states_of(const std::vector<SessionClient>& clients) {
    std::vector<SessionState> states;
    for (const SessionClient& client : clients)
        states.push_back(client.state());
    return states;
}

/// Ends a session by a signal, which a session of another build understands, too.
Status stop_one(const SessionPlace& where, const std::string& name) {
    const auto held = SessionClient::holder(where, name);
    if (!held) return held.error();
    const pid_t holder = *held;
    if (holder == 0) return no_such_session(name);
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, holder, 0)));
    if (kill(holder, SIGTERM) != 0) return os_error("stop session " + name, errno);
    kill(holder, SIGCONT);  // a stopped process does not handle SIGTERM
    pollfd ended{process.get(), POLLIN, 0};
    if (process && poll(&ended, 1, stop_seconds * 1000) > 0) return Ok{};
    return Error{ErrorKind::internal,
                 "stop session " + name,
                 {},
                 -1,
                 "process " + std::to_string(holder) + " has not ended in " +
                     std::to_string(stop_seconds) + " s",
                 "kill -9 ends the session and its jobs"};
}

/// Prints the ranks of one job.
int show_ranks(const Asked& asked) {
    auto job = find_job(asked);
    if (!job) return fail(job.error());
    const SurveyOrder order{0, SurveyOrder::Subject::usage, {}, patience::usage};
    const auto answer = ask(asked, *job, SurveyRequest{job->number, order});
    if (!answer) return fail(answer.error());
    const SessionState& state = job->client.state();
    const std::string silent = silent_text(state, *answer);
    if (!silent.empty()) say(silent);
    return show(rendered(asked.settings.view.format,
                         {{Format::text, [&] { return ranks_text(state, *answer); }},
                          {Format::json, [&] { return ranks_json(state, *answer); }}}));
}

Result<std::vector<Host>> hosts_of(const Asked& asked) {
    std::vector<Host> hosts;
    const auto take = [&hosts](Result<std::vector<Host>> more) -> Status {
        if (!more) return std::move(more.error());
        hosts.insert(hosts.end(), more->begin(), more->end());
        return Ok{};
    };
    for (const auto& list : asked.words) {
        auto taken = take(parse_hosts(list));
        if (!taken) return std::move(taken.error());
    }
    for (const auto& file : asked.program.hostfiles) {
        auto taken = take(file == standard_input ? parse_hostfile(std::cin, "standard input")
                                                 : read_host_file(file));
        if (!taken) return std::move(taken.error());
    }
    if (hosts.empty())
        return asked.wrong("name hosts, as in: launch " + std::string(asked.command->name) +
                           " node[001-004]");
    return merge_hosts(std::move(hosts));
}

int tell(const Asked& asked, const SessionAnswer& answer) {
    if (answer.kind == SessionAnswer::Kind::done) return exit_code::success;
    const bool failed = answer.kind == SessionAnswer::Kind::hosts_failed;
    for (const auto& line : answer.lines)
        say((failed ? "" : std::string(asked.command->name) + ": ") + line);
    if (failed) return exit_code::unreachable;
    if (answer.kind == SessionAnswer::Kind::in_use)
        say("nothing was removed: --when-idle waits for jobs to end, --now takes the hosts from "
            "them");
    return exit_code::usage;
}

int change(const Asked& asked, const SessionRequest& request) {
    auto client = connect_one(asked.settings.session);
    if (!client) return fail(client.error());
    const auto answer = client->ask_patiently(request);
    return answer ? tell(asked, *answer) : fail(answer.error());
}

}  // namespace

int list_sessions(const Asked& asked) {
    const auto sessions = states_of(answering_sessions());
    return show_sessions(asked, sessions,
                         [&] { return sessions_text(sessions, unix_seconds_now()); });
}

int show_session(const Asked& asked) {
    const auto client = connect_one(session_named(asked));
    if (!client) return fail(client.error());
    return show_sessions(asked, {client->state()},
                         [&] { return session_text(client->state(), unix_seconds_now()); });
}

int show_log(const Asked& asked) {
    auto client = connect_one(session_named(asked));
    if (!client) return fail(client.error());
    const auto answer = client->ask(LogRequest{});
    if (!answer) return fail(answer.error());
    std::string text;
    for (const auto& line : answer->lines)
        text += line + "\n";
    return show(text);
}

int stop_sessions(const Asked& asked) {
    Strings names = asked.words;
    if (names.empty()) {
        const auto client = connect_one("");
        if (!client) return fail(client.error());
        names.push_back(client->state().name);
    }
    int code = exit_code::success;
    for (const auto& name : names) {
        const auto stopped = stop_one(place_of_sessions(), name);
        if (!stopped) code = fail(stopped.error());
    }
    return code;
}

int start_session_command(const Strings& words) {
    std::vector<std::string_view> verbs;
    for (const auto& command : commands())
        if (command.is_verb() && command.page() == "session")
            verbs.push_back(command.name.substr(command.page().size() + 1));
    auto error = usage_error(words.empty() ? "session: say what to do"
                                           : "session: unknown word " + shown(words.front()) +
                                                 did_you_mean(nearest(words.front(), verbs)));
    error.hint = "known: " + joined(verbs, ", ");
    return fail(error);
}

int list_jobs(const Asked& asked) {
    if (!asked.words.empty()) return show_ranks(asked);
    std::vector<SessionState> sessions;
    if (asked.settings.session.empty()) {
        sessions = states_of(answering_sessions());
        for (auto& job : states_of(answering_jobs()))
            sessions.push_back(std::move(job));
    } else {
        const auto client = connect_one(asked.settings.session);
        if (!client) return fail(client.error());
        sessions.push_back(client->state());
    }
    return show_sessions(asked, sessions, [&] { return jobs_text(sessions, unix_seconds_now()); });
}

int signal_job(const Asked& asked) {
    auto order = read_signal_words(asked);
    if (!order) return fail(order.error());
    auto job = find_job(asked);
    if (!job) return fail(job.error());
    const auto answer = ask(asked, *job, SignalRequest{job->number, *std::move(order)});
    return answer ? exit_code::success : fail(answer.error());
}

int add_hosts(const Asked& asked) {
    const auto hosts = hosts_of(asked);
    return hosts ? change(asked, AddRequest{*hosts, asked.settings.allow_missing})
                 : fail(hosts.error());
}

int remove_hosts(const Asked& asked) {
    const auto hosts = hosts_of(asked);
    return hosts ? change(asked, RemoveRequest{*hosts, asked.settings.leave}) : fail(hosts.error());
}

}  // namespace launch
