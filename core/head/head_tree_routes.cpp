// SPDX-License-Identifier: MIT
// How all nodes go over to the routing tree before ranks are placed; see core/tree/routing.hpp.

#include "core/head/head_tree.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/link/patience.hpp"
#include "core/wire/growth_messages.hpp"

namespace launch {

bool HeadTree::contacts_known() const {
    for (NodeIndex node = 1; node <= hosts_.count(); ++node)
        if (hosts_.is_up(node) && node_.contacts().find(node) == nullptr) return false;
    return true;
}

/// The head does not know the address at which others reach it; the hosts that it started know it.
RoutesMessage HeadTree::routes() const {
    const ContactGather& known = node_.contacts();
    RoutesMessage routes;
    Contact head = node_.own_contact();
    if (const Contact* seen = known.find(0)) head.address = seen->address;
    routes.stops.push_back({head, "head"});
    for (NodeIndex node = 1; node <= hosts_.count(); ++node)
        if (hosts_.is_up(node) && is_used(node))
            routes.stops.push_back(
                {*known.find(node), hosts_.name_of(node), node_.generation_of(node)});
    return routes;
}

bool HeadTree::is_used(NodeIndex node) const {
    if (holder_ != nullptr) return true;
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [node](const auto& entry) { return entry.second->uses(node); });
}

/// The node keeps them. In the middle of a job they are asked for by who has large data to
/// exchange.
void HeadTree::contacts(const ContactsMessage&) {
    tell([](TreeWatch& told) { told.routes_changed(); });
    if (!plan_.routing && !node_.has_routes() && contacts_known())
        node_.broadcast(FrameType::routes, routes().encode());
}

void HeadTree::routed(const RoutedMessage& routed) {
    routes_.heard(routed);
    if (routes_.phase() == RouteSetup::Phase::moving)
        routes_.enter(RouteSetup::Phase::moving, Clock::now() + patience::go_over);
    tell([](TreeWatch& told) { told.routes_changed(); });
}

bool HeadTree::settle_routes() {
    if (!plan_.routing || routes_.phase() == RouteSetup::Phase::settled) return true;
    if (node_.links() == nullptr) {
        give_up_routes("direct links are not available");
        return true;
    }
    if (routes_.phase() == RouteSetup::Phase::none)
        routes_.enter(RouteSetup::Phase::contacts, Clock::now() + patience::trip);
    if (routes_.phase() == RouteSetup::Phase::contacts && contacts_known()) open_routes();
    if (routes_.phase() == RouteSetup::Phase::contacts && routes_.late())
        give_up_routes("not all hosts sent their addresses in time");
    if (routes_.phase() == RouteSetup::Phase::moving) await_places();
    return routes_.phase() == RouteSetup::Phase::settled;
}

void HeadTree::open_routes() {
    const auto message = routes();
    routes_.ask(message);
    routes_.enter(RouteSetup::Phase::moving, Clock::now() + patience::go_over);
    node_.broadcast(FrameType::routes, message.encode());
}

/// A node that is lost in the meantime needs no position. Its parent in the routing tree may not
/// know of the loss, and would wait for it until the end of the job.
void HeadTree::await_places() {
    RemoveMessage lost;
    for (const NodeIndex node : routes_.waiting())
        if (!hosts_.is_up(node)) lost.nodes.push_back(node);
    for (const NodeIndex node : lost.nodes)
        routes_.lost(node);
    if (!lost.nodes.empty()) node_.broadcast(FrameType::remove, lost.encode());
    const bool all_placed = routes_.waiting().empty();
    if (!all_placed && !routes_.late()) return;
    if (!all_placed && routes_.was_away())
        return routes_.enter(RouteSetup::Phase::moving, Clock::now() + patience::go_over);
    routes_.enter(RouteSetup::Phase::settled, Clock::time_point::max());
    for (const RouteSetup::Detour& detour : routes_.detours())
        note_routes("no link from " + names_of(detour.nodes) + " to " +
                    hosts_.name_of(detour.wanted) + " (" + detour.cause +
                    "); the parent is still " + hosts_.name_of(detour.parent));
    give_up_places();
}

/// Gives up nodes that have found no position in time. A relay that comes up later is dismissed.
void HeadTree::give_up_places() {
    RemoveMessage late{routes_.waiting()};
    for (const NodeIndex node : late.nodes) {
        Error error{ErrorKind::unreachable,
                    "run",
                    hosts_.name_of(node),
                    -1,
                    "the host found no parent in the routing tree in time",
                    "the host or its network is down, or its relay hangs"};
        failure({node, true, {}, std::move(error)});
    }
    if (!late.nodes.empty()) node_.broadcast(FrameType::remove, late.encode());
}

std::string HeadTree::names_of(const std::vector<NodeIndex>& nodes) const {
    std::vector<std::string> names;
    for (const NodeIndex node : nodes)
        names.push_back(hosts_.name_of(node));
    return fold_names(names);
}

void HeadTree::note_routes(const std::string& text) {
    const std::string line = "note: --routing " + plan_.routing->name() + ": " + text;
    tell([&line](TreeWatch& told) { told.note(line); });
}

void HeadTree::give_up_routes(const std::string& why) {
    note_routes(why + "; messages stay on the tree that started the hosts");
    routes_.enter(RouteSetup::Phase::settled, Clock::time_point::max());
    node_.stay_as_started();
}

}  // namespace launch
