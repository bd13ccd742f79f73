#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/bind/machine.hpp"

namespace launch {

/// Which CPUs of a host the jobs at a node have bound their ranks to, so that the next one gets
/// others while there are any. Of other nodes, and of other launchers, it knows nothing. One
/// thread.
class CpuLedger {
  public:
    /// CPUs that a job has, until the last copy of this goes.
    using Claim = std::shared_ptr<const CpuSet>;

    Claim claim(CpuSet cpus);
    /// By all jobs.
    CpuSet claimed();
    /// How many claims there have been. If the number has changed since claimed() was read, a
    /// choice that was made by that may clash with another job's.
    uint64_t claims() const { return claims_; }

  private:
    std::vector<std::weak_ptr<const CpuSet>> given_;
    uint64_t claims_ = 0;
};

/// The machine as if the cores with one of these CPUs were not to be used.
Machine without_cores_of(Machine machine, const CpuSet& cpus);

}  // namespace launch
