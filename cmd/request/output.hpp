// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/job/job_spec.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// Completes the choice of output from the settings. The rank that reads standard input is known.
Status complete_output(const Settings& line, const Surroundings& around, JobSpec& spec);

/// Before anything starts: checks that the files that the head will write do not exist yet, and can
/// be made. For a job that may place its ranks otherwise, as far as that is known.
Status check_output_paths(const Plan& plan);

}  // namespace launch
