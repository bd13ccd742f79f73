// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/session/background.hpp"
#include "core/base/fd.hpp"
#include "core/session/session_client.hpp"

namespace launch {

/// A job of a session in the background: its output goes to a file in the working directory, and
/// its session knows where, and what it ended with. See `launch help sessions`.
class DetachedRun {
  public:
    /// Makes the output file launch-SESSION-JOB.out, or a name beside it that is free. Call it in
    /// the process that runs the job, after its slots were reserved.
    static Result<DetachedRun> begin(const SessionPlace& place, const std::string& session,
                                     JobNumber job);

    /// Tells the foreground process to end, and makes the file standard output and error. Returns
    /// false if the foreground process has died; then the job must not run.
    bool leave(Background& background);
    /// Reports the exit code of the job to the session.
    void end(int exit_code);

  private:
    DetachedRun(SessionClient session, JobNumber job) : session_(std::move(session)), job_(job) {}

    Status make_file();
    std::string text() const;

    SessionClient session_;
    JobNumber job_;
    std::string path_;
    UniqueFd file_;
};

/// In the foreground: waits until the job goes on without it, and tells how to see it. Returns the
/// exit code.
int tell_detached(Background& background, bool quiet);

}  // namespace launch
