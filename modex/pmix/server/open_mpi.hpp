// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "modex/pmix/pmix_job.hpp"

namespace launch {

/// Settings that Open MPI's ranks of a node need besides PMIx, as "NAME=VALUE". They have no effect
/// on other programs, including an mpirun that a rank may run.
///  - Open MPI 4 takes a program for a lone one unless one of its schizo components knows the
///    launcher; OMPI_MCA_schizo=ompi selects one that does. Open MPI 5 has no such check.
///  - The memory that ranks of a host share is a file (in vader, later sm): in launch's folder, it
///    is removed however the job ends.
///  - If a host has fewer CPUs than ranks, a waiting rank must yield to the others. Open MPI 4
///    reads this variable and not PMIX_NODE_OVERSUBSCRIBED. It is the default of
///    mpi_yield_when_idle, which users set; their value therefore wins wherever it is set.
///  - The launcher has handled a rank's binding, even if it is unbound: otherwise each rank of Open
///    MPI 4 reads the whole machine to find out (orte/mca/ess/base/ess_base_fns.c), for a third of
///    the cost of its MPI_Init.
std::vector<std::string> open_mpi_settings(const PmixJob& job);

/// Adds them to a rank's environment, except those that the user has set. Open MPI may bind an
/// unbound rank if the user asks for it.
void add_open_mpi_settings(std::vector<std::string>& env, std::vector<std::string> settings);

}  // namespace launch
