// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/job/output_choice.hpp"
#include "core/job/rank_limits.hpp"

namespace launch {

/// The facts that a job takes from the machine and the shell where launch is started.
struct Surroundings {
    /// The kinds of the standard streams.
    struct Streams {
        bool in_is_terminal = false;
        bool out_is_terminal = false;
        bool err_is_terminal = false;
        WindowSize window;  ///< of that terminal
    };

    std::vector<std::string> env;
    std::string wdir;  ///< as the shell shows it, symbolic links kept; empty if it was removed
    std::string host;  ///< this machine's name
    std::string launch_path;
    std::string job_id;  ///< of the job that is being started: unlike any other's
    uint32_t cpus = 1;   ///< that this process may use
    RankLimits limits;   ///< all of them
    Streams streams;
};

Result<Surroundings> look_around();

/// Takes what tells the identity of a rank from this process's own environment: libraries that it
/// loads, and programs that it runs, are not that rank.
void leave_enclosing_job();

}  // namespace launch
