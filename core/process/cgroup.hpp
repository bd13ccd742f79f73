// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/types.h>

#include "core/base/fd.hpp"

namespace launch {

/// A cgroup-v2 folder of one head or relay, below the cgroup of this process: all processes that
/// its worker starts are in it and cannot leave by forking, so a single write ends all of them. The
/// survivor removes it: guard or worker (see Guard), or after a SIGKILL of both the next head or
/// relay there. A lock on the folder shows that both are dead, because the kernel drops it with the
/// last of them.
///
/// Empty if this user may not make such a folder, or the kernel has no cgroup.kill (5.14).
class Cgroup {
  public:
    static Cgroup make();

    explicit operator bool() const { return static_cast<bool>(lock_); }
    /// The descriptor that holds the lock.
    int lock() const { return lock_.get(); }

    /// As fork(2), the child being born in the cgroup: entering it later would cost milliseconds,
    /// and what was started until then would stay outside. -1 where that cannot be.
    pid_t fork_into() const;
    /// SIGKILL to all that is inside.
    void kill() const;
    /// Ends what is inside and takes the folder away; gives up after a moment, as what waits
    /// uninterruptibly does not end.
    void remove() const;
    /// Moves this process out, to where the folder is.
    void leave() const;

  private:
    std::string path_;
    UniqueFd lock_;
};

/// Removes the folders, and what runs in them, of heads and relays whose processes were all
/// killed, here or in another session of the same user.
void remove_orphaned_cgroups();

}  // namespace launch
