// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "modex/pmix/pmix_job.hpp"

namespace launch {

/// What Open MPI's ranks of a node must be told by other means than PMIx, as "NAME=VALUE". Nothing
/// to other programs, nor to an mpirun that a rank may run.
///  - Open MPI 4 takes a program for a lone one unless it knows by name who started it; so says its
///    component "orte". Open MPI 5 has no such thing.
///  - The memory that ranks of a host share is a file (in vader, later sm): in our folder, it is
///    gone with it however the job ends.
///  - Where a host has fewer CPUs than ranks, a rank that waits must yield to the others. Open MPI
///    4 goes by this variable and not by PMIX_NODE_OVERSUBSCRIBED. It is the default of what users
///    tune, mpi_yield_when_idle, which therefore wins over it wherever it is set.
///  - That whoever started a rank has seen to its binding, also where that is none: else each rank
///    of Open MPI 4 reads the whole machine to find out (orte/mca/ess/base/ess_base_fns.c), for a
///    third of what its MPI_Init costs.
std::vector<std::string> open_mpi_settings(const PmixJob& job);

/// Adds them to a rank's environment, but for those that the user has set. Open MPI may bind a rank
/// that nobody has bound if the user tells it to.
void add_open_mpi_settings(std::vector<std::string>& env, std::vector<std::string> settings);

}  // namespace launch
