// SPDX-License-Identifier: MIT
#include "core/job/enclosing_job.hpp"

#include <gtest/gtest.h>

#include "core/job/rank_env.hpp"

namespace launch {
namespace {

TEST(EnclosingJob, IdentityIsKnown) {
    const char* names[] = {
        // As mpiexec.hydra 4.0.2 and mpirun of Open MPI 4.1.4 set them.
        "PMI_RANK", "PMI_SIZE", "PMI_FD", "MPI_LOCALNRANKS", "MPI_LOCALRANKID", "HYDI_CONTROL_FD",
        "HYDRA_USER_PROVIDED_BINDING", "MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "MPIR_CVAR_PMI_VERSION",
        "OMPI_APP_CTX_NUM_PROCS", "OMPI_ARGV", "OMPI_COMMAND", "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_SIZE", "OMPI_FILE_LOCATION", "OMPI_FIRST_RANKS", "OMPI_MCA_ess",
        "OMPI_MCA_ess_base_vpid", "OMPI_MCA_initial_wdir", "OMPI_MCA_orte_app_num",
        "OMPI_MCA_orte_ess_num_procs", "OMPI_MCA_orte_hnp_uri", "OMPI_MCA_orte_launch",
        "OMPI_MCA_orte_local_daemon_uri", "OMPI_MCA_orte_num_nodes", "OMPI_MCA_pmix",
        "OMPI_NUM_APP_CTX", "OMPI_UNIVERSE_SIZE", "PMIX_BFROP_BUFFER_TYPE", "PMIX_NAMESPACE",
        "PMIX_RANK", "PMIX_SERVER_URI4", "PMIX_SERVER_TMPDIR", "PMIX_VERSION",
        // Other launchers.
        "PMI_PORT", "PMI_ID", "PMI2_FD", "PRTE_LAUNCHED", "MV2_COMM_WORLD_RANK",
        "MVP_COMM_WORLD_RANK", "MPIRUN_RANK", "MPISPAWN_ID", "SLURM_PROCID", "SLURM_LOCALID",
        "SLURM_NODEID", "SLURM_GTIDS", "SLURM_STEP_ID", "SLURM_STEPID", "SLURM_STEP_NODELIST",
        "SLURM_TASK_PID", "SLURM_SRUN_COMM_PORT", "SLURM_LAUNCH_NODE_IPADDR",
        "SLURM_PMIX_MAPPING_SERV", "SLURM_PMI2_STEP_NODES", "PALS_RANKID", "FLUX_TASK_RANK",
        "JSM_NAMESPACE_RANK", "ALPS_APP_PE"};
    for (const char* name : names)
        EXPECT_TRUE(tells_identity(name)) << name;
}

TEST(EnclosingJob, WhatUsersSetIsNoIdentity) {
    const char* names[] = {
        "PATH", "", "PMI", "LAUNCH_LOG", "LAUNCH_RANKS", "OMPI_MCA_btl", "OMPI_MCA_pml",
        "OMPI_MCA_pmix_base_verbose", "OMPI_MCA_orte_base_help_aggregate",
        "OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_rmaps_base_oversubscribe", "OMPI_ALLOW_RUN_AS_ROOT",
        "PMIX_MCA_gds", "PMIX_PREFIX", "PRTE_MCA_oob_tcp_if_include", "HYDRA_LAUNCHER",
        "HYDRA_HOST_FILE", "MPIRUN_OPTIONS", "MPIR_CVAR_CH4_NETMOD", "MPICH_ASYNC_PROGRESS",
        "I_MPI_FABRICS", "I_MPI_PIN_MAPPING", "MVP_ENABLE_AFFINITY", "MV2_USE_CUDA", "UCX_TLS",
        "FI_PROVIDER",
        // An allocation of hosts, not a place in it.
        "SLURM_JOB_NODELIST", "SLURM_JOB_ID", "SLURM_NODELIST", "SLURM_NNODES", "SLURM_NTASKS",
        "SLURM_TASKS_PER_NODE", "SLURM_CPUS_PER_TASK", "SLURM_SUBMIT_DIR", "SLURM_MPI_TYPE",
        "FLUX_URI", "FLUX_JOB_ID", "PBS_NODEFILE", "PBS_JOBID", "PBS_TASKNUM", "LSB_HOSTS"};
    for (const char* name : names)
        EXPECT_FALSE(tells_identity(name)) << name;
}

TEST(EnclosingJob, OnlyNamesCount) {
    std::vector<std::string> env{"A=PMI_RANK", "PMI_RANK=1", "PMI_FD", "", "=", "OMPI_MCA_btl=tcp"};
    scrub_identity(env);
    EXPECT_EQ(env, (std::vector<std::string>{"A=PMI_RANK", "", "=", "OMPI_MCA_btl=tcp"}));
}

TEST(EnclosingJob, SettingsOfALauncherStayBehindInARankOfOpenMpi) {
    const std::vector<std::string> settings{
        "OMPI_MCA_mpi_oversubscribe=1", "OMPI_MCA_btl_vader_backing_directory=/dev/shm/outer",
        "OMPI_MCA_btl_sm_backing_directory=/dev/shm/outer", "OMPI_MCA_schizo=ompi"};
    auto of_user = settings;
    scrub_identity(of_user);
    EXPECT_EQ(of_user, settings);
    auto of_rank = settings;
    of_rank.insert(of_rank.end(), {"OMPI_COMM_WORLD_RANK=0", "OMPI_MCA_btl=tcp"});
    scrub_identity(of_rank);
    EXPECT_EQ(of_rank, std::vector<std::string>{"OMPI_MCA_btl=tcp"});
}

TEST(EnclosingJob, WhatLaunchTellsItsRanksIsIdentity) {
    std::vector<std::string> env;
    add_identity(env, RankIdentity{});
    ASSERT_FALSE(env.empty());
    scrub_identity(env);
    EXPECT_TRUE(env.empty());
}

}  // namespace
}  // namespace launch
