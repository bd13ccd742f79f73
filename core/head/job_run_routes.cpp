// How all nodes go over to the routing tree before ranks are placed; see core/tree/routing.hpp.

#include "core/head/job_run.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/link/patience.hpp"

namespace launch {
bool JobRun::contacts_known() const {
    const auto up = record_.up();
    for (size_t i = 0; i < up.size(); ++i)
        if (up[i] && node_.contacts().find(static_cast<NodeIndex>(i) + 1) == nullptr) return false;
    return true;
}

/// The head does not know by which address it is reached; those whom it started do.
RoutesMessage JobRun::routes() const {
    const ContactGather& known = node_.contacts();
    RoutesMessage routes;
    Contact head = node_.own_contact();
    if (const Contact* seen = known.find(0)) head.address = seen->address;
    routes.stops.push_back({head, "head"});
    const auto up = record_.up();
    for (size_t i = 0; i < up.size(); ++i) {
        const auto node = static_cast<NodeIndex>(i) + 1;
        const bool idle = record_.placed() && plan_.placement.node(i).empty();
        if (up[i] && !idle) routes.stops.push_back({*known.find(node), plan_.hosts[i].name});
    }
    return routes;
}

/// The node keeps them. In the middle of a job they are asked for by who has large data to
/// exchange.
void JobRun::contacts(const ContactsMessage&) {
    changed_.notify();
    if (!plan_.routing && !node_.has_routes() && contacts_known())
        node_.broadcast(FrameType::routes, routes().encode());
}

void JobRun::routed(const RoutedMessage& routed) {
    routes_.heard(routed);
    using Phase = RouteSetup::Phase;
    if (routes_.phase() == Phase::moving)
        routes_.enter(Phase::moving, Clock::now() + patience::go_over);
    changed_.notify();
}

/// True: there is no routing tree to wait for (any more). Files are staged along the tree of the
/// start, so they come first.
bool JobRun::settle_routes() {
    using Phase = RouteSetup::Phase;
    if (!plan_.routing || routes_.phase() == Phase::settled || must_end()) return true;
    if (node_.links() == nullptr) {
        give_up_routes("direct links cannot be had");
        return true;
    }
    if (routes_.phase() == Phase::none)
        routes_.enter(Phase::contacts, Clock::now() + patience::trip);
    if (routes_.phase() == Phase::contacts && contacts_known()) open_routes();
    if (routes_.phase() == Phase::contacts && routes_.late())
        give_up_routes("the hosts' contacts did not come in time");
    if (routes_.phase() == Phase::moving) await_places();
    return routes_.phase() == Phase::settled;
}

void JobRun::open_routes() {
    const auto message = routes();
    routes_.ask(message);
    routes_.enter(RouteSetup::Phase::moving, Clock::now() + patience::go_over);
    node_.broadcast(FrameType::routes, message.encode());
}

/// Who is lost meanwhile needs none. Who has said nothing when the time is over is about to be
/// given up by its parent there.
void JobRun::await_places() {
    const auto up = record_.up();
    const auto waiting = routes_.waiting();
    for (const NodeIndex node : waiting)
        if (!up[node - 1]) routes_.lost(node);
    if (!routes_.waiting().empty() && !routes_.late()) return;
    routes_.enter(RouteSetup::Phase::settled, Clock::time_point::max());
    for (const RouteSetup::Detour& detour : routes_.detours())
        note_routes("no link from " + names_of(detour.nodes) + " to " + name_of(detour.wanted) +
                    " (" + detour.cause + "); goes on below " + name_of(detour.parent));
    if (!routes_.waiting().empty())
        note_routes("no word in time of " + names_of(routes_.waiting()));
}

std::string JobRun::name_of(NodeIndex node) const {
    return node == 0 ? "the head" : record_.name_of(node);
}

std::string JobRun::names_of(const std::vector<NodeIndex>& nodes) const {
    std::vector<std::string> names;
    for (const NodeIndex node : nodes)
        names.push_back(record_.name_of(node));
    return fold_names(names);
}

void JobRun::note_routes(const std::string& text) {
    console_.note("note: --routing " + plan_.routing->name() + ": " + text);
}

void JobRun::give_up_routes(const std::string& why) {
    note_routes(why + "; goes on over the tree of the start");
    routes_.enter(RouteSetup::Phase::settled, Clock::time_point::max());
    node_.stay_as_started();
}

}  // namespace launch
