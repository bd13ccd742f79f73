// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// What becomes of the ranks' output, of what was said of it. Which rank reads standard input is
/// known.
Status complete_output(const Settings& line, const Surroundings& around, JobSpec& spec);

}  // namespace launch
