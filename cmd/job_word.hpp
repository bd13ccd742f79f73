// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// Whether a word names a file that describes a job, and no program: it ends in .toml, and the
/// file cannot be executed, or launch is what executes it. A file that is not there is a job file
/// too, by a name that was mistyped, unless a program in PATH has that name.
bool is_job_file(const std::string& word);

/// Whether the first line of a file has the kernel run it by launch: `#!/usr/bin/env launch`. Such
/// a file would start itself for ever if it were taken for a program.
bool is_run_by_launch(std::string_view first_bytes);

}  // namespace launch
