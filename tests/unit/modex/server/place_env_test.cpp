#include "modex/server/place_env.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr RankPlace place{.rank = 5, .size = 8, .local_rank = 1, .local_size = 4};

TEST(PlaceEnv, TellsThePlaceOnTheHost) {
    std::vector<std::string> env{"MPI_LOCALRANKID=7", "A=1"};
    add_local_place(env, place);
    EXPECT_EQ(env, (std::vector<std::string>{"A=1", "MPI_LOCALRANKID=1", "MPI_LOCALNRANKS=4"}));
}

TEST(PlaceEnv, TellsItInOpenMpisNames) {
    std::vector<std::string> env;
    add_open_mpi_place(env, place);
    EXPECT_EQ(
        env, (std::vector<std::string>{
                 "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=1",
                 "OMPI_COMM_WORLD_LOCAL_SIZE=4", "OMPI_COMM_WORLD_NODE_RANK=1"}));
}

}  // namespace
}  // namespace launch
