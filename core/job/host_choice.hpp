// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/job/job_spec.hpp"

namespace launch {

/// Programs that run on the same hosts: their ranks are dealt together.
struct ProgramGroup {
    std::vector<uint32_t> hosts;   ///< places among the job's hosts, in the order they are filled
    std::vector<size_t> programs;  ///< in the order of the job
};

/// In the order in which they take slots: programs with hosts of their own first, so that those
/// that may run anywhere take what is left. `choices`: of each program; empty: none has its own.
std::vector<ProgramGroup> group_programs(size_t programs, const std::vector<HostChoice>& choices,
                                         size_t hosts);

/// The place of a host that is no longer among the job's.
inline constexpr uint32_t no_place = std::numeric_limits<uint32_t>::max();

/// Translates choices to other hosts: places[i] is the index of the i-th host there, or no_place.
std::vector<HostChoice> moved_choices(std::vector<HostChoice> choices,
                                      std::span<const uint32_t> places);

/// The first program whose own hosts are all gone.
std::optional<size_t> program_without_host(const std::vector<HostChoice>& choices);

}  // namespace launch
