// SPDX-License-Identifier: MIT
#pragma once

#include "core/wire/stats.hpp"

namespace launch {

/// Traffic of a node's links in each phase of the job, computed from the totals at the beginning of
/// each phase. Sans I/O.
class PhaseCounts {
  public:
    void begin(JobPhase phase, const LinkCounts& so_far) {
        close(so_far);
        phase_ = phase;
    }
    JobPhase phase() const { return phase_; }

    /// `so_far` is all up to now.
    const std::array<LinkCounts, job_phases>& close(const LinkCounts& so_far) {
        counts_[static_cast<size_t>(phase_)] += so_far.since(before_);
        before_ = so_far;
        return counts_;
    }

  private:
    JobPhase phase_ = JobPhase::start;
    LinkCounts before_;
    std::array<LinkCounts, job_phases> counts_;
};

}  // namespace launch
