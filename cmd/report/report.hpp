// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/head/timeline.hpp"

namespace launch {

/// What --report writes, and `launch report` reads: a job's timeline, and how the job ended.
struct RunReport {
    JobTimeline line;
    int exit_code = 0;  ///< of launch
};

/// Raised when a key changes its meaning or goes; one that only comes is no new version.
inline constexpr uint64_t report_version = 1;

/// The keys of a host by which its stages are told, in the order of StartStage.
inline constexpr std::array<const char*, start_stages> stage_keys{
    "queued_us", "dial_us",  "auth_us", "login_us",
    "client_us", "hello_us", "push_us", "greeted_us"};

/// One JSON object, a host and a rank a line.
std::string report_json(const RunReport& report);
/// What is no report, or one of a later version, is an error that says so.
Result<RunReport> read_report(const std::string& text);

}  // namespace launch
