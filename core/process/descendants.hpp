// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace launch {

/// Makes this process the parent of every orphan below it (PR_SET_CHILD_SUBREAPER), so that a
/// daemonised grandchild of a rank cannot get away.
void become_subreaper();

/// Whether this process has any, running or not yet waited for; where it has none, nothing is below
/// it. One system call.
bool has_children();

/// All processes below `root`, children before grandchildren. Reads /proc.
std::vector<pid_t> descendants_of(pid_t root);
/// `root` itself, and then those.
std::vector<pid_t> with_descendants(pid_t root);

/// Sends `signal` to everything below this process. Returns how many got it.
size_t signal_descendants(int signal);

/// Whether each of these waits in the kernel in a way that no signal ends (state D), as for a
/// file server that does not answer.
bool all_wait_uninterruptibly(const std::vector<pid_t>& processes);

/// The reason why a process does not end: "in uninterruptible sleep (state D, wchan FUNCTION)".
std::string why_not_ended(pid_t process);

}  // namespace launch
