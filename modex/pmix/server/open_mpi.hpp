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
///  - Of ranks that are bound Open MPI 4 is told that they are: each would else read the whole
///    machine to find out (orte/mca/ess/base/ess_base_fns.c).
std::vector<std::string> open_mpi_settings(const PmixJob& job);

}  // namespace launch
