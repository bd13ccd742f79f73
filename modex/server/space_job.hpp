// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "core/wire/messages.hpp"
#include "modex/exchange/collective.hpp"
#include "modex/pmix/pmix_job.hpp"

namespace launch {

/// What other jobs are told of one whose ranks are placed.
SpaceFacts space_facts(const JobMessage& job);

/// A job as libpmix is told of it, but for what is of one node. Nothing: its map of nodes is none.
std::optional<PmixJob> pmix_job_of(const SpaceFacts& facts);

}  // namespace launch
