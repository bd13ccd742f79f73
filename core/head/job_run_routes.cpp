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
    if (!plan_.routing && !node_.has_routes() && contacts_known()) node_.route(routes().encode());
}

void JobRun::routed(const RoutedMessage& routed) {
    routes_.heard(routed);
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
    if (routes_.phase() == Phase::contacts && contacts_known()) make_links();
    if (routes_.phase() == Phase::links && routes_.all_linked() && !routes_.failure()) {
        routes_.enter(Phase::settled, Clock::time_point::max());
        node_.reroute(true);
    } else if (const std::string why = routes_problem(); !why.empty()) {
        give_up_routes(why);
    }
    return routes_.phase() == Phase::settled;
}

void JobRun::make_links() {
    const auto message = routes();
    routes_.ask(message);
    const auto limit = job_.policies.connect_timeout + patience::trip;
    routes_.enter(RouteSetup::Phase::links, Clock::now() + limit);
    node_.route(message.encode());
}

/// Why all stay on the tree of the start; empty: nothing yet.
std::string JobRun::routes_problem() const {
    if (const auto& failed = routes_.failure()) {
        const std::string parent =
            failed->parent == 0 ? "the head" : record_.name_of(failed->parent);
        return "no link from " + record_.name_of(failed->node) + " to " + parent + " (" +
               failed->cause + ")";
    }
    const bool linking = routes_.phase() == RouteSetup::Phase::links;
    if (linking && record_.hosts_up() < routes_.asked())
        return "a host was lost while the links were made";
    if (!routes_.late()) return {};
    std::vector<std::string> hosts;
    for (const NodeIndex node : routes_.waiting())
        hosts.push_back(record_.name_of(node));
    return linking ? "no word in time of the links of " + fold_names(hosts)
                   : "the hosts' contacts did not come in time";
}

void JobRun::give_up_routes(const std::string& why) {
    console_.note("note: --routing " + plan_.routing->name() + ": " + why +
                  "; goes on over the tree of the start");
    routes_.enter(RouteSetup::Phase::settled, Clock::time_point::max());
    node_.reroute(false);
}

}  // namespace launch
