// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <sys/types.h>

#include "core/base/clock.hpp"

namespace launch {

/// The process group of a child that leads it. Once the leader has been waited for, the kernel
/// gives the group's number to somebody else as soon as nobody is left in the group: from then on
/// a group that was once seen empty is never asked or signalled again, and one that was not looked
/// at for a while (this process was stopped) only if some of our own descendants are in it.
class ProcessGroup {
  public:
    ProcessGroup() = default;
    explicit ProcessGroup(pid_t leader) : leader_(leader) {}

    /// The leader has just been waited for.
    void leader_reaped();
    bool alive();
    void signal(int number);
    /// SIGKILL to the group and, while the leader is there, to all below it.
    void kill_all();

  private:
    bool may_be_anothers() const;

    pid_t leader_ = 0;  ///< 0: the group is gone, or never was
    bool leader_reaped_ = false;
    Clock::time_point seen_alive_{};
};

}  // namespace launch
