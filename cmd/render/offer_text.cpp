// SPDX-License-Identifier: MIT
#include "cmd/render/offer_text.hpp"

#include "cmd/options/usage_error.hpp"
#include "core/base/environment.hpp"

namespace launch {
namespace {

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

}  // namespace

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

std::vector<PmiNeeds> needs_of_programs(const Plan& plan, FileAccess& files) {
    std::vector<PmiNeeds> needs;
    for (const auto& program : plan.spec.programs)
        needs.push_back(needs_of_program(plan, program, files));
    return needs;
}

std::vector<std::string> offer_texts(const Plan& plan, FileAccess& files) {
    const PmiChoice choice = plan.spec.policies.pmi;
    std::vector<PmiNeeds> needs(plan.spec.programs.size());
    if (choice == PmiChoice::automatic) needs = needs_of_programs(plan, files);
    std::vector<std::string> texts;
    texts.reserve(needs.size());
    for (const auto& each : needs)
        texts.push_back(offer_text(choice, each));
    return texts;
}

}  // namespace launch
