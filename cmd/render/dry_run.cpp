// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run.hpp"

#include <utility>

#include "cmd/options/place_values.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/rendered.hpp"
#include "core/base/environment.hpp"
#include "core/bind/bind_ranks.hpp"
#include "core/job/deal.hpp"
#include "core/process/cpus.hpp"
#include "core/process/host_cpus.hpp"
#include "core/push/path_owners.hpp"
#include "core/run/rank_places.hpp"
#include "core/tree/relay_request.hpp"
#include "modex/detect/host_files.hpp"
#include "modex/detect/mixed_job.hpp"

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

std::string found_text(const PmiNeeds& needs) {
    const std::string offered = needs.pmi && needs.pmix ? "PMI-1, PMI-2 and PMIx"
                                : needs.pmix            ? "PMIx"
                                                        : "PMI-1 and PMI-2";
    if (needs.library.empty()) return offered + ": no MPI library is found";
    return offered + ": " + shown(needs.program) + " links " + shown(needs.library);
}

PmiNeeds needs_of_program(const Plan& plan, const Program& program, FileAccess& files) {
    const auto env = with_variables(plan.spec.env, program.env);
    const auto& wdir = program.wdir.empty() ? plan.spec.wdir : program.wdir;
    return needs_of(program.argv, env, wdir, files);
}

std::string shown_as(const Plan& plan, const ViewSettings& view, const Explanation& explanation) {
    return rendered(view.format,
                    {{Format::text, [&] { return plan_text(plan, view, explanation); }},
                     {Format::json, [&] { return plan_json(plan, view, explanation); }},
                     {Format::dot, [&] { return plan_dot(plan, view); }},
                     {Format::svg, [&] { return plan_svg(plan, view); }}});
}

}  // namespace

Result<std::string> dry_run(const Plan& plan, const ViewSettings& view,
                            const Factories& factories) {
    Explanation explanation;
    explanation.binding = planned_binding(plan, factories.machine);
    if (!view.explain) return shown_as(plan, view, explanation);
    HostFiles files;
    explanation.offers = offer_texts(plan, files);
    if (plan.local || plan.session) return shown_as(plan, view, explanation);
    asio::io_context context;
    Reaper reaper(context.get_executor());
    auto made =
        factories.transport(context.get_executor(), plan.spec.transport, reaper, {}, nullptr);
    if (!made) return std::move(made.error());
    Transport& transport = **made;
    const std::string& path = plan.spec.launch_path;
    const LaunchPath where{path, path_owners(path)};
    explanation.start = [&](const Host& host) {
        return transport.explain(relay_request(host, where, plan.spec.policies));
    };
    return shown_as(plan, view, explanation);
}

std::string offer_text(PmiChoice choice, const PmiNeeds& needs) {
    switch (choice) {
        case PmiChoice::automatic: break;
        case PmiChoice::pmi1: return "PMI-1, as asked";
        case PmiChoice::pmi1_port: return "PMI-1 by a local port, as asked";
        case PmiChoice::pmi2: return "PMI-2, as asked";
        case PmiChoice::pmix: return "PMIx, as asked";
        case PmiChoice::none: return "nothing, as asked";
    }
    return found_text(needs);
}

std::vector<std::string> offer_texts(const Plan& plan, FileAccess& files) {
    const PmiChoice choice = plan.spec.policies.pmi;
    std::vector<std::string> texts;
    for (const auto& program : plan.spec.programs)
        texts.push_back(offer_text(choice, choice == PmiChoice::automatic
                                               ? needs_of_program(plan, program, files)
                                               : PmiNeeds{}));
    return texts;
}

std::vector<std::string> notes_of(const Plan& plan, FileAccess& files) {
    std::vector<std::string> notes;
    const bool is_here = plan.local || (plan.session && plan.session->is_here);
    if (!is_here) notes.push_back(oversubscription(plan.spec, plan.placement, plan.hosts));
    // One program alone need not be looked at.
    if (plan.spec.programs.size() > 1) {
        std::vector<PmiNeeds> needs;
        for (const auto& program : plan.spec.programs)
            needs.push_back(needs_of_program(plan, program, files));
        notes.push_back(mixed_job_hint(needs, plan.spec.policies.pmi));
    }
    std::erase(notes, "");
    return notes;
}

}  // namespace launch
