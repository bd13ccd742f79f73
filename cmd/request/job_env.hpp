// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/request/job_request.hpp"

namespace launch {

/// The programs of a job, and what they get of the environment here.

/// Whether one place says of the same ranks at most once what they get of the environment here.
Status check_inherit(const Settings& line);

/// Adds the programs, each with the variables that were set for it. The hosts are known.
Status complete_programs(const Settings& line, const Surroundings& around, JobRequest& made);

/// The job has one inherited environment; where a program asked for its own, each brings it.
void complete_env(const Settings& line, const Surroundings& around, JobSpec& spec);

/// Makes notes for the user: on variables for Open MPI, and on -l, which takes no user here. A note
/// may be empty.
std::vector<std::string> program_notes(const Settings& line, const Surroundings& around,
                                       const std::vector<Program>& programs);

}  // namespace launch
