#pragma once

#include <functional>
#include <string>
#include <vector>

namespace launch {

/// Whether a word names a file that describes a job, and no program: it ends in .toml, and the
/// file cannot be executed.
bool is_job_file(const std::string& word);

/// The words with `--job FILE` for a job file that stands where the program would:
/// `-n 4 job.toml -v` becomes `-n 4 --job job.toml -v`. All others stay as they are.
std::vector<std::string> with_job_option(const std::vector<std::string>& words,
                                         const std::function<bool(const std::string&)>& is_job);

}  // namespace launch
