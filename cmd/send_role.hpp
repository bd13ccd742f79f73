#pragma once

#include <string>
#include <vector>

namespace launch {

/// The role of the executable on a host of which --fetch gets something (send_command()): writes
/// what it names to standard output.
int start_send(const std::vector<std::string>& words);

}  // namespace launch
