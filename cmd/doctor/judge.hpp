// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "cmd/doctor/examination.hpp"
#include "cmd/doctor/finding.hpp"

namespace launch {

/// What is to be told of what was seen: the worst first, hosts of which the same is so together.
/// A check that found nothing worse than notes says so in one finding that is `good`. A pure
/// function.
std::vector<Finding> judge(const Examination& seen);

/// What a launch would fail by; nothing: it would work.
std::optional<ErrorKind> would_fail_by(const std::vector<Finding>& findings);

}  // namespace launch
