#include "core/session/session_plan.hpp"

#include "core/session/offered_hosts.hpp"

namespace launch {
namespace {

/// What of the job's spec is the session's.
void leave_tree_to(const SessionState& session, JobSpec& spec) {
    spec.topology = "flat";  // a list of hosts: how they hang together is the session's affair
    spec.degree = 0;
    spec.routing.clear();
    spec.spares = 0;
    spec.start_limit.reset();
    spec.transport.name = session.transport;
}

}  // namespace

Result<SessionPlan> plan_in_session(JobSpec spec, bool shares, const SessionState& session,
                                    const Factories& factories) {
    leave_tree_to(session, spec);
    HostWish wish{spec.hosts, shares, spec.allow_missing, !spec.choices.empty()};
    auto offer = offered_hosts(session, wish);
    if (!offer) return std::move(offer.error());
    spec.hosts = std::move(offer->hosts);
    spec.allow_missing = false;  // those that are missing have been left out
    auto plan = make_plan(std::move(spec), factories.topology);
    if (!plan) return std::move(plan.error());
    if (offer->is_part && plan->placement.oversubscribed()) return no_room(session);
    plan->session = {session.name, session.topology + " by " + session.transport, session.is_here,
                     shares};
    plan->process_mapping = factories.process_mapping(plan->placement);
    auto nodes = SessionNodes::find(session, plan->hosts);
    if (!nodes) return std::move(nodes.error());
    return SessionPlan{*std::move(plan), *std::move(nodes), {}};
}

}  // namespace launch
