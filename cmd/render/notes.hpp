// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/job/plan.hpp"
#include "modex/detect/file_access.hpp"

namespace launch {

/// Returns warnings about a plan that are no errors: more ranks than slots on a given host list,
/// programs that cannot find each other.
std::vector<std::string> notes_of(const Plan& plan, FileAccess& files);

}  // namespace launch
