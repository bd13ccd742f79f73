// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "core/wire/messages.hpp"
#include "modex/exchange/collective.hpp"
#include "modex/pmix/pmix_job.hpp"

namespace launch {

/// The facts about a job with placed ranks that other jobs need.
SpaceFacts space_facts(const JobMessage& job);

/// A job in the form for libpmix, without what concerns one node. Nothing: its map of nodes is
/// invalid.
std::optional<PmixJob> pmix_job_of(const SpaceFacts& facts);

}  // namespace launch
