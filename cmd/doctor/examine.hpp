// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/doctor/examination.hpp"
#include "core/job/job_spec.hpp"
#include "core/process/guard.hpp"

namespace launch {

/// Starts relays on the hosts as any launch does, and runs a check on each that is up; hosts that
/// another host could not start are then tried from here. An Error: no plan can be made, or what
/// ended it is no host's fault. `signal`: the user's, which ended it early; 0: none.
struct Examined {
    Examination seen;
    int signal = 0;
};
Result<Examined> examine_hosts(JobSpec spec, const std::string& wdir);

}  // namespace launch
