#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch doctor`: would a launch on these hosts work, and what is to be mended there?
int start_doctor(const std::vector<std::string>& words);

}  // namespace launch
