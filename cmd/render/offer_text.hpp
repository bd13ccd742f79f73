// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/plan.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// What the ranks of a program would be offered, and why.
std::string offer_text(PmiChoice choice, const PmiNeeds& needs);

/// What each program of the plan may speak, as its file is on this machine.
std::vector<PmiNeeds> needs_of_programs(const Plan& plan, FileAccess& files);

/// What its ranks would be offered then.
std::vector<std::string> offer_texts(const Plan& plan, FileAccess& files);

}  // namespace launch
