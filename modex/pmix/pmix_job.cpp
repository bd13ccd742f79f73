// SPDX-License-Identifier: MIT
#include "modex/pmix/pmix_job.hpp"

namespace launch {

std::string pmix_folder(const std::string& parent, const std::string& job_id, uint32_t node) {
    // The node: several nodes of a job may be relays on the same machine.
    return parent + "/launch-" + job_id + "-" + std::to_string(node) + ".pmix";
}

}  // namespace launch
