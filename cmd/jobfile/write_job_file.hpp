// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/settings.hpp"
#include "cmd/options/table.hpp"

namespace launch {

/// The settings that somebody gave, as a job file that gives the same settings again, wherever it
/// is put: relative paths become those below `folder`.
std::string write_job_file(const Settings& settings, const std::string& folder,
                           OptionTable table = all_options());

/// A file of configuration in which every option stands as a comment, with what it does and its
/// default or an example. Without the "# " before them its lines are a file without a mistake.
std::string commented_config(OptionTable table = all_options());

/// A line that sets an option: to its default, or to an example where it has none.
std::string example_line(const OptionRow& option);

/// The value of an option as files have it: `"10s"`, `["a", "b"]`; of a pair, an inline table.
std::string toml_value(const OptionRow& option, const std::vector<std::string>& texts);

/// A JSON Schema (draft 2020-12) of job files, by which editors complete and check them. It is
/// looser than read_job_file(), which also reads what stands in a string.
std::string job_file_schema(OptionTable table = all_options());

}  // namespace launch
