#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch report FILE [--format text|svg|html]`: prints what --report wrote, as a picture.
int start_report(const std::vector<std::string>& words);

}  // namespace launch
