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

/// The JSON keys of a host's start stages, in the order of StartStage.
inline constexpr std::array<const char*, start_stages> stage_keys{
    "queued_us", "dial_us",  "auth_us", "login_us",
    "client_us", "hello_us", "push_us", "greeted_us"};

/// Returns the report as JSON: cmd/render/schemas/report.json.
std::string report_json(const RunReport& report);
/// Reads such JSON. Fails on any other text and on a report of a later version.
Result<RunReport> read_report(const std::string& text);

}  // namespace launch
