// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <vector>

#include "core/async/event.hpp"
#include "core/topology.hpp"

namespace launch {

/// How long a core is busy with a thing that is done in a simulation.
struct CoreCosts {
    Clock::duration asks{0};     ///< of who starts a relay on another host
    Clock::duration answers{0};  ///< of that other host, until the relay runs
    Clock::duration wake{0};     ///< of a process for which bytes have come, whatever they are
};

/// The cores of one host, or of several hosts that share them. They do one thing after another, in
/// the order in which these come up, each on the core that is free first. A process is not kept to
/// one core: with several, what it does at once is done side by side.
class Cores {
  public:
    /// `count`: at least 1.
    Cores(any_io_executor executor, size_t count, const CoreCosts& costs);
    Cores(const Cores&) = delete;
    Cores& operator=(const Cores&) = delete;

    /// These wait for a core, and until it has done it.
    awaitable<void> ask() { return work(costs_.asks); }
    awaitable<void> answer() { return work(costs_.answers); }
    awaitable<void> wake() { return work(costs_.wake); }

  private:
    awaitable<void> work(Clock::duration cost);

    any_io_executor executor_;
    CoreCosts costs_;
    std::vector<Clock::time_point> free_at_;  ///< of each core
};

/// Cores for all hosts.
class CoresOfHosts {
  public:
    enum class Are : uint8_t {
        shared,      ///< all hosts have these, as network namespaces of a machine do
        of_the_host  ///< each host has so many
    };
    CoresOfHosts(any_io_executor executor, Are are, size_t count, const CoreCosts& costs)
        : executor_(std::move(executor)), are_(are), count_(count), costs_(costs) {}

    Cores& of(NodeIndex node);

  private:
    any_io_executor executor_;
    Are are_;
    size_t count_;
    CoreCosts costs_;
    std::map<NodeIndex, Cores> cores_;  ///< shared ones are those of the head
};

}  // namespace launch
