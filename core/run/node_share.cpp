// SPDX-License-Identifier: MIT
#include "core/run/node_share.hpp"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <system_error>

namespace launch {
namespace {

/// Threads that wait for a dead file server are lost for other jobs.
constexpr size_t most_threads = 256;
constexpr std::chrono::seconds between_jobs{2};

/// Descriptors above the standard streams. launch's own are closed when a program is executed.
std::vector<int> users_descriptors_now() {
    std::vector<int> found;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ec)) {
        const int fd = std::atoi(entry.path().filename().c_str());
        const int flags = fcntl(fd, F_GETFD);
        if (fd > 2 && flags >= 0 && (flags & FD_CLOEXEC) == 0) found.push_back(fd);
    }
    return found;
}

}  // namespace

NodeShare::NodeShare(any_io_executor executor)
    : threads_(std::move(executor), most_threads, between_jobs),
      users_descriptors_(users_descriptors_now()),
      before_(host_limits()) {
    raise_file_limit();
    now_ = host_limits();
}

}  // namespace launch
