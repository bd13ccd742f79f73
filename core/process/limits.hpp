// SPDX-License-Identifier: MIT
#pragma once

#include "core/job/rank_limits.hpp"

namespace launch {

/// This process's own.
HostLimits host_limits();

/// This process's umask and soft limits. Not while another thread makes files.
RankLimits own_limits();

/// Sets a soft limit of this process; where that is refused it stays as it is. Safe between vfork
/// and exec.
void set_soft_limit(const SoftLimit& limit);

/// Raises this process's soft limit of open files to the hard one: a rank takes three, a link
/// one or two. Returns what it was, for the processes that expect it.
uint64_t raise_file_limit();

}  // namespace launch
