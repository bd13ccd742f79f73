#include "modex/pmix/pmix_job.hpp"

#include <cstdlib>

namespace launch {

std::string pmix_folder(const std::string& job_id, uint32_t node) {
    const char* const given = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    const std::string parent = given != nullptr && *given == '/' ? given : "/tmp";
    // The node: several nodes of a job may be relays on the same machine.
    return parent + "/launch-" + job_id + "-" + std::to_string(node) + ".pmix";
}

}  // namespace launch
