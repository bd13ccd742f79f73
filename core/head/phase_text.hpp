// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/head/job_record.hpp"
#include "core/run/phase_times.hpp"

namespace launch {

/// The lines that --verbose prints at each phase of a run, without "launch: ".

/// Before anything is started: the hosts, and the tree along which they are.
std::vector<std::string> plan_lines(const Plan& plan);

/// All hosts are up or known not to be, after `took`.
std::string up_line(const JobRecord& record, milliseconds took);

/// Ranks were placed on these hosts only now, since hosts might have been missing.
std::string placed_line(const Plan& plan);

/// All is over. `times.ending` is set.
std::string end_line(const Plan& plan, const JobRecord& record, const PhaseTimes& times,
                     Clock::time_point now);

}  // namespace launch
