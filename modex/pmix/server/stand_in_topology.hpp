// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <pmix_common.h>
#include <string>

namespace launch {

/// A machine with one processor, for hwloc. libpmix's server wants to know the machine it runs on
/// and would look at every PCI device, for 15 ms on a small machine and for seconds on a big one.
/// Nothing that we ask of the server needs it, and its clients look for themselves.
class StandInTopology {
  public:
    /// Call it when libpmix is loaded. Nothing: libpmix does without hwloc, or with another one.
    static std::unique_ptr<StandInTopology> make();

    ~StandInTopology();
    StandInTopology(const StandInTopology&) = delete;
    StandInTopology& operator=(const StandInTopology&) = delete;

    pmix_topology_t get() { return {.source = source_.data(), .topology = topology_}; }

  private:
    using Destroy = void (*)(void*);
    StandInTopology(void* topology, Destroy destroy) : topology_(topology), destroy_(destroy) {}

    std::string source_ = "hwloc";
    void* topology_;
    Destroy destroy_;
};

}  // namespace launch
