// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cmd/doctor/examination.hpp"
#include "cmd/doctor/finding.hpp"

namespace launch {

/// Returns the findings, the worst first; hosts with the same finding share one. A check that found
/// nothing worse than notes gives one finding that is `good`. A pure function.
std::vector<Finding> judge(const Examination& seen);

/// Returns the error by which a launch would fail; nothing: it would work.
std::optional<ErrorKind> would_fail_by(const std::vector<Finding>& findings);

}  // namespace launch
