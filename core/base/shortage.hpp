// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/base/error.hpp"

namespace launch {

/// The limits that can keep a process from having one more thread or child process. A limit that
/// is not set was not the cause.
struct TaskLimits {
    std::optional<uint64_t> of_cgroup;    ///< pids.max of a cgroup that is full
    std::optional<uint64_t> data_kib;     ///< RLIMIT_DATA, if one more stack exceeds it
    std::optional<uint64_t> address_kib;  ///< RLIMIT_AS, if one more stack exceeds it
    std::optional<uint64_t> of_user;      ///< RLIMIT_NPROC, if it applies to this process
};

/// The limits of this process now. Reads /proc and the cgroup file system.
TaskLimits task_limits();

/// The limit that was reached and what to try, for an errno of fork(2), clone(2) or
/// pthread_create(3): "too many processes and threads of this user (ulimit -u 3; ...)".
std::string shortage_text(int errno_value, const TaskLimits& limits);

/// shortage_text() for a fork(2) or vfork(2) that failed just now. The limits of memory are left
/// out, because a child process takes no stack from this process.
std::string no_process_text(int errno_value);

/// The Error of a thread that the system refuses now.
Error no_thread_error();

/// Is thrown where this process cannot go on without a thread that the system refuses; what() is
/// a line for the user.
class NoThread : public std::runtime_error {
  public:
    NoThread() : std::runtime_error(describe(no_thread_error())) {}
};

}  // namespace launch
