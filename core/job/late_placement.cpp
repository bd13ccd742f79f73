// SPDX-License-Identifier: MIT
#include "core/job/late_placement.hpp"

#include "core/base/counted.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/host_choice.hpp"

namespace launch {
namespace {

constexpr const char* operation = "start without the missing hosts";

Error late_error(std::string cause, std::string hint = {}) {
    return {ErrorKind::unreachable, operation, {}, -1, std::move(cause), std::move(hint)};
}

/// The nodes of the job in its order, spares in the places of missing hosts.
void choose_nodes(const Plan& plan, const std::vector<bool>& up, LatePlacement& made) {
    const auto hosts = static_cast<NodeIndex>(plan.hosts.size());
    const auto main_hosts = static_cast<NodeIndex>(plan.hosts.size() - plan.spares);
    NodeIndex spare = main_hosts + 1;
    for (NodeIndex node = 1; node <= main_hosts; ++node) {
        if (up[node - 1]) {
            made.nodes.push_back(node);
            continue;
        }
        while (spare <= hosts && !up[spare - 1])
            ++spare;
        if (spare > hosts) {
            made.left_out.push_back(node);
            continue;
        }
        made.replaced.push_back({node, spare});
        made.nodes.push_back(spare++);
    }
}

/// Which of the nodes of the job the programs may run on: a spare stands where the host was whose
/// place it takes.
std::vector<HostChoice> choices_among(const Plan& plan, const LatePlacement& made) {
    if (plan.spec.choices.empty()) return {};
    std::vector<uint32_t> places(plan.hosts.size(), no_place);
    for (size_t i = 0; i < made.nodes.size(); ++i)
        places[made.nodes[i] - 1] = static_cast<uint32_t>(i);
    for (const auto& replacement : made.replaced)
        places[replacement.missing - 1] = places[replacement.spare - 1];
    return moved_choices(plan.spec.choices, places);
}

/// Deals the ranks to the nodes, and keeps those that got any.
Status deal_to_nodes(const Plan& plan, LatePlacement& made) {
    const auto choices = choices_among(plan, made);
    if (const auto without = program_without_host(choices))
        return late_error("no host is left for " + plan.spec.programs[*without].argv[0]);
    auto deal = deal_ranks(plan.spec, plan.asked, hosts_of(plan, made.nodes), choices);
    if (!deal) return late_error(deal.error().cause);
    made.deal = std::move(*deal);
    const auto used = made.deal.placement.used();
    if (used.size() == made.nodes.size()) return Ok{};
    std::vector<NodeIndex> nodes;
    nodes.reserve(used.size());
    for (const uint32_t place : used)
        nodes.push_back(made.nodes[place]);
    made.nodes = std::move(nodes);
    made.deal.placement = made.deal.placement.picked(used);
    return Ok{};
}

LatePlacement as_planned(const Plan& plan) {
    LatePlacement made;
    made.deal = {plan.placement, {}, plan.universe_size};
    for (const auto& program : plan.spec.programs)
        made.deal.program_ranks.push_back(program.ranks);
    for (NodeIndex node = 1; node <= plan.hosts.size(); ++node)
        made.nodes.push_back(node);
    return made;
}

/// In the order of the job, folded: n[3-4] is not n[4,3].
std::string listed(const Plan& plan, const std::vector<NodeIndex>& nodes) {
    std::vector<Host> names;
    for (const Host& host : hosts_of(plan, nodes))
        names.push_back({{}, host.name, 0, 1});
    return fold_hosts(names);
}

std::string replacement_note(const Plan& plan, const LatePlacement& placed) {
    std::vector<NodeIndex> missing;
    std::vector<NodeIndex> spares;
    for (const auto& replacement : placed.replaced) {
        missing.push_back(replacement.missing);
        spares.push_back(replacement.spare);
    }
    if (missing.size() == 1)
        return listed(plan, spares) + " takes the place of " + listed(plan, missing);
    return listed(plan, spares) + " take the places of " + listed(plan, missing) +
           ", in this order";
}

}  // namespace

Result<LatePlacement> place_on_living(const Plan& plan, const std::vector<bool>& up) {
    if (!plan.may_miss()) return as_planned(plan);
    LatePlacement made;
    choose_nodes(plan, up, made);
    if (made.nodes.empty()) return late_error("no host is left");
    if (!made.left_out.empty() && !plan.spec.allow_missing)
        return late_error("too few spares (" + std::to_string(plan.spares) + "): " +
                              counted(made.left_out.size(), "missing host") + " cannot be replaced",
                          "--allow-missing goes on with fewer hosts");
    auto dealt = deal_to_nodes(plan, made);
    if (!dealt) return std::move(dealt.error());
    return made;
}

std::vector<Host> hosts_of(const Plan& plan, const std::vector<NodeIndex>& nodes) {
    std::vector<Host> hosts;
    hosts.reserve(nodes.size());
    for (const NodeIndex node : nodes)
        hosts.push_back(plan.hosts[node - 1]);
    return hosts;
}

std::vector<std::string> late_notes(const Plan& plan, const LatePlacement& placed) {
    std::vector<std::string> notes;
    if (!placed.replaced.empty()) notes.push_back(replacement_note(plan, placed));
    const Placement& placement = placed.deal.placement;
    if (!placed.left_out.empty())
        notes.push_back("goes on without " + listed(plan, placed.left_out) + ": " +
                        counted(placement.ranks(), "rank") + " on " +
                        counted(placed.nodes.size(), "host"));
    // A shortage that was there before has been reported.
    const auto crowded = oversubscription(plan.spec, placement, hosts_of(plan, placed.nodes));
    if (!crowded.empty() && oversubscription(plan.spec, plan.placement, plan.hosts).empty())
        notes.push_back(crowded);
    return notes;
}

}  // namespace launch
