// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/settings.hpp"
#include "cmd/options/table.hpp"

namespace launch {

/// Each option of a job, its value, and where it comes from: "KEY = VALUE  # ORIGIN" lines; of the
/// programs of a job file what somebody gave them. What is not set is told in words. An option
/// whose texts come from several places has a line for each of them.
std::string config_text(const Settings& settings, OptionTable table = all_options());

/// Raised when a key changes its meaning or goes; one that only comes is no new version.
inline constexpr uint64_t config_version = 1;

/// The same as JSON, {"version", "settings"}, these a list of {"key", "value", "layer", "file",
/// "line"}. A value that is not set is null, and "if_unset" tells in words what is used.
std::string config_json(const Settings& settings, OptionTable table = all_options());

}  // namespace launch
