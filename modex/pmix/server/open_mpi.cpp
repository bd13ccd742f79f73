// SPDX-License-Identifier: MIT
#include "modex/pmix/server/open_mpi.hpp"

#include <string_view>

#include "core/base/environment.hpp"

namespace launch {
namespace {

constexpr std::string_view bound_setting = "OMPI_MCA_orte_bound_at_launch=1";

}  // namespace

std::vector<std::string> open_mpi_settings(const PmixJob& job) {
    std::vector<std::string> settings = {
        // Open MPI's other components for this go by the variables of schedulers
        // (orte/mca/schizo/*/schizo_*.c): that for Slurm takes a rank in a job of Slurm for a
        // program without peers.
        "OMPI_MCA_schizo=ompi",
        std::string(bound_setting),
        "OMPI_MCA_btl_vader_backing_directory=" + job.folders.memory(),
        "OMPI_MCA_btl_sm_backing_directory=" + job.folders.memory(),
    };
    if (job.oversubscribed()) settings.emplace_back("OMPI_MCA_mpi_oversubscribe=1");
    return settings;
}

void add_open_mpi_settings(std::vector<std::string>& env, std::vector<std::string> settings) {
    if (!env_value(env, "OMPI_MCA_hwloc_base_binding_policy").empty())
        std::erase(settings, bound_setting);
    add_unless_set(env, settings);
}

}  // namespace launch
