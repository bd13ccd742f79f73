// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.hpp"
#include "core/head/outcome.hpp"
#include "core/job/exit_status.hpp"

namespace launch {

/// The exit codes of launch itself. If a rank failed, it is the first failing rank's own code, or
/// 128 + the signal that ended it; the codes below are for everything else. The numbers follow
/// timeout(1), the shells (126, 127, 128+n) and sysexits.h (69, 70, 73, 74).
namespace exit_code {
inline constexpr int success = 0;        ///< every rank exited with 0
inline constexpr int usage = 2;          ///< bad option, host list, file: nothing was started
inline constexpr int unreachable = 69;   ///< a host could not be started on, or was lost
inline constexpr int internal = 70;      ///< a fault of this machine or of launch
inline constexpr int staging = 73;       ///< --stage, --fetch: a file could not be put, or got
inline constexpr int output = 74;        ///< standard output, or a file of it: disk full
inline constexpr int protocol = 76;      ///< a rank broke the rules of PMI, or left the others
inline constexpr int timed_out = 124;    ///< --timeout or --hang ended the job
inline constexpr int not_allowed = 126;  ///< the program cannot be executed, -wdir not entered
inline constexpr int not_found = 127;    ///< the program was not found
inline constexpr int signal_base = 128;  ///< + n: ended by signal n (a rank, or the user's ^C)
}  // namespace exit_code

/// The exit code for an error, and for the rank that failed first.
int exit_code_of(const Error& error);
int exit_code_of(const ExitStatus& status);

/// The exit code of a whole job: an error of the job itself goes first, then the rank that failed
/// first, then the user's signal.
int exit_code_of(const JobOutcome& outcome);

}  // namespace launch
