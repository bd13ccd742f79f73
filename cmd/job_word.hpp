#pragma once

#include <string>

namespace launch {

/// Whether a word names a file that describes a job, and no program: it ends in .toml, and the
/// file cannot be executed.
bool is_job_file(const std::string& word);

}  // namespace launch
