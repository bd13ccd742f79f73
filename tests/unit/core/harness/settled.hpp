// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/unit/core/harness/losses.hpp"
#include "tests/unit/core/harness/talk.hpp"

namespace launch {

/// Checks a world that nothing disturbs any more: each node must run below one parent or have been
/// reported as lost, and all words of the nodes that live must have arrived. Returns the first
/// fault, or an empty text.
std::string unsettled(World& world, const Talk& talk, NodeIndex nodes);

/// Waits until `done`, no longer than `limit`. Returns whether it is. `done` may also drive the
/// world.
template <class Done>
awaitable<bool> wait_until(const World& world, Done done, Clock::duration limit) {
    const auto deadline = Clock::now() + limit;
    while (!done() && Clock::now() < deadline)
        co_await sleep_for(world.network.executor, milliseconds{5});
    co_return done();
}

/// Ends a world that nothing disturbs any more: waits until it has settled, no longer than `limit`,
/// checks the order of all words and who is lost, and lets it finish. Returns all faults, or an
/// empty text.
awaitable<std::string> settle_and_finish(World& world, const Talk& talk, NodeIndex nodes,
                                         Clock::duration limit, const Losses& losses);

/// For people: each node that runs with its children, and who is lost; and by which reports.
std::string picture(World& world, NodeIndex nodes);

}  // namespace launch
