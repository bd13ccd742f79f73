#include "modex/pmix/server/open_mpi.hpp"

#include <algorithm>

namespace launch {

std::vector<std::string> open_mpi_settings(const PmixJob& job) {
    std::vector<std::string> settings = {
        "OMPI_MCA_schizo=^orte",
        "OMPI_MCA_btl_vader_backing_directory=" + job.folders.memory(),
        "OMPI_MCA_btl_sm_backing_directory=" + job.folders.memory(),
    };
    if (job.oversubscribed()) settings.emplace_back("OMPI_MCA_mpi_oversubscribe=1");
    const bool bound = std::any_of(job.bound.begin(), job.bound.end(),
                                   [](const auto& rank) { return !rank.cpus.empty(); });
    if (bound) settings.emplace_back("OMPI_MCA_orte_bound_at_launch=1");
    return settings;
}

}  // namespace launch
