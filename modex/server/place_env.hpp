// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/wire/messages.hpp"

namespace launch {

/// Where a rank is in its job, and on its host.
struct RankPlace {
    uint32_t rank = 0;
    uint32_t size = 1;
    uint32_t local_rank = 0;
    uint32_t local_size = 1;
    bool bound = false;  ///< to CPUs of its own
};

/// The names by which scripts that wrap a rank, and libraries of networks and GPUs, know its place
/// on the host whatever the MPI: Hydra's.
void add_local_place(std::vector<std::string>& env, const RankPlace& place);

/// Variables that the launchers of MPICH and MVAPICH give ranks besides the protocol:
///  - mpirun_rsh: the place, in names of its own: MV2_ in MVAPICH2, MVP_ from MVAPICH 3 on;
///  - Hydra: that a rank is bound, for which MPICH makes trees of collectives by the machine
///    (src/mpid/ch4/shm/posix/release_gather). MVAPICH gets a variable that keeps it from
///    binding ranks again, as if no other job were there;
///  - Hydra: that Fortran's output is visible as it is written.
/// The last two are defaults, and values of the user stay.
void add_mpich_settings(std::vector<std::string>& env, const RankPlace& place);

/// Tells MPICH which protocol to speak, unless the user has: PMI-1 where the rank is offered both,
/// else PMIx. MPICH 5 refuses to start where it finds both and no MPIR_CVAR_PMI_VERSION, and 4.2
/// and 4.3 do not look for PMIx without it. One that is built with PMIx only takes 1 for PMIx
/// (src/util/mpir_pmi.c); other libraries do not read it.
void add_mpich_protocol(std::vector<std::string>& env, bool has_pmi);

/// And those that they look for with Open MPI, whose library takes no notice of them.
void add_open_mpi_place(std::vector<std::string>& env, const RankPlace& place);

/// Variables about the job that Open MPI's launcher sets: the library makes MPI_INFO_ENV of them
/// (ompi/info/info.c), and scripts read them.
void add_open_mpi_job(std::vector<std::string>& env, const JobMessage& job,
                      const std::string& wdir);

}  // namespace launch
