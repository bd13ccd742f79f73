#include "modex/server/place_env.hpp"

#include "core/base/environment.hpp"

namespace launch {

void add_local_place(std::vector<std::string>& env, const RankPlace& place) {
    set_env(env, "MPI_LOCALRANKID", std::to_string(place.local_rank));
    set_env(env, "MPI_LOCALNRANKS", std::to_string(place.local_size));
}

void add_open_mpi_place(std::vector<std::string>& env, const RankPlace& place) {
    set_env(env, "OMPI_COMM_WORLD_RANK", std::to_string(place.rank));
    set_env(env, "OMPI_COMM_WORLD_SIZE", std::to_string(place.size));
    set_env(env, "OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(place.local_rank));
    set_env(env, "OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(place.local_size));
    set_env(env, "OMPI_COMM_WORLD_NODE_RANK", std::to_string(place.local_rank));
}

}  // namespace launch
