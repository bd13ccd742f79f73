#pragma once

#include <string>
#include <vector>

#include "core/job/plan.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// What the ranks of a program would be offered, and why.
std::string offer_text(PmiChoice choice, const PmiNeeds& needs);

/// The same for each program of the plan, as its file is on this machine.
std::vector<std::string> offer_texts(const Plan& plan, FileAccess& files);

}  // namespace launch
