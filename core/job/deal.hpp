#pragma once

#include <vector>

#include "core/job/job_spec.hpp"

namespace launch {

/// Which ranks the programs of a job and its hosts get.
struct Deal {
    Placement placement;
    std::vector<uint32_t> program_ranks;
    uint32_t universe_size = 0;  ///< slots of all hosts; at least the ranks
};

/// How many ranks each program was asked for; 0: what the slots leave.
std::vector<uint32_t> asked_ranks(const std::vector<Program>& programs);

/// Deals the ranks of a job to `hosts`, whatever hosts the spec has: a pure function. `asked`: of
/// each program, as asked_ranks(). Errors are of kind usage.
Result<Deal> deal_ranks(const JobSpec& spec, const std::vector<uint32_t>& asked,
                        const std::vector<Host>& hosts);

}  // namespace launch
