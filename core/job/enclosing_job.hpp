// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// True for the name of a variable by which a launcher, this one or another, tells a rank who it
/// is. An MPI program of a new job that found it would take itself for that rank. What users tune
/// their MPI with, and what describes an allocation of hosts, is none of it.
bool tells_identity(std::string_view name);

/// Removes those variables: what is left of an enclosing job must not reach the ranks of a launch
/// that runs inside it. In a rank of Open MPI that includes settings that depend on the host, or
/// name files of the job, and look like a user's. What the user sets for the job is added
/// afterwards, and stays.
void scrub_identity(std::vector<std::string>& env);

}  // namespace launch
