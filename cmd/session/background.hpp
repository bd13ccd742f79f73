// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/session/session_client.hpp"

namespace launch {

/// A process that goes on in the background when it is ready, and the one that waits for that.
/// Until then the background process has the standard streams, and signals of the terminal and of
/// others are passed on to it.
class Background {
  public:
    /// Whether the background process ends when the foreground process has ended.
    enum class Alone { goes_on, ends };
    /// Before any thread exists.
    static Result<Background> split(Alone alone);
    bool is_background() const { return child_ == 0; }

    /// In the background: it is, with this to tell. The standard streams are let go of. False:
    /// there is nobody to tell.
    bool ready(const std::string& text);

    /// In the other: waits for ready(); nothing: it has ended, with exit_code().
    std::optional<std::string> wait();
    int exit_code() const { return exit_code_; }
    /// It is to end, and has.
    void stop();

  private:
    Background(pid_t child, UniqueFd pipe) : child_(child), pipe_(std::move(pipe)) {}

    std::string read_passing_signals(int signals) const;

    pid_t child_;
    UniqueFd pipe_;
    int exit_code_ = 0;
};

/// Waits for the end of a child process.
int exit_code_of_child(pid_t child);

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
