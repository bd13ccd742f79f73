// SPDX-License-Identifier: MIT
#include "core/job/plan.hpp"

#include <iterator>
#include <numeric>

#include "core/hosts/hostlist.hpp"
#include "core/job/deal.hpp"
#include "core/job/host_choice.hpp"
#include "core/job/plan_error.hpp"
#include "core/job/tree_with_own.hpp"

namespace launch {
namespace {

/// Takes the spares out of the list.
Result<std::vector<Host>> take_spares(std::vector<Host>& hosts, uint32_t count, bool local) {
    if (count > 0 && local) return plan_error("--spares needs hosts");
    if (count >= hosts.size() && count > 0)
        return plan_error("--spares " + std::to_string(count) + " leaves none of " +
                          std::to_string(hosts.size()) + (hosts.size() == 1 ? " host" : " hosts") +
                          " for ranks");
    const auto first = std::prev(hosts.end(), static_cast<std::ptrdiff_t>(count));
    std::vector<Host> spares(std::make_move_iterator(first), std::make_move_iterator(hosts.end()));
    hosts.erase(first, hosts.end());
    return spares;
}

/// No program may be left without a host by the spares.
Status leave_spares(JobSpec& spec, size_t hosts) {
    std::vector<uint32_t> places(hosts + spec.spares, no_place);
    std::iota(places.begin(), places.end() - spec.spares, 0U);
    spec.choices = moved_choices(std::move(spec.choices), places);
    const auto without = program_without_host(spec.choices);
    if (!without) return Ok{};
    return plan_error("--spares " + std::to_string(spec.spares) + ": no host is left for " +
                      spec.programs[*without].argv[0]);
}

/// Keeps the hosts that have ranks.
void drop_unused(Plan& plan, JobSpec& spec) {
    const auto used = plan.placement.used();
    if (used.size() == plan.hosts.size()) return;
    std::vector<uint32_t> places(plan.hosts.size(), no_place);
    std::vector<Host> hosts;
    for (const uint32_t host : used) {
        places[host] = static_cast<uint32_t>(hosts.size());
        hosts.push_back(plan.hosts[host]);
    }
    for (size_t i = 0; i < places.size(); ++i)
        if (places[i] == no_place) plan.unused.push_back(std::move(plan.hosts[i]));
    plan.hosts = std::move(hosts);
    plan.placement = plan.placement.picked(used);
    spec.choices = moved_choices(std::move(spec.choices), places);
}

/// The hosts that are started are those with ranks and the spares; where any may be missing, all.
void choose_hosts(Plan& plan, std::vector<Host> spares, JobSpec& spec) {
    if (!spec.allow_missing) drop_unused(plan, spec);
    std::vector<uint32_t> places(plan.hosts.size());
    std::iota(places.begin(), places.end(), 0U);
    plan.spares = spares.size();
    std::move(spares.begin(), spares.end(), std::back_inserter(plan.hosts));
    if (plan.spares > 0) plan.placement = plan.placement.arranged(places, plan.hosts.size());
}

/// Null where it is the tree of the start.
Result<std::unique_ptr<Topology>> choose_routing(const Plan& plan, const std::string& name,
                                                 const TopologyFactory& make_topology) {
    std::unique_ptr<Topology> none;
    if (name.empty() || plan.local) return none;
    auto routing = make_topology(name, 0, plan.nodes(), nullptr);
    if (!routing) {
        routing.error().operation = "choose --routing";
        routing.error().hint += routing.error().hint.starts_with("known: ") ? ", spawn" : "";
    }
    if (!routing || (*routing)->name() != plan.topology->name()) return routing;
    return none;
}

/// Hosts that are the head's own machine are started by the head.
void keep_own_with_head(Plan& plan, const std::vector<std::string>& own_names) {
    const auto own = nodes_named(plan.hosts, own_names);
    if (own.empty()) return;
    plan.topology_reason += "; " + plan.host_name(own.front()) + " is this machine, below the head";
    plan.topology = std::make_unique<TreeWithOwn>(std::move(plan.topology), plan.nodes(), own);
}

/// Over the plan's hosts.
Status choose_trees(Plan& plan, const JobSpec& spec, const TopologyFactory& make_topology) {
    auto topology = make_topology(spec.topology, spec.degree, plan.nodes(), &plan.topology_reason);
    if (!topology) return std::move(topology.error());
    plan.topology = std::move(*topology);
    keep_own_with_head(plan, spec.transport.own_names);
    auto routing = choose_routing(plan, spec.routing, make_topology);
    if (!routing) return std::move(routing.error());
    plan.routing = std::move(*routing);
    plan.start_limit =
        spec.start_limit.value_or(usual_start_limit(spec.policies, plan.hosts.size()));
    return Ok{};
}

/// Where no hosts were given, this machine is the only one.
std::vector<Host> take_hosts(JobSpec& spec) {
    if (spec.hosts.empty()) return {Host{"", "localhost", 0, spec.local_slots}};
    auto hosts = merge_hosts(std::move(spec.hosts));
    spec.hosts.clear();
    return hosts;
}

}  // namespace

milliseconds usual_start_limit(const Policies& policies, size_t hosts) {
    return 2 * (policies.connect_timeout + policies.start_timeout) + std::chrono::seconds(hosts);
}

Result<Plan> make_plan(JobSpec spec, const TopologyFactory& make_topology) {
    Plan plan;
    if (spec.programs.empty()) return plan_error("no program to run");
    plan.local = spec.hosts.empty();
    plan.hosts = take_hosts(spec);
    auto spares = take_spares(plan.hosts, spec.spares, plan.local);
    if (!spares) return std::move(spares.error());
    auto left = leave_spares(spec, plan.hosts.size());
    if (!left) return std::move(left.error());
    plan.asked = asked_ranks(spec.programs);
    auto deal = deal_ranks(spec, plan.asked, plan.hosts, spec.choices);
    if (!deal) return std::move(deal.error());
    plan.placement = std::move(deal->placement);
    plan.universe_size = deal->universe_size;
    for (size_t i = 0; i < spec.programs.size(); ++i)
        spec.programs[i].ranks = deal->program_ranks[i];
    choose_hosts(plan, std::move(*spares), spec);
    auto trees = choose_trees(plan, spec, make_topology);
    if (!trees) return std::move(trees.error());
    plan.spec = std::move(spec);
    return plan;
}

Result<Plan> make_tree_plan(JobSpec spec, const TopologyFactory& make_topology) {
    Plan plan;
    plan.local = spec.hosts.empty();
    plan.hosts = take_hosts(spec);
    auto trees = choose_trees(plan, spec, make_topology);
    if (!trees) return std::move(trees.error());
    plan.spec = std::move(spec);
    return plan;
}

}  // namespace launch
