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
    return settings;
}

void add_unless_set(std::vector<std::string>& env, const std::vector<std::string>& settings) {
    for (const auto& setting : settings) {
        const auto name = setting.substr(0, setting.find('=') + 1);
        const bool set = std::any_of(env.begin(), env.end(),
                                     [&](const auto& entry) { return entry.starts_with(name); });
        if (!set) env.push_back(setting);
    }
}

}  // namespace launch
