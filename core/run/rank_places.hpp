// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/bind/locality.hpp"
#include "core/bind/machine.hpp"
#include "core/job/exit_status.hpp"
#include "core/job/placement.hpp"

namespace launch {

/// Where on its machine each rank of a host runs.
struct RankPlaces {
    std::vector<RankBinding> bound;             ///< by local rank
    std::vector<std::vector<std::string>> env;  ///< by local rank: NAME=VALUE, which GPUs it sees
    CpuSet own;                      ///< CPUs that other jobs had better leave to these ranks
    std::vector<std::string> drawn;  ///< a line for each rank, where that was asked for
    /// Why they are not bound as they usually are, where it is to be told how they are bound.
    std::string note;
    std::string failure;  ///< why they cannot run as was asked; empty: they can
    /// The stage of the start that a `failure` is told of.
    ExitStatus::Stage failed = ExitStatus::Stage::bind;
};

struct PlaceRequest {
    PlaceChoice choice;
    std::vector<RankRun> runs;     ///< the ranks of this host
    std::vector<std::string> env;  ///< the job's: a scheduler may have said there which GPUs it has
    /// A machine that hwloc's variables describe is taken for this one: nothing will be started.
    bool may_be_made_up = false;
    /// That ranks of other jobs are bound to: their cores are not used while there are enough
    /// others for what was asked. Who asked for nothing is not bound where there are not.
    CpuSet claimed = {};
};

/// Whether there is anything to find out.
bool wants_places(const PlaceChoice& choice, const std::vector<RankRun>& runs, std::size_t cpus);

/// On a machine that is known.
RankPlaces places_on(const Machine& machine, const PlaceRequest& request);

/// Blocks: reads the machine.
RankPlaces find_rank_places(const PlaceRequest& request, const MachineReader& read_machine);

/// Of places with a failure.
NotStarted not_placed(const RankPlaces& places);

}  // namespace launch
