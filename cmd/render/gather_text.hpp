// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/head/output_gather.hpp"
#include "core/job/output_choice.hpp"

namespace launch {

/// What --gather shows of one stream: a block for each group, its hosts or ranks above it, as
/// clush -b does; for GatherChoice::diff the first group, and how each other differs from it.
std::string gather_text(const GatheredOutput& output, Stream stream, GatherChoice choice);

/// --gather --format json: one object, all of both streams. Bytes that are no UTF-8 come as U+FFFD.
std::string gather_json(const GatheredOutput& output);

}  // namespace launch
