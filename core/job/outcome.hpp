#pragma once

#include <optional>

#include "core/base/error.hpp"
#include "core/job/exit_status.hpp"

namespace launch {

/// How a job ended, as far as the exit code is concerned. Everything else has been told to the
/// user by then. All empty: every rank succeeded.
struct JobOutcome {
    std::optional<Error> error;        ///< the job itself failed: hosts, time, output
    std::optional<ExitStatus> failed;  ///< of the rank that failed first
    int signal = 0;                    ///< the user's signal that ended the job (^C)
};

}  // namespace launch
