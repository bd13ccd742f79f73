// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/doctor/examination.hpp"
#include "cmd/doctor/finding.hpp"

namespace launch {

/// A table for people: a row a finding, and below it what to do.
std::string doctor_text(const Examination& seen, const std::vector<Finding>& findings);

/// Returns the findings and the facts of all hosts as JSON: cmd/render/schemas/doctor.json.
std::string doctor_json(const Examination& seen, const std::vector<Finding>& findings);

}  // namespace launch
