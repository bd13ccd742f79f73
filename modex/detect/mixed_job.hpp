// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/modex_choice.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// One line for the user of whose programs one speaks PMIx only and another only PMI-1 or PMI-2, by
/// the MPI libraries that they link: each waits for ranks of the other that it can never meet.
/// Empty where there are no two such programs, or where they are offered nothing to wait by.
std::string mixed_job_hint(const std::vector<PmiNeeds>& programs, PmiChoice choice);

}  // namespace launch
