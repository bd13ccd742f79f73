// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/unit/core/harness/accidents.hpp"
#include "tests/unit/core/harness/session_world.hpp"

namespace launch {

/// From the last accident until all hosts are there again, and jobs have ended that wait for them,
/// beside what ranks do: a lost host is tried again ever more seldom.
constexpr std::chrono::minutes most_to_return{15};

/// A job of a session, and what has been done to it.
struct PlayedJob {
    SessionWorld::Client* client;
    uint32_t ranks;
    bool is_interrupted = false;
    bool is_killed = false;  ///< its client
};

/// All that has been done to a session whose jobs are over.
struct SessionOrdeal {
    const Accidents& accidents;
    const std::vector<PlayedJob>& jobs;
    Clock::time_point quiet_from;  ///< no accident has struck since
    bool some_are_taken = false;   ///< hosts, from jobs
    bool some_have_left = false;   ///< hosts
};

/// Holds the jobs of a session against what users are promised (`launch help sessions`,
/// `exit-codes`). Returns the first promise that is broken; empty: none is.
std::string broken_promise(SessionWorld& world, const SessionOrdeal& ordeal);

/// Nothing disturbs the session any more: all its hosts come back, each with one relay, nothing is
/// left of its jobs, and two jobs, one right after the other, can have all slots. `answered`: the
/// hosts that it has by the answers to its users, which may change until this ends; beside these it
/// may have hosts from number `asked_for` on, for which ranks asked. Returns what is wrong; empty:
/// nothing is.
std::string what_is_left(SessionWorld& world, const std::set<NodeIndex>& answered,
                         NodeIndex asked_for);

}  // namespace launch
