// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/link/patience.hpp"
#include "tests/unit/core/harness/accidents.hpp"
#include "tests/unit/core/harness/job_world.hpp"

namespace launch {

/// From the last event until the user knows that the job has ended: a node that is lost then is
/// waited for, as it may come back.
constexpr milliseconds most_to_know = patience::come_back + milliseconds{1500};

/// All that has been done to a job that is over.
struct Ordeal {
    const Accidents& accidents;
    std::string typed;                 ///< all of the input
    bool has_unwilling_hosts = false;  ///< that let nobody in
    Clock::time_point quiet_from{};    ///< no accident has struck since
    Clock::duration longest{};         ///< within which it must have ended
};

/// Holds a job that is over against what users are promised (`launch help failures`, `exit-codes`,
/// `output`). Returns the first promise that is broken; empty: none is.
std::string broken_promise(JobWorld& world, const Ordeal& ordeal);

/// The part of it about what ranks were answered who asked for hosts: one that has joined, by the
/// answer, has started a relay.
std::string wrong_with_growth(const Network& network, const RankBook& ranks);
/// ... and for processes, in a job without a loss: as many were about to start as ranks have been
/// promised. The answer goes out with the order to start them, which comes too late where the job
/// ends.
std::string wrong_with_spawned(const std::map<RankName, RankLife>& of_job);

}  // namespace launch
