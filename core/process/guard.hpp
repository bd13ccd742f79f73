// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <sys/types.h>

#include "core/process/cgroup.hpp"

namespace launch {

class GuardMemory;
class RemovalList;
class SavedTerminal;

/// Splits the process: the caller returns in a child, the worker; its parent, the guard, never
/// returns. Each looks after the other, so that nothing of a job outlives a SIGKILL:
///  - the worker dies: the guard, subreaper of all below it, kills every descendant, then ends
///    the way the worker ended (same exit code, or the same signal);
///  - the guard dies: the worker gets SIGTERM and finds lost() true;
///  - both die at once: the next guard on this host removes the files that are left, and where
///    cgroups can be had it ends the processes.
/// A SIGKILL of a process group must not be that last case, so one of the two is in a session of
/// its own. A relay's worker is. A head's worker has to stay with its terminal and its shell's job:
/// there the guard leaves, and a third process, the one that was started, stands for it in the
/// group. If that one is killed the job ends as if the guard had been.
/// Signals sent to the process that was started reach the worker; it stops and continues with a
/// worker that says so, or that ^Z has met before it could, and ends as it does, so that a shell's
/// job control sees one process. Call it before any thread exists.
class Guard {
  public:
    enum class Role { head, relay };
    static Guard split_process(Role role);
    /// The guard of a process that has none.
    static Guard none() { return {0, {}, nullptr}; }
    Guard(Guard&&) = default;
    Guard& operator=(Guard&&) = delete;
    /// In the worker, at its end: takes over the duties of a lost guard.
    ~Guard();

    /// A folder that is to be gone when the worker is, whatever ends it; empty: none. One at a
    /// time.
    void remove_at_end(const std::string& folder) const;

    /// More that is to be gone then; null: the guard takes nothing.
    RemovalList* to_remove() const;

    /// A terminal whose modes are to be put back when the worker has ended, whatever ends it; null:
    /// nobody could.
    SavedTerminal* terminal() const;

    /// In the worker: stops it and the process that was started, as a shell's job control expects,
    /// until they are continued. A worker that somebody else stopped is left alone: who continues
    /// it may not know of the others.
    void stop() const;

    /// True in a worker whose guard has died, or who stood for it.
    bool lost() const;

  private:
    bool dead() const;
    Guard(pid_t pid, Cgroup cgroup, GuardMemory* memory)
        : pid_(pid), cgroup_(std::move(cgroup)), memory_(memory) {}

    pid_t pid_;  ///< 0: no guard
    Cgroup cgroup_;
    GuardMemory* memory_;  ///< lives as long as the process
};

}  // namespace launch
