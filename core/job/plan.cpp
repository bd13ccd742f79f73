#include "core/job/plan.hpp"

#include <iterator>
#include <numeric>

#include "core/hosts/hostlist.hpp"
#include "core/job/deal.hpp"
#include "core/job/plan_error.hpp"

namespace launch {
namespace {

/// Block placement fills from the front, so hosts without a rank are at the end.
size_t used_hosts(const Placement& placement) {
    size_t used = placement.nodes();
    while (used > 1 && placement.node(used - 1).empty())
        --used;
    return used;
}

/// Takes the spares out of the list.
Result<std::vector<Host>> take_spares(std::vector<Host>& hosts, uint32_t count, bool local) {
    if (count > 0 && local) return plan_error("--spares needs hosts");
    if (count >= hosts.size() && count > 0)
        return plan_error("--spares " + std::to_string(count) + ": of " +
                          std::to_string(hosts.size()) + (hosts.size() == 1 ? " host" : " hosts") +
                          " none is left for ranks");
    const auto first = std::prev(hosts.end(), static_cast<std::ptrdiff_t>(count));
    std::vector<Host> spares(std::make_move_iterator(first), std::make_move_iterator(hosts.end()));
    hosts.erase(first, hosts.end());
    return spares;
}

/// The hosts that are started are those with ranks and the spares; where any may be missing, all.
void choose_hosts(Plan& plan, std::vector<Host> spares, bool allow_missing) {
    if (!allow_missing) plan.hosts.resize(used_hosts(plan.placement));
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

}  // namespace

milliseconds usual_start_limit(const Policies& policies, size_t hosts) {
    return 2 * (policies.connect_timeout + policies.start_timeout) + std::chrono::seconds(hosts);
}

Result<Plan> make_plan(JobSpec spec, const TopologyFactory& make_topology) {
    Plan plan;
    if (spec.programs.empty()) return plan_error("no program to run");
    plan.local = spec.hosts.empty();
    plan.hosts = plan.local ? std::vector<Host>(1, Host{"", "localhost", 0, spec.local_slots})
                            : merge_hosts(std::move(spec.hosts));
    spec.hosts.clear();
    auto spares = take_spares(plan.hosts, spec.spares, plan.local);
    if (!spares) return std::move(spares.error());
    plan.asked = asked_ranks(spec.programs);
    auto deal = deal_ranks(spec, plan.asked, plan.hosts);
    if (!deal) return std::move(deal.error());
    plan.placement = std::move(deal->placement);
    plan.universe_size = deal->universe_size;
    for (size_t i = 0; i < spec.programs.size(); ++i)
        spec.programs[i].ranks = deal->program_ranks[i];
    choose_hosts(plan, std::move(*spares), spec.allow_missing);
    auto topology = make_topology(spec.topology, spec.degree, plan.nodes(), &plan.topology_reason);
    if (!topology) return std::move(topology.error());
    plan.topology = std::move(*topology);
    auto routing = choose_routing(plan, spec.routing, make_topology);
    if (!routing) return std::move(routing.error());
    plan.routing = std::move(*routing);
    plan.start_limit =
        spec.start_limit.value_or(usual_start_limit(spec.policies, plan.hosts.size()));
    plan.spec = std::move(spec);
    return plan;
}

}  // namespace launch
