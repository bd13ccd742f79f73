#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// Where a rank is in its job, and on its host.
struct RankPlace {
    uint32_t rank = 0;
    uint32_t size = 1;
    uint32_t local_rank = 0;
    uint32_t local_size = 1;
};

/// The names by which scripts that wrap a rank, and libraries of networks and GPUs, know its place
/// on the host whatever the MPI: Hydra's.
void add_local_place(std::vector<std::string>& env, const RankPlace& place);

/// And those that they look for with Open MPI, whose library takes no notice of them.
void add_open_mpi_place(std::vector<std::string>& env, const RankPlace& place);

}  // namespace launch
