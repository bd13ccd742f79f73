// SPDX-License-Identifier: MIT
#include <csignal>
#include <ctime>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/render/session_text.hpp"
#include "cmd/run.hpp"
#include "cmd/session/job_number.hpp"
#include "cmd/session/join.hpp"
#include "cmd/session/signal_name.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/base/list_text.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

using Strings = std::vector<std::string>;

/// Longer than the time that jobs and then relays get to end.
constexpr int stop_seconds = 60;

uint64_t seconds_now() {
    return static_cast<uint64_t>(std::time(nullptr));
}

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

/// Returns the sessions that answer, and reports those that do not, such as one of another build.
std::vector<SessionState> all_sessions() {
    std::vector<SessionState> sessions;
    const SessionPlace where = place_of_sessions();
    for (const auto& name : where.names()) {
        const auto holder = SessionClient::holder(where, name);
        if (holder && *holder == 0) continue;
        const auto client = SessionClient::connect(where, name);
        if (client)
            sessions.push_back(client->state());
        else
            say(describe(client.error()));
    }
    return sessions;
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
    const auto job = read_job_number(asked);
    if (!job) return fail(job.error());
    auto client = connect_one(asked.settings.session);
    if (!client) return fail(client.error());
    const auto answer =
        client->ask(SurveyRequest{*job, {0, SurveyOrder::What::usage, {}, patience::usage}});
    if (!answer) return fail(answer.error());
    if (const auto refused = refusal(asked, *client, *answer)) return fail(*refused);
    const std::string silent = silent_text(client->state(), *answer);
    if (!silent.empty()) say(silent);
    return show(rendered(asked.settings.view.format,
                         {{Format::text, [&] { return ranks_text(client->state(), *answer); }},
                          {Format::json, [&] { return ranks_json(client->state(), *answer); }}}));
}

}  // namespace

int list_sessions(const Asked& asked) {
    const auto sessions = all_sessions();
    return show_sessions(asked, sessions, [&] { return sessions_text(sessions, seconds_now()); });
}

int show_session(const Asked& asked) {
    const auto client = connect_one(session_named(asked));
    if (!client) return fail(client.error());
    return show_sessions(asked, {client->state()},
                         [&] { return session_text(client->state(), seconds_now()); });
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
        sessions = all_sessions();
    } else {
        const auto client = connect_one(asked.settings.session);
        if (!client) return fail(client.error());
        sessions.push_back(client->state());
    }
    return show_sessions(asked, sessions, [&] { return jobs_text(sessions, seconds_now()); });
}

int signal_job(const Asked& asked) {
    const auto request = read_signal_request(asked);
    if (!request) return fail(request.error());
    auto client = connect_one(asked.settings.session);
    if (!client) return fail(client.error());
    const auto answer = client->ask(*request);
    if (!answer) return fail(answer.error());
    const auto refused = refusal(asked, *client, *answer);
    return refused ? fail(*refused) : exit_code::success;
}

}  // namespace launch
