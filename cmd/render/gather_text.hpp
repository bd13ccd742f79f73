// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/head/output_gather.hpp"
#include "core/job/output_choice.hpp"

namespace launch {

/// Returns a block for each group of one stream, below its hosts or ranks, as clush -b does; for
/// GatherChoice::diff the first group, and the differences of the others from it.
std::string gather_text(const GatheredOutput& output, Stream stream, GatherChoice choice);

/// Returns both streams as JSON: schemas/gather.json.
std::string gather_json(const GatheredOutput& output);

}  // namespace launch
