// SPDX-License-Identifier: MIT
#include "core/run/node_share.hpp"

#include <chrono>

#include "core/process/given_descriptors.hpp"

namespace launch {
namespace {

/// Threads that wait for a dead file server are lost for other jobs.
constexpr size_t most_threads = 256;
constexpr std::chrono::seconds between_jobs{2};

}  // namespace

NodeShare::NodeShare(any_io_executor executor)
    : threads_(std::move(executor), most_threads, between_jobs),
      users_descriptors_(given_descriptors()),
      before_(host_limits()) {
    raise_file_limit();
    now_ = host_limits();
}

}  // namespace launch
