// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/settings.hpp"
#include "cmd/options/table.hpp"

namespace launch {

/// Returns a line "KEY = VALUE  # ORIGIN" for each option of a job, and for the options that the
/// programs of a job file have. The default of an option that is not set is in words. An option
/// whose texts come from several places has a line for each of them.
std::string config_text(const Settings& settings, OptionTable table = all_options());

}  // namespace launch
