#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch session add` and `launch session remove`, of the words after. They return the exit code.
int add_hosts(const std::vector<std::string>& words);
int remove_hosts(const std::vector<std::string>& words);

}  // namespace launch
