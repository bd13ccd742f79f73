#pragma once

#include <string>
#include <sys/types.h>

#include "core/process/cgroup.hpp"

namespace launch {

class Remains;

/// Splits the process in two: the caller returns in the child, the worker; the parent stays as
/// its guard and never returns. Each looks after the other, so that nothing of a job outlives
/// a SIGKILL:
///  - the worker dies: the guard, subreaper of all below it, kills every descendant, then ends
///    the way the worker ended (same exit code, or the same signal);
///  - the guard dies: the worker gets SIGTERM and finds lost() true;
///  - both die at once: where cgroups can be had the next guard on this host ends what is left.
/// Signals sent to the guard reach the worker, and it stops and continues with a worker that says
/// so, so that a shell's job control sees one process. Call it before any thread exists.
class Guard {
  public:
    static Guard split_process();
    Guard(Guard&&) = default;
    Guard& operator=(Guard&&) = delete;
    /// In the worker, at its end: takes over the duties of a lost guard.
    ~Guard();

    /// A folder that is to be gone when the worker is, whatever ends it; empty: none. One at a
    /// time.
    void remove_at_end(const std::string& folder) const;

    /// More that is to be gone then; null: the guard takes nothing.
    Remains* remains() const;

    /// In the worker: stops both, as a shell's job control expects, until they are continued. A
    /// worker that somebody else stopped the guard leaves alone: who continues it may not know of
    /// a guard.
    void stop() const;

    /// True in a worker whose guard has died.
    bool lost() const;

    /// What the worker leaves to the guard, in memory that both see.
    struct Legacy;

  private:
    Guard(pid_t pid, Cgroup cgroup, Legacy* legacy)
        : pid_(pid), cgroup_(std::move(cgroup)), legacy_(legacy) {}

    pid_t pid_;  ///< 0: there is none
    Cgroup cgroup_;
    Legacy* legacy_;  ///< lives as long as the process
};

}  // namespace launch
