// SPDX-License-Identifier: MIT
#pragma once

#include <string>
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

/// Deals the ranks of a job to `hosts`, whatever hosts the spec has: a pure function. `asked`: the
/// ranks of each program, see asked_ranks(); `choices`: as in JobSpec, but with indices into
/// `hosts`. Errors are of kind usage.
///
/// Programs on the same hosts are dealt together, rank by rank through them, as place() does.
/// Programs with hosts of their own come first; the others, which may run on all, take the slots
/// that are left. `used`: slots of each host that others have; empty: none. In any case, ranks are
/// numbered through the programs as they stand in the job.
Result<Deal> deal_ranks(const JobSpec& spec, const std::vector<uint32_t>& asked,
                        const std::vector<Host>& hosts, const std::vector<HostChoice>& choices,
                        const std::vector<uint32_t>& used = {});

/// Where hosts have more ranks than slots: "900 ranks on 100 slots" of all, or "n[1-2]: 8 ranks on
/// 2 slots" where the others have slots to spare. Else empty.
std::string oversubscription(const JobSpec& spec, const Placement& placement,
                             const std::vector<Host>& hosts);

}  // namespace launch
