// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/scheduler_hosts.hpp"

namespace launch {

/// Reads Slurm's counts for each host: "4(x2),3" is 4, 4, 3. Returns what is wrong as a clause, or
/// an empty string when `counts` was filled.
std::string read_slurm_counts(std::string_view text, std::vector<uint32_t>& counts);

/// The hosts of a job of Slurm, those of all its parts where it is heterogeneous. A host's slots
/// are the tasks for which its user asked; where none were asked for, or the variables tell of the
/// tasks of one step (in a shell by `srun --pty`), its CPUs, divided by those of a task. A host
/// without a slot is left out.
Result<SchedulerHosts> read_slurm_hosts(const SchedulerText& text);

}  // namespace launch
