// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/plan.hpp"

namespace launch {

/// Before anything starts: the files that the head will write to are not there yet, and can be
/// made. Of a job that may place its ranks otherwise, as far as that is known.
Status check_output_paths(const Plan& plan);

}  // namespace launch
