// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/plan.hpp"
#include "modex/detect/file_access.hpp"

namespace launch {

/// What the user may want to know of a plan before it runs, and is no error: more ranks than slots
/// where a host list is given, programs that cannot meet.
std::vector<std::string> notes_of(const Plan& plan, FileAccess& files);

}  // namespace launch
