// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/plan.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// Says which PMI the ranks of a program are offered, and why.
std::string offer_text(PmiChoice choice, const PmiNeeds& needs);

/// Returns the PMI versions that each program of the plan needs, by its file on this machine.
std::vector<PmiNeeds> needs_of_programs(const Plan& plan, FileAccess& files);

/// Returns offer_text() of each program.
std::vector<std::string> offer_texts(const Plan& plan, FileAccess& files);

}  // namespace launch
