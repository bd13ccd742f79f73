// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/async/detached_pool.hpp"
#include "core/process/host_cpus.hpp"
#include "core/process/limits.hpp"

namespace launch {

/// State that all jobs at one node share: the CPUs in use, and results that need to be computed
/// only once. For one thread.
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
    /// Limits of this process when it began: those of a rank, except where its job sets others.
    const HostLimits& limits_before() const { return before_; }
    /// Limits of this process now: it raises its own limit of open files as far as it may.
    const HostLimits& limits() const { return now_; }

  private:
    HostCpus cpus_;
    DetachedPool threads_;
    std::vector<int> users_descriptors_;
    HostLimits before_;
    HostLimits now_;
};

}  // namespace launch
