// SPDX-License-Identifier: MIT
#include "core/session/spawn_plan.hpp"

#include <algorithm>

#include "core/base/host_name.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/deal.hpp"
#include "core/session/offered_hosts.hpp"
#include "core/session/session_hosts.hpp"

namespace launch {
namespace {

/// Which of the session's hosts "localhost" is; empty: none.
std::string own_name(const SessionState& session) {
    return session.is_here ? host_name() : std::string();
}

std::vector<Host> hosts_for(const std::vector<std::vector<Host>>& wanted,
                            const std::vector<Host>& unwanted, const SessionState& session) {
    std::vector<Host> hosts;
    for (const auto& each : wanted)
        hosts.insert(hosts.end(), each.begin(), each.end());
    if (hosts.empty()) return hosts;
    const bool anywhere =
        std::any_of(wanted.begin(), wanted.end(), [](const auto& each) { return each.empty(); });
    for (const auto& host : session.hosts)
        if (anywhere && host.up && host.used < host.host.slots && !is_among(host.host, unwanted))
            hosts.push_back(host.host);
    return merge_hosts(std::move(hosts));
}

bool stays(const SessionState& session, const Host& wanted) {
    return std::any_of(session.hosts.begin(), session.hosts.end(), [&](const SessionHost& each) {
        return each.takes_jobs() && is_wanted(each.host, wanted, own_name(session));
    });
}

/// Gives each host the slots that are free there, and those that the session lacks all theirs.
std::vector<Host> free_slots(std::vector<Host> hosts, const SessionState& session) {
    for (Host& host : hosts)
        for (const SessionHost& known : session.hosts)
            if (is_wanted(known.host, host, own_name(session)))
                host.slots = known.host.slots - std::min(known.used, known.host.slots);
    return hosts;
}

}  // namespace

Result<SessionPlan> plan_spawn(SpawnSpec wanted, SessionChoice choice, const SessionState& session,
                               const Factories& factories) {
    choice.most = 0;
    wanted.spec.hosts = hosts_for(wanted.hosts, choice.unwanted, session);
    if (!wanted.spec.hosts.empty()) {
        auto choices = spawn_choices(wanted.hosts, wanted.spec.hosts, own_name(session));
        if (!choices) return std::move(choices.error());
        wanted.spec.choices = *std::move(choices);
    }
    return plan_in_session(std::move(wanted.spec), std::move(choice), session, factories);
}

Status will_have_slots(const SpawnSpec& wanted, const SessionChoice& choice,
                       const SessionState& session) {
    const auto hosts = free_slots(hosts_for(wanted.hosts, choice.unwanted, session), session);
    const auto choices = spawn_choices(wanted.hosts, hosts, {});
    if (!choices) return choices.error();
    const JobSpec& spec = wanted.spec;
    const auto deal = deal_ranks(spec, asked_ranks(spec.programs), hosts, *choices);
    if (!deal) return deal.error();
    return keep_to_slots(wanted, {deal->placement, hosts, *choices, {}});
}

std::vector<Host> hosts_to_add(std::vector<Host> hosts, const SessionState& session) {
    name_own_machine(hosts, session.hosts);
    std::erase_if(hosts, [&](const Host& host) { return stays(session, host); });
    return hosts;
}

Error no_room_for_spawned(const SessionState& session) {
    Error error = no_room(session);
    error.hint = crowding_hint;
    return error;
}

}  // namespace launch
