// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/head/timeline.hpp"

namespace launch {

/// The report of a job: its timeline and its exit code.
struct RunReport {
    JobTimeline line;
    int exit_code = 0;  ///< of launch
};

/// Raised if a key is removed or changes its meaning.
inline constexpr uint64_t report_version = 1;

/// Returns the report as JSON: cmd/render/schemas/report.json.
std::string report_json(const RunReport& report);
/// Reads such JSON. Fails on any other text and on a report of a later version.
Result<RunReport> read_report(const std::string& text);

/// Before the job starts: an error where --report FILE could not be written at its end.
Status check_report_file(const std::string& path);
/// At its end. A file that was there is replaced, all at once; a pipe or a terminal is written to.
Status write_report_file(const std::string& path, const std::string& text);

}  // namespace launch
