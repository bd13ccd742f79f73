// SPDX-License-Identifier: MIT
#include "core/run/rank_places.hpp"

#include "core/bind/bind_ranks.hpp"
#include "core/bind/deal_gpus.hpp"
#include "core/bind/draw_binding.hpp"
#include "core/process/cpus.hpp"

namespace launch {
namespace {

bool is_asked(const PlaceChoice& choice) {
    return resolved_bind(choice).how != BindChoice::How::automatic;
}

std::string failure_text(const Error& error) {
    return error.cause + (error.hint.empty() ? "" : " (" + error.hint + ")");
}

RankPlaces failed(std::string why) {
    RankPlaces places;
    places.failure = std::move(why);
    return places;
}

/// The result without knowledge of the machine: an explicit request fails; without one, ranks run
/// unbound.
RankPlaces without_machine(const PlaceChoice& choice, const std::string& why) {
    const bool asked = is_asked(choice) || choice.report || choice.gpus.how != GpuChoice::How::none;
    return asked ? failed(why) : RankPlaces{};
}

Result<std::vector<CpuSet>> bind_apart(const Machine& machine, const PlaceRequest& request) {
    const PlaceChoice& choice = request.choice;
    const uint32_t ranks = local_size(request.runs);
    const bool names_cpus = choice.bind.how == BindChoice::How::listed;
    if (names_cpus || !request.claimed.meets(machine.usable))
        return bind_ranks(machine, choice, ranks);
    auto apart = bind_ranks(without_cores_of(machine, request.claimed), choice, ranks);
    return apart || !is_asked(choice) ? apart : bind_ranks(machine, choice, ranks);
}

CpuSet all_of(const std::vector<CpuSet>& sets) {
    CpuSet all;
    for (const CpuSet& set : sets)
        all |= set;
    return all;
}

/// Why ranks are not bound which would be if they were alone on the host; empty: they are, or would
/// not be then either.
std::string why_unbound(const Machine& machine, const PlaceRequest& request, const CpuSet& bound) {
    if (!bound.empty() || is_asked(request.choice)) return {};
    const auto alone = bind_ranks(machine, request.choice, local_size(request.runs));
    if (!alone || all_of(*alone).empty()) return {};
    return "ranks are not bound to cores, because ranks of other jobs are bound to CPUs " +
           to_string(request.claimed & machine.usable) +
           " and too few are left; --bind core shares CPUs, --bind none omits this note";
}

/// Ranks that are bound to whatever the job may use take nothing from anybody by that.
bool takes_cpus(const PlaceChoice& choice) {
    return resolved_bind(choice).part != MachinePart::machine;
}

/// "rank 0 is bound to CPU 0 [B/.], CUDA_VISIBLE_DEVICES=0", and what others have.
void draw(const Machine& machine, const PlaceRequest& request, RankPlaces& places) {
    const CpuSet of_others = request.claimed & machine.usable;
    if (!of_others.empty())
        places.drawn.push_back("ranks of other jobs are bound to CPUs " + to_string(of_others));
    size_t local = 0;
    for_each_rank(request.runs, [&](uint32_t rank) {
        std::string line = binding_text(rank, machine, places.bound[local].cpus);
        if (!places.env[local].empty()) line += ", " + places.env[local].front();
        places.drawn.push_back(std::move(line));
        ++local;
    });
}

/// On a machine that is only described there are no other jobs.
PlaceRequest alone(PlaceRequest request) {
    request.claimed = {};
    return request;
}

}  // namespace

bool wants_places(const PlaceChoice& choice, const std::vector<RankRun>& runs, std::size_t cpus) {
    const uint32_t ranks = local_size(runs);
    if (ranks == 0) return false;
    return choice.report || choice.gpus.how != GpuChoice::How::none ||
           may_bind(choice, ranks, cpus);
}

RankPlaces places_on(const Machine& machine, const PlaceRequest& request) {
    const PlaceChoice& choice = request.choice;
    auto cpus = bind_apart(machine, request);
    if (!cpus) return failed(failure_text(cpus.error()));
    auto env = deal_gpus(machine, choice.gpus, *cpus, request.env);
    if (!env) return failed(failure_text(env.error()));
    RankPlaces places{.env = *std::move(env)};
    const CpuSet bound = all_of(*cpus);
    if (takes_cpus(choice)) places.own = bound;
    if (choice.report) places.note = why_unbound(machine, request, bound);
    for (CpuSet& of_rank : *cpus) {
        std::string locality = locality_text(machine, of_rank);
        places.bound.push_back({std::move(of_rank), std::move(locality)});
    }
    if (choice.report) draw(machine, request, places);
    return places;
}

RankPlaces find_rank_places(const PlaceRequest& request, const MachineReader& read_machine) {
    const PlaceChoice& choice = request.choice;
    const bool with_gpus = choice.gpus.how != GpuChoice::How::none;
    auto machine = read_machine ? read_machine(with_gpus) : Result<Machine>(Error{});
    if (!machine) return without_machine(choice, failure_text(machine.error()));
    if (!machine->is_here && !request.may_be_made_up)
        return failed("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine");
    if (!machine->is_here) return places_on(*machine, alone(request));
    machine->usable = machine->usable & own_cpus();
    return places_on(*machine, request);
}

NotStarted not_placed(const RankPlaces& places) {
    return {{ExitStatus::Kind::not_started, 0, places.failed}, places.failure};
}

}  // namespace launch
