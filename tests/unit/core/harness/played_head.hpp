// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/head/head_tree.hpp"
#include "tests/unit/core/harness/network.hpp"

namespace launch {

/// The process at the head of a simulated tree: the tree, and whatever a process has.
struct PlayedHead {
    PlayedHead(Network& network, Plan its_plan);
    PlayedHead(const PlayedHead&) = delete;
    PlayedHead& operator=(const PlayedHead&) = delete;

    Plan plan;
    Process& process;
    Guard guard = Guard::none();
    Reaper reaper;
    std::unique_ptr<Transport> transport;
    HeadTree tree;
};

}  // namespace launch
