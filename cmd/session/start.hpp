#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch session start`: the words after it. Brings the session up, says its name, and leaves it
/// in the background; or runs the command after `--` and ends the session with it. Returns the exit
/// code.
int start_session(const std::vector<std::string>& words);

}  // namespace launch
