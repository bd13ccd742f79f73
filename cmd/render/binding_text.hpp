// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/bind/locality.hpp"
#include "core/bind/machine.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// To which CPUs ranks will be bound, as far as this machine can tell: what is on other hosts is
/// bound as these are made.
struct PlannedBinding {
    struct Rank {
        uint32_t rank = 0;
        RankBinding bound;
        std::vector<std::string> env;  ///< NAME=VALUE, which GPUs it sees
    };
    std::vector<std::string> lines;  ///< empty: nobody asked, and nothing is bound here
    std::vector<Rank> ranks;         ///< empty: as above, or it is not known here
};

PlannedBinding planned_binding(const Plan& plan, const MachineReader& read_machine);

}  // namespace launch
