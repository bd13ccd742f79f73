// SPDX-License-Identifier: MIT
#include "cmd/render/notes.hpp"

#include "cmd/render/offer_text.hpp"
#include "core/job/deal.hpp"
#include "modex/detect/mixed_job.hpp"

namespace launch {
namespace {

/// One program alone need not be looked at.
std::string mixed_programs(const Plan& plan, FileAccess& files) {
    if (plan.spec.programs.size() < 2) return {};
    return mixed_job_hint(needs_of_programs(plan, files), plan.spec.policies.pmi);
}

}  // namespace

std::vector<std::string> notes_of(const Plan& plan, FileAccess& files) {
    std::vector<std::string> notes{mixed_programs(plan, files)};
    const bool is_here = plan.local || (plan.session && plan.session->is_here);
    if (!is_here)
        notes.insert(notes.begin(), oversubscription(plan.spec, plan.placement, plan.hosts));
    std::erase(notes, "");
    return notes;
}

}  // namespace launch
