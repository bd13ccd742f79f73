#pragma once

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
    bool own_group = true;     ///< leads a process group of its own
    /// Standard input is a terminal that becomes the child's own, in a session of its own.
    bool own_terminal = false;
    std::vector<SoftLimit> limits;  ///< the others are the caller's
    std::optional<uint32_t> umask;  ///< nothing: the caller's
    CpuSet cpus;                    ///< that it may use; empty: the caller's
};

struct SpawnResult {
    pid_t pid = -1;              ///< -1: nothing runs, see `failure`
    ExitStatus failure;          ///< not_started with stage and errno
    bool used_fallback = false;  ///< runs in wdir_fallback
};

/// Starts a child that dies (SIGKILL) with the calling thread. What fails between fork and exec
/// is known when this returns, by stage and errno, never as an exit code of something else.
/// Uses vfork(2): costs the same whatever the caller's size.
SpawnResult spawn_process(const SpawnRequest& request);

}  // namespace launch
