#include "cmd/session/session_command.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <ctime>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/plain_words.hpp"
#include "cmd/run.hpp"
#include "cmd/session/change_hosts.hpp"
#include "cmd/session/job_number.hpp"
#include "cmd/session/join.hpp"
#include "cmd/session/session_text.hpp"
#include "cmd/session/signal_name.hpp"
#include "cmd/session/start.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

using Strings = std::vector<std::string>;

constexpr auto verbs =
    std::to_array<std::string_view>({"start", "list", "show", "log", "add", "remove", "stop"});

/// Jobs get their own time to end, and relays theirs.
constexpr int stop_seconds = 60;

uint64_t seconds_now() {
    return static_cast<uint64_t>(std::time(nullptr));
}

SessionPlace place_of_sessions() {
    return session_place(own_environment());
}

/// What is asked of sessions: which, and in what form.
struct Asked {
    Strings names;
    std::string session;  ///< for `ps`, which has jobs for names
    bool as_json = false;
};

Result<Asked> read_asked(const Strings& words, std::string_view subcommand) {
    Asked asked;
    std::string format;
    CLI::App app;
    app.set_help_flag();
    app.add_option("--format", format);
    if (subcommand == "ps") app.add_option("--session", asked.session);
    auto names = read_plain_words(app, subcommand, words);
    if (!names) return names.error();
    if (!format.empty() && format != "json" && format != "text")
        return usage_error("--format " + format + ": text or json");
    asked.names = *std::move(names);
    asked.as_json = format == "json";
    return asked;
}

/// Those that answer; of another build nothing can be told but that.
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

int list_sessions(const Strings& words) {
    const auto asked = read_asked(words, "session list");
    if (!asked) return fail(asked.error());
    if (!asked->names.empty()) return fail(usage_error("session list takes no name"));
    const auto sessions = all_sessions();
    return show(asked->as_json ? sessions_json(sessions) : sessions_text(sessions, seconds_now()));
}

int show_session(const Strings& words) {
    const auto asked = read_asked(words, "session show");
    if (!asked) return fail(asked.error());
    const auto client = connect_one(asked->names);
    if (!client) return fail(client.error());
    return show(asked->as_json ? sessions_json({client->state()})
                               : session_text(client->state(), seconds_now()));
}

int show_log(const Strings& words) {
    const auto asked = read_asked(words, "session log");
    if (!asked) return fail(asked.error());
    auto client = connect_one(asked->names);
    if (!client) return fail(client.error());
    const auto answer = client->ask(LogRequest{});
    if (!answer) return fail(answer.error());
    std::string text;
    for (const auto& line : answer->lines)
        text += line + "\n";
    return show(text);
}

/// By a signal, so that one of another build ends as well.
Status stop_one(const SessionPlace& where, const std::string& name) {
    const auto held = SessionClient::holder(where, name);
    if (!held) return held.error();
    const pid_t holder = *held;
    if (holder == 0) return no_such_session(name);
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, holder, 0)));
    if (kill(holder, SIGTERM) != 0) return os_error("stop session " + name, errno);
    kill(holder, SIGCONT);  // one that is stopped would never hear of it
    pollfd ended{process.get(), POLLIN, 0};
    if (process && poll(&ended, 1, stop_seconds * 1000) > 0) return Ok{};
    return Error{ErrorKind::internal,
                 "stop session " + name,
                 {},
                 -1,
                 "process " + std::to_string(holder) + " has not ended in " +
                     std::to_string(stop_seconds) + " s",
                 "kill -9 ends it, and all that it holds with it"};
}

int stop_sessions(const Strings& words) {
    const auto asked = read_asked(words, "session stop");
    if (!asked) return fail(asked.error());
    Strings names = asked->names;
    if (names.empty()) {
        const auto client = connect_one(names);
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

Error no_such_job(const SessionClient& session, const std::string& job) {
    auto error = usage_error("session " + session.state().name + " has no job " + job);
    error.hint = "`launch ps` shows those that run";
    return error;
}

/// Of one job.
int show_ranks(const Asked& asked) {
    const auto job = read_job_number("ps", asked.names.front());
    if (!job) return fail(job.error());
    auto client = connect_one(asked.session.empty() ? Strings{} : Strings{asked.session});
    if (!client) return fail(client.error());
    const auto answer = client->ask(SurveyRequest{*job});
    if (!answer) return fail(answer.error());
    if (answer->kind != SessionAnswer::Kind::done)
        return fail(no_such_job(*client, asked.names.front()));
    const std::string silent = silent_text(client->state(), *answer);
    if (!silent.empty()) say(silent);
    return show(asked.as_json ? ranks_json(client->state(), *answer)
                              : ranks_text(client->state(), *answer));
}

}  // namespace

std::span<const std::string_view> session_verbs() {
    return verbs;
}

int start_session_command(const Strings& words) {
    const std::string verb = words.empty() ? "" : words.front();
    const Strings rest(words.begin() + (words.empty() ? 0 : 1), words.end());
    if (verb == "start") return start_session(rest);
    if (verb == "list") return list_sessions(rest);
    if (verb == "show") return show_session(rest);
    if (verb == "log") return show_log(rest);
    if (verb == "add") return add_hosts(rest);
    if (verb == "remove") return remove_hosts(rest);
    if (verb == "stop") return stop_sessions(rest);
    auto error = usage_error(verb.empty() ? "session: say what to do"
                                          : "session: unknown word " + shown(verb) +
                                                did_you_mean(nearest(verb, verbs)));
    error.hint = "known: " + joined(verbs, ", ");
    return fail(error);
}

int start_ps(const Strings& words) {
    const auto asked = read_asked(words, "ps");
    if (!asked) return fail(asked.error());
    if (asked->names.size() > 1) return fail(usage_error("ps: name one job, as in: ps 3"));
    if (!asked->names.empty()) return show_ranks(*asked);
    if (asked->session.empty()) {
        const auto sessions = all_sessions();
        return show(asked->as_json ? sessions_json(sessions) : jobs_text(sessions, seconds_now()));
    }
    const auto client = connect_one({asked->session});
    if (!client) return fail(client.error());
    const std::vector<SessionState> one{client->state()};
    return show(asked->as_json ? sessions_json(one) : jobs_text(one, seconds_now()));
}

int start_signal(const Strings& words) {
    std::string session;
    CLI::App app;
    app.set_help_flag();
    app.add_option("--session", session);
    const auto rest = read_plain_words(app, "signal", words);
    if (!rest) return fail(rest.error());
    const auto request = read_signal_request(*rest);
    if (!request) return fail(request.error());
    auto client = connect_one(session.empty() ? Strings{} : Strings{session});
    if (!client) return fail(client.error());
    const auto answer = client->ask(*request);
    if (!answer) return fail(answer.error());
    if (answer->kind == SessionAnswer::Kind::done) return exit_code::success;
    if (answer->kind == SessionAnswer::Kind::no_rank)
        return fail(usage_error("signal: job " + rest->front() + " of session " +
                                client->state().name + " has " + joined(answer->lines, "")));
    return fail(no_such_job(*client, rest->front()));
}

}  // namespace launch
