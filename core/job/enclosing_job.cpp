// SPDX-License-Identifier: MIT
#include "core/job/enclosing_job.hpp"

#include <algorithm>
#include <array>

namespace launch {
namespace {

/// Names, or their beginnings where a * follows.
constexpr auto identity_names = std::to_array<std::string_view>({
    // launch
    "LAUNCH_RANK",
    "LAUNCH_SIZE",
    "LAUNCH_LOCAL_RANK",
    "LAUNCH_LOCAL_SIZE",
    "LAUNCH_NODE",
    "LAUNCH_NODES",
    "LAUNCH_HOST",
    "LAUNCH_FIRST_HOST",
    "LAUNCH_HOSTLIST",
    "LAUNCH_JOB_ID",
    "LAUNCH_SESSION",
    // PMI-1 and PMI-2: MPICH, Intel MPI, MVAPICH, Cray
    "PMI_*",
    "PMI2_*",
    // Hydra, beside PMI: counted per host, and a descriptor of its own
    "MPI_LOCALNRANKS",
    "MPI_LOCALRANKID",
    "HYDI_CONTROL_FD",
    "HYDRA_USER_PROVIDED_BINDING",
    "MPIR_CVAR_CH3_INTERFACE_HOSTNAME",
    // MPICH: the protocol that the launcher speaks
    "MPIR_CVAR_PMI_VERSION",
    // MVAPICH's mpirun_rsh
    "MPISPAWN_*",
    "MPIRUN_ID",
    "MPIRUN_NPROCS",
    "MPIRUN_RANK",
    "MV2_COMM_WORLD_*",
    "MVP_COMM_WORLD_*",
    // PMIx and its reference launcher
    "PMIX_*",
    "PRTE_*",
    // Open MPI
    "OMPI_APP_*",
    "OMPI_ARGV",
    "OMPI_COMMAND",
    "OMPI_COMM_WORLD_*",
    "OMPI_FILE_LOCATION",
    "OMPI_FIRST_RANKS",
    "OMPI_NUM_APP_CTX",
    "OMPI_PARENT_PORT",
    "OMPI_UNIVERSE_SIZE",
    "OMPI_MCA_ess",
    "OMPI_MCA_ess_*",
    "OMPI_MCA_initial_wdir",
    "OMPI_MCA_num_procs",
    "OMPI_MCA_orte_app_num",
    "OMPI_MCA_orte_base_applied_binding",
    "OMPI_MCA_orte_bound_at_launch",
    "OMPI_MCA_orte_ess_*",
    "OMPI_MCA_orte_externally_bound",
    "OMPI_MCA_orte_hnp_uri",
    "OMPI_MCA_orte_jobfam_session_dir",
    "OMPI_MCA_orte_launch",
    "OMPI_MCA_orte_local_daemon_uri",
    "OMPI_MCA_orte_num_nodes",
    "OMPI_MCA_orte_num_restarts",
    "OMPI_MCA_orte_parent_uri",
    "OMPI_MCA_orte_peer_*",
    "OMPI_MCA_orte_precondition_transports",
    "OMPI_MCA_orte_proc_session_dir",
    "OMPI_MCA_orte_top_session_dir",
    "OMPI_MCA_pmix",
    "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
    // Slurm's tasks and steps; its allocation (SLURM_JOB_*, SLURM_NNODES, ...) stays
    "SLURM_GTIDS",
    "SLURM_LAUNCH_NODE_IPADDR",
    "SLURM_LOCALID",
    "SLURM_NODEID",
    "SLURM_PMI*",
    "SLURM_PROCID",
    "SLURM_SRUN_*",
    "SLURM_STEP*",
    "SLURM_TASK_PID",
    // Others that run ranks of their own
    "ALPS_APP_*",
    "FLUX_TASK_*",
    "JSM_NAMESPACE_*",
    "PALS_*",
});

/// Settings a user makes whose names begin like the above.
constexpr auto user_names = std::to_array<std::string_view>({
    "PMIX_INSTALL_PREFIX",
    "PMIX_MCA_*",
    "PMIX_PREFIX",
    "PRTE_INSTALL_PREFIX",
    "PRTE_MCA_*",
    "PRTE_PREFIX",
});

/// Settings of Open MPI that users make, and launchers for the ranks that they start.
constexpr auto open_mpi_settings = std::to_array<std::string_view>({
    "OMPI_MCA_btl_sm_backing_directory",
    "OMPI_MCA_btl_vader_backing_directory",
    "OMPI_MCA_mpi_oversubscribe",
    "OMPI_MCA_schizo",
});

bool matches(std::string_view pattern, std::string_view name) {
    if (!pattern.ends_with('*')) return name == pattern;
    pattern.remove_suffix(1);
    return name.starts_with(pattern);
}

std::string_view name_of(std::string_view entry) {
    return entry.substr(0, entry.find('='));
}

template <class Patterns>
bool matches_one_of(const Patterns& patterns, std::string_view name) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](std::string_view pattern) { return matches(pattern, name); });
}

}  // namespace

bool tells_identity(std::string_view name) {
    return matches_one_of(identity_names, name) && !matches_one_of(user_names, name);
}

void scrub_identity(std::vector<std::string>& env) {
    const bool in_open_mpi = std::any_of(env.begin(), env.end(), [](const auto& entry) {
        return name_of(entry) == "OMPI_COMM_WORLD_RANK";
    });
    std::erase_if(env, [in_open_mpi](std::string_view entry) {
        const auto name = name_of(entry);
        return tells_identity(name) || (in_open_mpi && matches_one_of(open_mpi_settings, name));
    });
}

}  // namespace launch
