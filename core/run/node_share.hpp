// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/async/detached_pool.hpp"
#include "core/process/host_cpus.hpp"
#include "core/process/limits.hpp"

namespace launch {

/// What all jobs at one node have together: which CPUs are taken, and what none of them need make
/// or find out again. One thread.
class NodeShare {
  public:
    explicit NodeShare(any_io_executor executor);

    /// CPUs that ranks on this host are bound to.
    HostCpus& cpus() { return cpus_; }
    /// Threads that look at files and folders and start ranks. A file server that is down may keep
    /// one for good. Threads stay for a while, because one short job often follows another.
    DetachedPool& threads() { return threads_; }
    /// Descriptors that this process had from its user when it began, and which ranks get as well:
    /// a shell's `3<FILE`.
    const std::vector<int>& users_descriptors() const { return users_descriptors_; }
    /// Of this process, when it began: what a rank gets, but for what its job says.
    const HostLimits& limits_before() const { return before_; }
    /// Of this process now: of open files it takes itself as many as it may.
    const HostLimits& limits() const { return now_; }

  private:
    HostCpus cpus_;
    DetachedPool threads_;
    std::vector<int> users_descriptors_;
    HostLimits before_;
    HostLimits now_;
};

}  // namespace launch
