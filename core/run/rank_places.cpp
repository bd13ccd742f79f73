#include "core/run/rank_places.hpp"

#include "core/bind/bind_ranks.hpp"
#include "core/bind/cpu_ledger.hpp"
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

/// What was asked for cannot be done; without what is only usual ranks run all the same.
RankPlaces without_machine(const PlaceChoice& choice, const std::string& why) {
    if (is_asked(choice) || choice.report || choice.gpus.how != GpuChoice::How::none)
        return failed(why);
    RankPlaces places;
    places.note = "ranks are not bound to cores: " + why + "; --bind none asks for that";
    return places;
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

/// "rank 0 is bound to CPU 0 [B/.], CUDA_VISIBLE_DEVICES=0".
void draw(const Machine& machine, const std::vector<RankRun>& runs, RankPlaces& places) {
    size_t local = 0;
    for_each_rank(runs, [&](uint32_t rank) {
        std::string line = binding_text(rank, machine, places.bound[local].cpus);
        if (!places.env[local].empty()) line += ", " + places.env[local].front();
        places.drawn.push_back(std::move(line));
        ++local;
    });
}

}  // namespace

bool wants_places(const PlaceChoice& choice, const std::vector<RankRun>& runs) {
    const uint32_t ranks = local_size(runs);
    if (ranks == 0) return false;
    return choice.report || choice.gpus.how != GpuChoice::How::none ||
           may_bind(choice, ranks, usable_cpus());
}

RankPlaces find_rank_places(const PlaceRequest& request, const MachineReader& read_machine) {
    const PlaceChoice& choice = request.choice;
    const bool with_gpus = choice.gpus.how != GpuChoice::How::none;
    auto machine = read_machine ? read_machine(with_gpus) : Result<Machine>(Error{});
    if (!machine) return without_machine(choice, failure_text(machine.error()));
    if (!machine->is_here && !request.may_be_made_up)
        return failed("HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine");
    if (machine->is_here) machine->usable = machine->usable & own_cpus();
    auto cpus = bind_apart(*machine, request);
    if (!cpus) return failed(failure_text(cpus.error()));
    auto env = deal_gpus(*machine, choice.gpus, *cpus, request.env);
    if (!env) return failed(failure_text(env.error()));
    RankPlaces places{.env = *std::move(env)};
    for (CpuSet& of_rank : *cpus) {
        std::string locality = locality_text(*machine, of_rank);
        places.bound.push_back({std::move(of_rank), std::move(locality)});
    }
    if (choice.report) draw(*machine, request.runs, places);
    return places;
}

NotStarted not_placed(const RankPlaces& places) {
    return {{ExitStatus::Kind::not_started, 0, ExitStatus::Stage::bind}, places.failure};
}

}  // namespace launch
