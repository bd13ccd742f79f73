// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// Completes the choice of output from the settings. The rank that reads standard input is known.
Status complete_output(const Settings& line, const Surroundings& around, JobSpec& spec);

}  // namespace launch
