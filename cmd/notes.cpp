#include "cmd/notes.hpp"

#include <cstdint>

#include "cmd/offer_text.hpp"
#include "modex/detect/mixed_job.hpp"

namespace launch {
namespace {

/// "900 ranks on 100 slots".
std::string oversubscription(const Plan& plan) {
    if (plan.local || !plan.placement.oversubscribed()) return {};
    uint64_t slots = 0;
    for (const auto& host : plan.hosts)
        slots += plan.spec.ppn > 0 ? plan.spec.ppn : host.slots;
    const auto ranks = plan.placement.ranks();
    return std::to_string(ranks) + " ranks on " + std::to_string(slots) +
           (slots == 1 ? " slot" : " slots");
}

/// One program alone need not be looked at.
std::string mixed_programs(const Plan& plan, FileAccess& files) {
    if (plan.spec.programs.size() < 2) return {};
    return mixed_job_hint(needs_of_programs(plan, files), plan.spec.policies.pmi);
}

}  // namespace

std::vector<std::string> notes_of(const Plan& plan, FileAccess& files) {
    std::vector<std::string> notes{oversubscription(plan), mixed_programs(plan, files)};
    std::erase(notes, "");
    return notes;
}

}  // namespace launch
