// SPDX-License-Identifier: MIT
#include "core/session/session_plan.hpp"

#include <algorithm>

#include "core/base/host_name.hpp"
#include "core/hosts/this_machine.hpp"
#include "core/session/offered_hosts.hpp"

namespace launch {
namespace {

/// Resets the parts of the job's spec that the session decides.
void leave_tree_to(const SessionState& session, JobSpec& spec) {
    spec.topology = "flat";  // a list of hosts: how they hang together is the session's affair
    spec.degree = 0;
    spec.routing.clear();
    spec.spares = 0;
    spec.start_limit.reset();
    spec.transport.name = session.transport;
}

HostWish wish_of(const JobSpec& spec, const SessionChoice& choice, const SessionState& session) {
    HostWish wish{.hosts = spec.hosts,
                  .share = choice.shares,
                  .allow_missing = spec.allow_missing,
                  .keep_places = !spec.choices.empty(),
                  .unwanted = choice.unwanted,
                  .most = choice.most};
    name_own_machine(wish.hosts, session.hosts);
    name_own_machine(wish.unwanted, session.hosts);
    return wish;
}

/// Gives the hosts of each program as indices of those that are offered, each host once. False: a
/// program has none left.
bool keep_choices(const std::vector<std::optional<uint32_t>>& offered,
                  std::vector<HostChoice>& choices) {
    for (HostChoice& choice : choices) {
        if (!choice) continue;
        std::vector<uint32_t> places;
        for (const uint32_t wanted : *choice) {
            const auto place = offered[wanted];
            if (place && std::find(places.begin(), places.end(), *place) == places.end())
                places.push_back(*place);
        }
        if (places.empty()) return false;
        choice = std::move(places);
    }
    return true;
}

}  // namespace

void name_own_machine(std::vector<Host>& hosts, const std::vector<SessionHost>& session) {
    const auto names = names_of_machine(host_name());
    const auto here = std::find_if(session.begin(), session.end(), [&](const SessionHost& host) {
        return is_this_machine(host.host, names);
    });
    if (here == session.end()) return rename_loopback(hosts, names, names.front());
    for (Host& host : hosts)
        if (is_this_machine(host, names)) host.name = here->host.name;
}

std::vector<NodeIndex> wished_in_session(const JobSpec& spec, const SessionChoice& choice,
                                         const SessionState& session) {
    return wished_nodes(session, wish_of(spec, choice, session));
}

Result<SessionPlan> plan_in_session(JobSpec spec, SessionChoice choice, const SessionState& session,
                                    const Factories& factories) {
    leave_tree_to(session, spec);
    const HostWish wish = wish_of(spec, choice, session);
    choice.unwanted = wish.unwanted;
    auto offer = offered_hosts(session, wish);
    if (!offer) return std::move(offer.error());
    if (!keep_choices(offer->places, spec.choices)) return no_room(session);
    spec.hosts = std::move(offer->hosts);
    spec.allow_missing = false;  // those that are missing have been left out
    auto plan = make_plan(std::move(spec), factories.topology);
    if (!plan) return std::move(plan.error());
    if (offer->is_part && plan->placement.oversubscribed()) return no_room(session);
    plan->session = {session.name, session.topology + " by " + session.transport, session.is_here,
                     std::move(choice)};
    plan->process_mapping = factories.process_mapping(plan->placement);
    auto nodes = SessionNodes::find(session, plan->hosts);
    if (!nodes) return std::move(nodes.error());
    return SessionPlan{*std::move(plan), *std::move(nodes), {}};
}

}  // namespace launch
