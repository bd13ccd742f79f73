// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// True for the name of a variable by which a launcher, this one or another, gives a rank its
/// identity. An MPI program of a new job that found it would take itself for that rank. Variables
/// with which users tune their MPI, and those that describe an allocation of hosts, are not among
/// them.
bool tells_identity(std::string_view name);

/// Removes those variables: traces of an enclosing job must not reach the ranks of a launch that
/// runs inside it. In a rank of Open MPI that includes settings that depend on the host, or name
/// files of the job, and look like a user's. Variables that the user sets for the job are added
/// afterwards, and stay.
void scrub_identity(std::vector<std::string>& env);

}  // namespace launch
