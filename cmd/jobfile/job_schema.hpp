// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/table.hpp"

namespace launch {

/// A JSON Schema (draft 2020-12) of job files, by which editors complete and check them. It is
/// looser than read_job_file(), which also reads what stands in a string.
std::string job_file_schema(OptionTable table = all_options());

}  // namespace launch
