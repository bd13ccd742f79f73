// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/base/error.hpp"
#include "core/job/fetch_spec.hpp"
#include "core/job/job_spec.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// The files of --stage and --stage-program: found here, readable, each with a place of its own.
Status complete_stage(const Settings& line, const Surroundings& around, JobSpec& spec);

/// Reads the values of --fetch. The last colon separates the path on hosts from the folder here.
Result<std::vector<FetchSpec>> fetch_specs(const Settings& line, const std::string& wdir);

/// Checks, before anything starts, that the files can be made here. Replaces nothing.
Status check_fetched_paths(const std::vector<FetchSpec>& specs, const Plan& plan);

}  // namespace launch
