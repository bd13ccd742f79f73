#include "modex/pmix/pmix_job.hpp"

#include <cstdlib>
#include <unistd.h>

namespace launch {
namespace {

/// In memory if possible: ranks map what is in it and share it.
std::string parent_folder() {
    constexpr const char* memory = "/dev/shm";
    if (access(memory, W_OK | X_OK) == 0) return memory;
    const char* const given = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    return given != nullptr && *given == '/' ? given : "/tmp";
}

}  // namespace

std::string pmix_folder(const std::string& job_id, uint32_t node) {
    // The node: several nodes of a job may be relays on the same machine.
    return parent_folder() + "/launch-" + job_id + "-" + std::to_string(node) + ".pmix";
}

}  // namespace launch
