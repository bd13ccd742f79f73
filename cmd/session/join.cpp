// SPDX-License-Identifier: MIT
#include "cmd/session/join.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "cmd/console.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/request/read_hosts.hpp"
#include "cmd/wiring.hpp"
#include "core/base/environment.hpp"
#include "core/base/host_name.hpp"
#include "core/base/list_text.hpp"
#include "core/base/mistakes.hpp"
#include "core/hosts/host_filter.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/hosts/this_machine.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

/// They say how the tree is started, which the session has done.
constexpr auto keys_of_tree = std::to_array<std::string_view>(
    {"degree", "topology", "routing", "transport", "ssh-config", "accept-new-host-keys",
     "forward-agent", "push", "links", "link-ports", "connect-timeout", "start-timeout",
     "start-limit", "liveness", "spares", "stats", "call-folder"});

Result<std::string> only_session(const SessionPlace& place) {
    const auto names = sessions_in_use(place);
    if (names.size() == 1) return names.front();
    auto error =
        usage_error(names.empty() ? "there is no session" : "there is more than one session");
    error.hint = names.empty() ? "`launch session start -hosts LIST` starts one"
                               : "choose one: " + joined(names, ", ");
    return error;
}

struct SplitHosts {
    std::vector<Host> left;
    std::vector<std::string> unmatched;  ///< no host of the session has these names
};

SplitHosts split_hosts(std::vector<Host> unwanted, const SessionState& session) {
    HostFilter filter(std::move(unwanted), names_of_machine(host_name()));
    SplitHosts split;
    for (const auto& host : session.hosts)
        split.left.push_back(host.host);
    filter.apply(split.left);
    split.unmatched = filter.unmatched();
    return split;
}

Result<SessionChoice> choice_of(const JobSpec& spec, const Settings& settings,
                                const SessionState& session) {
    SessionChoice choice{settings.session_share, {}, settings.max_hosts};
    auto unwanted = excluded_hosts(settings);
    if (!unwanted) return std::move(unwanted.error());
    if (spec.hosts.empty() && !unwanted->empty() && split_hosts(*unwanted, session).left.empty())
        return usage_error(spelled(settings, "exclude") + " leaves no host of session " +
                           session.name);
    choice.unwanted = *std::move(unwanted);
    return choice;
}

void tell_waiting(const std::string& session, const Error& full) {
    say("waits for slots in session " + session + ": " + full.cause +
        " (--no-wait ends it instead, --share uses those of other jobs, too)");
}

}  // namespace

std::string wanted_session(const Settings& settings, const std::vector<std::string>& env) {
    return settings.session.empty() ? env_value(env, "LAUNCH_SESSION") : settings.session;
}

SessionPlace session_place(const std::vector<std::string>& env) {
    return SessionPlace(env_value(env, "LAUNCH_SESSION_DIR"));
}

std::vector<std::string> sessions_in_use(const SessionPlace& place) {
    auto names = place.names();
    std::erase_if(names, [&](const auto& name) {
        const auto holder = SessionClient::holder(place, name);
        return holder && *holder == 0;
    });
    return names;
}

Result<SessionClient> connect_session(const SessionPlace& place, const std::string& name) {
    if (name != any_session) return SessionClient::connect(place, name);
    const auto only = only_session(place);
    if (!only) return only.error();
    return SessionClient::connect(place, *only);
}

Error with_program_meant(Error error, const Settings& settings,
                         const std::vector<std::string>& env) {
    const auto* origin = settings.origins.find("session");
    const bool is_typed = origin != nullptr && origin->layer == Layer::command_line;
    if (!is_typed || error != no_such_session(settings.session)) return error;
    if (!is_in_path(settings.session, env_value(env, "PATH"))) return error;
    error.hint = "if it is the program: " + origin->name + " -- " + settings.session;
    return error;
}

Result<SessionClient> connect_one(const std::string& name) {
    const auto env = own_environment();
    const std::string wanted = name.empty() ? env_value(env, "LAUNCH_SESSION") : name;
    return connect_session(session_place(env), wanted.empty() ? any_session : wanted);
}

Status check_session_settings(const Settings& settings) {
    Mistakes mistakes;
    for (const auto key : keys_of_tree) {
        if (!settings.origins.has(key) || settings.origins.is_for_every_job(key)) continue;
        mistakes.add(usage_error(spelled(settings, key) +
                                 ": not with a session, whose tree is there already"));
    }
    return mistakes.take_status();
}

std::vector<std::string> notes_of_excluded(const JobSpec& spec, const Settings& settings,
                                           const SessionState& session) {
    if (!spec.hosts.empty() || settings.origins.is_for_every_job("exclude")) return {};
    auto unwanted = excluded_hosts(settings);
    if (!unwanted) return {};  // told where the job was planned
    const auto unmatched = split_hosts(*std::move(unwanted), session).unmatched;
    if (unmatched.empty()) return {};
    return {spelled(settings, "exclude") + ": not among the hosts of session " + session.name +
            ": " + fold_names(unmatched)};
}

Result<SessionPlan> plan_in_session(JobSpec spec, const Settings& settings,
                                    const SessionState& session) {
    auto choice = choice_of(spec, settings, session);
    if (!choice) return std::move(choice.error());
    return plan_in_session(std::move(spec), *std::move(choice), session, factories());
}

Result<SessionPlan> reserve_in_session(const JobSpec& spec, const Settings& settings,
                                       SessionClient& session) {
    const std::string name = session.state().name;
    auto choice = choice_of(spec, settings, session.state());
    if (!choice) return std::move(choice.error());
    const auto tell = [&](const Error& full) {
        if (!settings.quiet) tell_waiting(name, full);
    };
    return session.reserve({spec, *std::move(choice), settings.session_wait, tell}, factories());
}

}  // namespace launch
