// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// The error for a job file that does not exist: names the one in its folder that was probably
/// meant. `may_be_program`: says how a program of that name is run.
Error missing_job_file(const std::string& path, bool may_be_program);

}  // namespace launch
