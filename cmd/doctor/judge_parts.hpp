// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/doctor/examination.hpp"
#include "cmd/doctor/findings.hpp"

namespace launch {

// The parts of judge(), each a check.

/// Whether a stage of their start takes long: no launch there is quicker than that.
void judge_start_times(const Examination& seen, Findings& found);
/// Whether hosts know each other's names, and alike.
void judge_names(const Examination& seen, Findings& found);
/// Whether their clocks agree with that of this machine, as far as the time that a message takes
/// lets one know.
void judge_clocks(const Examination& seen, Findings& found);
/// Whether processes may open, lock and start what ranks need.
void judge_limits(const Examination& seen, Findings& found);
/// Whether launch, and programs, can put files where they do, and run them.
void judge_disks(const Examination& seen, Findings& found);
/// Whether the folder is there where ranks start by default.
void judge_wdir(const Examination& seen, Findings& found);
/// Whether programs that were built here start there.
void judge_glibc(const Examination& seen, Findings& found);
/// Whether hosts have the same MPI and PMIx libraries.
void judge_libraries(const Examination& seen, Findings& found);

}  // namespace launch
