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
    /// Of the process that runs the job, whose slots are reserved. Makes the file, which no other
    /// job has: launch-SESSION-JOB.out.
    static Result<DetachedRun> begin(const SessionPlace& place, const std::string& session,
                                     JobNumber job);

    /// The foreground is told, and goes; from now on the file is standard output and error. False:
    /// there is nobody to tell, who could want the job.
    bool leave(Background& background);
    /// The job has ended with that.
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
