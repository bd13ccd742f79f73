// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/played_head.hpp"

namespace launch {

PlayedHead::PlayedHead(Network& network, Plan its_plan)
    : plan(std::move(its_plan)),
      process(network.add(0)),
      reaper(network.executor),
      transport(std::move(*process.factories.transport(network.executor, plan.spec.transport,
                                                       reaper, TransportNote(), nullptr))),
      tree(network.executor, plan, *transport, process.factories, guard, reaper) {
    process.children = [this] { return tree.children(); };
}

}  // namespace launch
