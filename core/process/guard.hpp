#pragma once

#include "core/process/cgroup.hpp"

namespace launch {

/// Splits the process in two: the caller returns in the child, the worker; the parent stays as
/// its guard and never returns. Each looks after the other, so that nothing of a job outlives
/// a SIGKILL:
///  - the worker dies: the guard, subreaper of all below it, kills every descendant, then ends
///    the way the worker ended (same exit code, or the same signal);
///  - the guard dies: the worker gets SIGTERM and finds lost() true;
///  - both die at once: where cgroups can be had the next guard on this host ends what is left.
/// Signals sent to the guard reach the worker; it stops and continues with the worker, so that
/// a shell's job control sees one process. Call it before any thread exists.
class Guard {
  public:
    static Guard split_process();
    Guard(Guard&&) = default;
    Guard& operator=(Guard&&) = delete;
    /// In the worker, at its end: takes over the duties of a lost guard.
    ~Guard();

    /// True in a worker whose guard has died.
    bool lost() const;

  private:
    Guard(pid_t pid, Cgroup cgroup) : pid_(pid), cgroup_(std::move(cgroup)) {}

    pid_t pid_;  ///< 0: there is none
    Cgroup cgroup_;
};

}  // namespace launch
