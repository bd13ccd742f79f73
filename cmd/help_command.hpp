#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch help` and `launch version`. Return the exit code.
int start_help(const std::vector<std::string>& words);
int start_version(const std::vector<std::string>& words);

}  // namespace launch
