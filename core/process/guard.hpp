#pragma once

#include <sys/types.h>

namespace launch {

/// Splits the process in two: the caller returns in the child, the worker; the parent stays as
/// its guard and never returns. Each looks after the other, so that nothing of a job outlives
/// a SIGKILL:
///  - the worker dies: the guard, subreaper of all below it, kills every descendant, then ends
///    the way the worker ended (same exit code, or the same signal);
///  - the guard dies: the worker gets SIGTERM and finds lost() true.
/// Signals sent to the guard reach the worker; it stops and continues with the worker, so that
/// a shell's job control sees one process. Call it before any thread exists.
class Guard {
  public:
    static Guard split_process();

    /// True in a worker whose guard has died.
    bool lost() const;

  private:
    pid_t pid_ = 0;  ///< 0: there is none
};

}  // namespace launch
