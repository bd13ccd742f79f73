// SPDX-License-Identifier: MIT
#include "cmd/render/binding_text.hpp"

#include "cmd/options/place_values.hpp"
#include "core/bind/bind_ranks.hpp"
#include "core/process/cpus.hpp"
#include "core/process/host_cpus.hpp"
#include "core/run/rank_places.hpp"

namespace launch {
namespace {

bool is_asked(const PlaceChoice& choice) {
    return resolved_bind(choice).how != BindChoice::How::automatic || choice.report ||
           choice.gpus.how != GpuChoice::How::none;
}

/// Returns the number of usable CPUs of the described machine, or else of this one.
std::size_t cpus_of(const MachineReader& read_machine) {
    const auto machine = read_machine ? read_machine(false) : Result<Machine>(Error{});
    return machine && !machine->is_here ? machine->usable.size() : usable_cpus();
}

std::vector<PlannedBinding::Rank> of_ranks(const std::vector<RankRun>& runs,
                                           const RankPlaces& places) {
    std::vector<PlannedBinding::Rank> ranks;
    for_each_rank(runs, [&](uint32_t rank) {
        const size_t local = ranks.size();
        ranks.push_back({rank, places.bound[local], places.env[local]});
    });
    return ranks;
}

}  // namespace

PlannedBinding planned_binding(const Plan& plan, const MachineReader& read_machine) {
    PlaceChoice choice = plan.spec.policies.place;
    const bool asked = is_asked(choice);
    const bool here = plan.local || plan.spec.transport.name == "local";
    if (!here || plan.session) {
        if (!asked) return {};
        return {{write_bind(resolved_bind(choice)) + ", as each host is made"}, {}};
    }
    const auto first = plan.placement.node(0);
    const std::vector<RankRun> runs(first.begin(), first.end());
    // Relays that play hosts here would all take the same cores.
    const bool unbound =
        plan.hosts.size() > 1 || !wants_places(choice, runs, cpus_of(read_machine));
    if (!asked && unbound) return {};
    choice.report = true;
    PlaceRequest request{choice, runs, plan.spec.env, true, HostCpus().taken()};
    auto places = find_rank_places(request, read_machine);
    if (!places.failure.empty()) return {{"cannot be done here: " + places.failure}, {}};
    if (!places.note.empty()) places.drawn.push_back(places.note);
    return {places.drawn, of_ranks(runs, places)};
}

}  // namespace launch
