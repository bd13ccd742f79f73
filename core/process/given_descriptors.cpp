// SPDX-License-Identifier: MIT
#include "core/process/given_descriptors.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <system_error>

namespace launch {

std::vector<int> given_descriptors() {
    std::vector<int> found;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ec)) {
        const int fd = std::atoi(entry.path().filename().c_str());
        const int flags = fcntl(fd, F_GETFD);
        if (fd > 2 && flags >= 0 && (flags & FD_CLOEXEC) == 0) found.push_back(fd);
    }
    return found;
}

}  // namespace launch
