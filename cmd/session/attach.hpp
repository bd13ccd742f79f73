#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch attach JOB`: shows the output of a detached job from its beginning until it ends. Of the
/// words after the name; returns the job's exit code, or that of what went wrong.
int start_attach(const std::vector<std::string>& words);

}  // namespace launch
