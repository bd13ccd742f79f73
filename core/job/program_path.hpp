// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/job/job_spec.hpp"

namespace launch {

/// The file of the program as far as the job itself says: a name without a folder is searched for
/// where a rank starts. `job_wdir`: the folder of ranks whose program has none of its own.
std::string program_path(const Program& program, const std::string& job_wdir);

}  // namespace launch
