// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// The files of --stage and --stage-program: found here, readable, each with a place of its own.
Status complete_stage(const Settings& line, const Surroundings& around, JobSpec& spec);

}  // namespace launch
