// SPDX-License-Identifier: MIT
#include "modex/server/place_env.hpp"

#include <string_view>

#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

/// A variable that is longer than the kernel takes would keep the rank from starting.
constexpr std::size_t most_listed_programs = 4096;

void add_place(std::vector<std::string>& env, const std::string& prefix, const RankPlace& place) {
    set_env(env, prefix + "RANK", std::to_string(place.rank));
    set_env(env, prefix + "SIZE", std::to_string(place.size));
    set_env(env, prefix + "LOCAL_RANK", std::to_string(place.local_rank));
    set_env(env, prefix + "LOCAL_SIZE", std::to_string(place.local_size));
}

}  // namespace

void add_local_place(std::vector<std::string>& env, const RankPlace& place) {
    set_env(env, "MPI_LOCALRANKID", std::to_string(place.local_rank));
    set_env(env, "MPI_LOCALNRANKS", std::to_string(place.local_size));
}

void add_mpich_settings(std::vector<std::string>& env, const RankPlace& place) {
    add_place(env, "MV2_COMM_WORLD_", place);
    add_place(env, "MVP_COMM_WORLD_", place);
    add_unless_set(env, {"GFORTRAN_UNBUFFERED_PRECONNECTED=y"});
    if (!place.bound) return;
    set_env(env, "HYDRA_USER_PROVIDED_BINDING", "1");
    add_unless_set(env, {"MV2_ENABLE_AFFINITY=0", "MVP_ENABLE_AFFINITY=0"});
}

void add_mpich_protocol(std::vector<std::string>& env, bool has_pmi) {
    add_unless_set(env, {has_pmi ? "MPIR_CVAR_PMI_VERSION=1" : "MPIR_CVAR_PMI_VERSION=x"});
}

void add_open_mpi_place(std::vector<std::string>& env, const RankPlace& place) {
    add_place(env, "OMPI_COMM_WORLD_", place);
    set_env(env, "OMPI_COMM_WORLD_NODE_RANK", std::to_string(place.local_rank));
}

void add_open_mpi_job(std::vector<std::string>& env, const JobMessage& job,
                      const std::string& wdir) {
    set_env(env, "OMPI_UNIVERSE_SIZE", std::to_string(job.universe_size));
    set_env(env, "OMPI_NUM_APP_CTX", std::to_string(job.programs.size()));
    if (!wdir.empty()) set_env(env, "OMPI_MCA_initial_wdir", wdir);
    if (job.programs.size() > most_listed_programs) return;
    std::vector<std::string> first_ranks;
    std::vector<std::string> sizes;
    uint32_t first = 0;
    for (const Program& program : job.programs) {
        first_ranks.push_back(std::to_string(first));
        sizes.push_back(std::to_string(program.ranks));
        first += program.ranks;
    }
    set_env(env, "OMPI_FIRST_RANKS", joined(first_ranks, " "));
    set_env(env, "OMPI_APP_CTX_NUM_PROCS", joined(sizes, " "));
}

}  // namespace launch
