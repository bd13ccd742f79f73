// SPDX-License-Identifier: MIT
#include "modex/server/place_env.hpp"

#include <gtest/gtest.h>

#include "core/base/environment.hpp"

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

TEST(PlaceEnv, TellsRanksOfMpichThatTheyAreBound) {
    RankPlace bound = place;
    bound.bound = true;
    std::vector<std::string> env{"MV2_ENABLE_AFFINITY=1"};
    add_mpich_settings(env, place);
    EXPECT_EQ(env,
              (std::vector<std::string>{
                  "MV2_ENABLE_AFFINITY=1", "MV2_COMM_WORLD_RANK=5", "MV2_COMM_WORLD_SIZE=8",
                  "MV2_COMM_WORLD_LOCAL_RANK=1", "MV2_COMM_WORLD_LOCAL_SIZE=4",
                  "MVP_COMM_WORLD_RANK=5", "MVP_COMM_WORLD_SIZE=8", "MVP_COMM_WORLD_LOCAL_RANK=1",
                  "MVP_COMM_WORLD_LOCAL_SIZE=4", "GFORTRAN_UNBUFFERED_PRECONNECTED=y"}));
    add_mpich_settings(env, bound);
    EXPECT_EQ(env_value(env, "HYDRA_USER_PROVIDED_BINDING"), "1");
    EXPECT_EQ(env_value(env, "MVP_ENABLE_AFFINITY"), "0");
    EXPECT_EQ(env_value(env, "MV2_ENABLE_AFFINITY"), "1") << "the user's";
}

TEST(PlaceEnv, TellsMpichOneProtocolWhereItCouldSpeakTwo) {
    std::vector<std::string> env;
    add_mpich_protocol(env, true);
    EXPECT_EQ(env, (std::vector<std::string>{"MPIR_CVAR_PMI_VERSION=1"}));
    add_mpich_protocol(env, false);
    EXPECT_EQ(env, (std::vector<std::string>{"MPIR_CVAR_PMI_VERSION=1"})) << "the user's";
    env.clear();
    add_mpich_protocol(env, false);
    EXPECT_EQ(env, (std::vector<std::string>{"MPIR_CVAR_PMI_VERSION=x"}));
}

TEST(PlaceEnv, TellsOfTheJobInOpenMpisNames) {
    JobMessage job;
    job.universe_size = 8;
    job.programs = {{.argv = {"master"}, .ranks = 2}, {.argv = {"worker"}, .ranks = 3}};
    std::vector<std::string> env;
    add_open_mpi_job(env, job, "/w");
    EXPECT_EQ(env, (std::vector<std::string>{"OMPI_UNIVERSE_SIZE=8", "OMPI_NUM_APP_CTX=2",
                                             "OMPI_MCA_initial_wdir=/w", "OMPI_FIRST_RANKS=0 2",
                                             "OMPI_APP_CTX_NUM_PROCS=2 3"}));
    job.programs.resize(100'000);
    env.clear();
    add_open_mpi_job(env, job, "/w");
    EXPECT_EQ(env.size(), 3u) << "no list that would keep ranks from starting";
}

}  // namespace
}  // namespace launch
