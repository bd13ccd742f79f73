// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/plan.hpp"

namespace launch {

/// Before anything starts: checks that the files that the head will write do not exist yet, and can
/// be made. For a job that may place its ranks otherwise, as far as that is known.
Status check_output_paths(const Plan& plan);

}  // namespace launch
