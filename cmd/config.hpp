#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch config`: what each option is set to, and where that comes from. Returns the exit code.
int start_config(const std::vector<std::string>& words);

}  // namespace launch
