// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/job/fetch_spec.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

struct JobRequest {
    JobSpec spec;
    std::vector<FetchSpec> fetches;  ///< what the head gets when the ranks have ended
    std::vector<std::string> notes;  ///< what the user may want to know and is no error
};

/// Checks for settings that no job could have, from the settings alone: nothing is read or looked
/// up.
Status check_settings(const Settings& line);

/// Completes and validates a command line: files are read, what was not said is filled in from
/// the surroundings, contradictions are usage errors. Opens no socket. `input` is standard input,
/// read only where it holds the hosts (-f -).
Result<JobRequest> make_request(const Settings& line, const Surroundings& around,
                                std::istream& input);

}  // namespace launch
