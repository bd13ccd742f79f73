#pragma once

#include <string>

namespace launch {

/// Whether a word names a file that describes a job, and no program: it ends in .toml, and the
/// file cannot be executed. One that is not there is a job file too, by a name that was mistyped,
/// unless a program in PATH has that name.
bool is_job_file(const std::string& word);

}  // namespace launch
