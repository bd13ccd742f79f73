// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/base/cpu_set.hpp"
#include "core/base/environment.hpp"
#include "core/base/fd.hpp"
#include "core/job/exit_status.hpp"
#include "core/job/rank_limits.hpp"

namespace launch {

/// A process to start. Descriptors are the child's standard streams; they stay the caller's.
struct SpawnRequest {
    std::vector<std::string> argv;  ///< argv[0] without '/' is looked up in env's PATH
    std::string found;  ///< where argv[0] was found a moment ago, tried first; empty: it was not
    std::vector<std::string> env;  ///< "NAME=VALUE", the whole environment
    std::string wdir;              ///< empty: the caller's
    std::string wdir_fallback;     ///< tried when wdir does not exist; empty: none
    int stdin_fd = -1;
    int stdout_fd = -1;
    int stderr_fd = -1;
    std::vector<int> inherit;  ///< further descriptors that stay open, under their numbers
    /// The child closes all descriptors but its own and these before it looks for the program,
    /// which may take long: a pipe or socket that the caller closes meanwhile has an end then.
    /// Nothing: they are closed when the program runs.
    std::optional<std::vector<int>> keep_open;
    bool own_group = true;  ///< leads a process group of its own
    /// Standard input is a terminal that becomes the child's own, in a session of its own.
    bool own_terminal = false;
    std::vector<SoftLimit> limits;  ///< the others are the caller's
    std::optional<uint32_t> umask;  ///< nothing: the caller's
    CpuSet cpus;                    ///< that it may use; empty: the caller's
    /// Its parent and all below that may trace it, where Yama lets only ancestors do so (prctl(2)).
    bool parent_may_trace = false;
};

struct SpawnResult {
    pid_t pid = -1;              ///< -1: nothing runs, see `failure`
    ExitStatus failure;          ///< not_started with stage and errno
    bool used_fallback = false;  ///< runs in wdir_fallback
};

/// By this, another thread follows a spawn_process() that has not returned yet, and can end the
/// child. It must outlive the call.
struct SpawnInFlight {
    /// The child, which leads its group and loses no signal from now on: one that comes before it
    /// runs the program is delivered when it is about to. 0: there is no such child, not yet or
    /// not any more.
    std::atomic<pid_t> pid = 0;
    /// A child that sees this does not run the program. Set it before you look at `pid`: then
    /// either the child sees it, or there is a `pid` to kill.
    std::atomic<bool> cancelled = false;
};

/// Starts a child that dies (SIGKILL) with the calling thread. A failure between fork and exec is
/// known when this returns, by stage and errno, never as an exit code of something else. Uses
/// vfork(2): the cost does not depend on the caller's size.
SpawnResult spawn_process(const SpawnRequest& request, SpawnInFlight* in_flight = nullptr);

}  // namespace launch
