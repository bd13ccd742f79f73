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
    std::vector<std::string> drawn;  ///< a line for each rank, if requested
    /// Why they are not bound as usual, if a report of bindings was asked for.
    std::string note;
    std::string failure;  ///< why they cannot run as requested; empty: they can
    /// The stage of the start to which a `failure` belongs.
    ExitStatus::Stage failed = ExitStatus::Stage::bind;
};

struct PlaceRequest {
    PlaceChoice choice;
    std::vector<RankRun> runs;     ///< the ranks of this host
    std::vector<std::string> env;  ///< the job's: a scheduler may have said there which GPUs it has
    /// A machine that hwloc's variables describe is taken for this one: nothing will be started.
    bool may_be_made_up = false;
    /// Cores to which ranks of other jobs are bound. They are not used while enough other cores are
    /// free for the request. Without a request, ranks are not bound if there are too few.
    CpuSet claimed = {};
};

/// Whether there is anything to find out.
bool wants_places(const PlaceChoice& choice, const std::vector<RankRun>& runs, std::size_t cpus);

/// On a machine that is known.
RankPlaces places_on(const Machine& machine, const PlaceRequest& request);

/// Blocks: reads the machine.
RankPlaces find_rank_places(const PlaceRequest& request, const MachineReader& read_machine);

/// The error of places with a failure.
NotStarted not_placed(const RankPlaces& places);

}  // namespace launch
